/**
 * A project's configuration that its user has trusted.
 *
 * @module
 */

import type { ConfigLocation } from "../src/config/files.ts";
import { projectFiles, trustText } from "../src/config/trust.ts";

/**
 * Writes a file, and trusts what a project brings as it then is.
 *
 * @param path The file.
 * @param text The new content.
 * @param location The project and the configuration folder.
 */
export function writeTrusted(path: string, text: string, location: ConfigLocation): void {
  Deno.writeTextFileSync(path, text);
  for (const file of projectFiles(location)) {
    if (file.path === path) trustText(file, text, location);
  }
}
