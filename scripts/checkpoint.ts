/** `trimtab checkpoint`: saves a session's work state, or shows a draft of the checkpoint. */

import { checkpoint } from "../mod.ts";
import { command, type CommandOutput } from "../cli/command.ts";
import { readInput } from "../cli/input.ts";
import {
  type Arguments,
  type CommandSpec,
  flag,
  flagOf,
  textOf,
  UsageError,
  valued,
} from "../cli/spec.ts";

export const CHECKPOINT_SPEC: CommandSpec = {
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

export const run = command(CHECKPOINT_SPEC, answer);

async function answer(args: Arguments): Promise<CommandOutput> {
  const added = textOf(args, "add");
  const draft = flagOf(args, "draft");
  if (draft && added === "-") {
    throw new UsageError("Cannot run checkpoint: --draft only previews; use --add - when saving");
  }
  const notes = added === undefined ? undefined : readInput(added, "notes");
  const json = await checkpoint({ session: args.positionals[0], notes, draft });
  if (json.draft !== undefined) return { json, text: json.draft };
  const lines = [
    `Checkpoint ${json.id} saved${
      json.verified ? " and verified" : ", not verified"
    }: ${json.summary}`,
    json.path,
    ...(json.warning === undefined ? [] : [json.warning]),
    `Continue from it with: trimtab restore ${json.id}`,
  ];
  return { json, text: lines.join("\n") };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
