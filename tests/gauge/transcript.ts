/**
 * Makes short transcripts for the tests of this folder and of the hooks.
 *
 * @module
 */

import { newFolder } from "../folder.ts";

export type Line = Record<string, unknown>;

export function user(uuid: string, parentUuid: string | null, extra: Line = {}): Line {
  const message = { role: "user", content: "go on" };
  return { type: "user", uuid, parentUuid, message, ...extra };
}

export function answer(
  uuid: string,
  parentUuid: string | null,
  tokens: number,
  extra: Line = {},
): Line {
  const message = {
    id: `msg_${uuid}`,
    model: "claude-sonnet-4-6",
    content: [{ type: "tool_use", id: `toolu_${uuid}`, name: "Bash", input: {} }],
    usage: { input_tokens: 3, cache_read_input_tokens: tokens - 3 },
  };
  return { type: "assistant", uuid, parentUuid, message, ...extra };
}

export function boundary(uuid: string): Line {
  return { type: "system", subtype: "compact_boundary", uuid, parentUuid: null };
}

export function writeLines(path: string, lines: readonly Line[]): void {
  Deno.writeTextFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

export async function withTranscript(
  run: (path: string, folder: string) => void | Promise<void>,
): Promise<void> {
  using folder = newFolder();
  await run(`${folder.path}/session.jsonl`, folder.path);
}
