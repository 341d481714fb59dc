/** Which tool a result belongs to. */

import { openFileSync } from "../store/read_file.ts";
import { contentParts } from "../transcript/content.ts";
import { readLines } from "../transcript/lines.ts";
import { readBriefly } from "../transcript/long_lines.ts";

/**
 * Maps the ids of tool calls to the names of the tools, over a whole session.
 *
 * Permissions: `--allow-read` for the file.
 *
 * @param path The session's file.
 * @returns Names by id.
 * @throws {Deno.errors.NotFound} When there is no such file.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { buildToolNameMapping } from "./tool_names.ts";
 *
 * const path = Deno.makeTempFileSync();
 * const content = [{ type: "tool_use", id: "tool-123", name: "Read" }];
 * Deno.writeTextFileSync(path, JSON.stringify({ type: "assistant", message: { content } }));
 * assertEquals(buildToolNameMapping(path), new Map([["tool-123", "Read"]]));
 * Deno.removeSync(path);
 * ```
 */
export function buildToolNameMapping(path: string): Map<string, string> {
  using file = openFileSync(path);
  const names = new Map<string, string>();
  for (const { bytes } of readLines(file)) {
    for (const { entry } of readBriefly(bytes)) {
      for (const { kind, id = "", name = "" } of contentParts(entry)) {
        if (kind === "tool_use" && id !== "" && name !== "") names.set(id, name);
      }
    }
  }
  return names;
}
