import { checkpoint } from "../mod.ts";
import { command } from "../cli/command.ts";
import { readInput } from "../cli/input.ts";
import { flag, UsageError, valued } from "../cli/spec.ts";

export const SPEC = {
  name: "checkpoint",
  positionals: "[SESSION]",
  options: [
    flag("draft", "show what would be saved, save nothing"),
    valued("add", "text", "FILE", "merge Markdown with the same headings; - reads stdin"),
  ],
  notes: [
    "Headings of --add: `## Task`, `## What Changed`, `## Why Changed`, `## Active Issues`,",
    "`## Key Decisions`, `## Next Steps`, `## Learnings`, `## Progress`.",
  ],
};

export const run = command(SPEC, async ({ draft = false, add }, session) => {
  if (draft && add === "-") {
    throw new UsageError("Cannot run checkpoint: --draft only previews; use --add - when saving");
  }
  const notes = add === undefined ? undefined : readInput(add, "notes");
  const json = await checkpoint({ session, notes, draft });
  if (json.draft !== undefined) return { json, text: json.draft };
  const verified = json.verified ? " and verified" : ", not verified";
  const lines = [
    `Checkpoint ${json.id} saved${verified}: ${json.summary}`,
    json.path,
    ...(json.warning === undefined ? [] : [json.warning]),
    `Continue from it with: trimtab restore ${json.id}`,
  ];
  return { json, text: lines.join("\n") };
});

if (import.meta.main) Deno.exit(await run(Deno.args));
