/** `trimtab rollover`: ends a session and leaves a handoff for the next one. */

import { handoff, rollover, type RolloverResult } from "../mod.ts";
import { findEpisodicMemory } from "../src/verbs/episodic_memory.ts";
import { MAIN_WORKER } from "../src/saved/lineage/sessions.ts";
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

export const ROLLOVER_SPEC: CommandSpec = {
  name: "rollover",
  positionals: "[SESSION]",
  options: [
    valued("summary-file", "text", "FILE", "the handoff, in a file"),
    valued("summary", "text", "TEXT", "the handoff as text, or - for stdin"),
    flag("auto", "generate the handoff from the transcript"),
    flag("template", "print a draft to fill in, change nothing"),
    valued("issue", "text", "REF", "the issue worked on, such as #42"),
    flag("keep", "keep the handoff for others after a session takes it"),
    flag("for-headless", "let `claude -p` take it as well"),
  ],
  notes: [
    "A handoff is Markdown with the headings `### Current Task`, `### Key Decisions`,",
    "`### Modified Files`, `### Immediate Next Steps` and `### Critical Context`.",
  ],
};

export const run = command(ROLLOVER_SPEC, answer);

async function answer(args: Arguments): Promise<CommandOutput> {
  const [session] = args.positionals;
  if (flagOf(args, "template")) {
    const json = await handoff({ session });
    return { json, text: json.template };
  }
  const done = await rollover({
    session,
    summary: summaryOf(args),
    issue: textOf(args, "issue"),
    keep: flagOf(args, "keep"),
    forHeadless: flagOf(args, "for-headless"),
  });
  const { parent_session_id: parent, episodic_memory: note } = done;
  const lines = [
    ...(done.is_automatic
      ? [
        `Session ${parent} is rolled over; ${nextOf(done)} continues from it.`,
        "Type /clear here, or start it from a shell:",
      ]
      : [`Session ${parent} is rolled over. To continue from it, start a session with:`]),
    `  ${done.start_command}`,
    ...(done.checkpoint === null ? [] : [`Checkpoint ${done.checkpoint} is saved.`]),
    // Does not mention episodic-memory if it is not installed.
    ...(findEpisodicMemory() === null ? [] : [note]),
    ...(done.warning === undefined ? [] : [done.warning]),
  ];
  return { json: done, text: lines.join("\n") };
}

/** Names the next session; includes its worker unless that is the main worker. */
function nextOf({ session_number, worker_id }: RolloverResult): string {
  return worker_id === MAIN_WORKER ? "the next session" : `#${session_number} of ${worker_id}`;
}

/** Returns undefined if the handoff is to be generated. */
function summaryOf(args: Arguments): string | undefined {
  const file = textOf(args, "summary-file");
  const text = textOf(args, "summary");
  const given = [file !== undefined, text !== undefined, flagOf(args, "auto")];
  if (given.filter(Boolean).length !== 1) {
    throw new UsageError(
      "Cannot run rollover: give one of --summary-file FILE, --summary - (stdin) and --auto",
    );
  }
  if (file !== undefined) return readInput(file, "summary");
  if (text === "-") return readInput("-", "summary");
  return text;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
