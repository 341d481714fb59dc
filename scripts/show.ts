import { show } from "../mod.ts";
import { command } from "../cli/command.ts";

export const SPEC = {
  name: "show",
  positionals: "ID:LINE",
  notes: [
    "ID is a session's id, its first 8 characters, or a path. LINE is a line number, from 1, as in a",
    "trim notice, or the 8 hexadecimal digits that a checkpoint shows.",
  ],
};

export const run = command(SPEC, async (_options, entry = "") => {
  const { entries, text } = await show({ entry });
  return { json: { entry: entries.length === 1 ? entries[0] : entries }, text, isContent: true };
}, [SyntaxError]);

if (import.meta.main) Deno.exit(await run(Deno.args));
