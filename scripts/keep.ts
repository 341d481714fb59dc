import { keep, type KeepResult } from "../mod.ts";
import { command } from "../cli/command.ts";
import { sizeInKb } from "../src/inject/bound.ts";

export const SPEC = {
  name: "keep",
  positionals: "[SESSION]",
  notes: [
    "For a trimmed copy it also keeps the original sessions, which trimtab show and the model's",
    "recall tool read.",
  ],
};

export const run = command(SPEC, async (_options, session) => {
  const result = await keep({ session });
  return { json: result, text: describe(result) };
});

function describe({ kept, cleanup_days: days }: KeepResult): string {
  const lines = kept.map(({ session_id: id, bytes, is_link: isLink, is_new: isNew }) => {
    const space = isLink ? "no extra space until Claude Code deletes it" : "a copy";
    return `${isNew ? "Kept" : "Already kept"}: session ${id} (${sizeInKb(bytes)}, ${space})`;
  });
  return [
    ...lines,
    `Claude Code deletes a transcript ${days} days after its last use (cleanupPeriodDays).`,
  ].join("\n");
}

if (import.meta.main) Deno.exit(await run(Deno.args));
