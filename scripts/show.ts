/** `trimtab show`: prints the entry that a trim notice points to. */

import { show } from "../mod.ts";
import { command } from "../cli/command.ts";

export const SPEC = {
  name: "show",
  positionals: "ID:LINE",
  options: [],
  notes: [
    "ID is a session's id, its first 8 characters, or a path. LINE is the line's number, from 1, as",
    "in the notice of a trimmed output, or the 8 digits that a checkpoint shows.",
  ],
};

export const run = command(SPEC, async (_options, entry = "") => {
  const { entries, text } = await show({ entry });
  return { json: { entry: entries.length === 1 ? entries[0] : entries }, text, isContent: true };
}, [SyntaxError]);

if (import.meta.main) Deno.exit(await run(Deno.args));
