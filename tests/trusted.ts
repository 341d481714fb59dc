/** Marks a project's configuration as trusted, as its user would. */

import type { ConfigLocation } from "../src/config/files.ts";
import { projectFiles, trustText } from "../src/config/trust.ts";

/** Writes a configuration file of a project, and trusts its content. */
export function writeTrusted(path: string, text: string, location: ConfigLocation): void {
  Deno.writeTextFileSync(path, text);
  for (const file of projectFiles(location)) {
    if (file.path === path) trustText(file, text, location);
  }
}
