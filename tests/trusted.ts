/**
 * Trusts a project's configuration in place of its user.
 *
 * @module
 */

import type { ConfigLocation } from "../src/config/files.ts";
import { projectFiles, trustText } from "../src/config/trust.ts";

/** Writes a file of a project, and trusts its new content. */
export function writeTrusted(path: string, text: string, location: ConfigLocation): void {
  Deno.writeTextFileSync(path, text);
  for (const file of projectFiles(location)) {
    if (file.path === path) trustText(file, text, location);
  }
}
