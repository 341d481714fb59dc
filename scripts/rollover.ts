import { handoff, rollover } from "../mod.ts";
import { findEpisodicMemory } from "../src/verbs/episodic_memory.ts";
import { MAIN_WORKER } from "../src/saved/lineage/sessions.ts";
import { command } from "../cli/command.ts";
import { readInput } from "../cli/input.ts";
import { flag, type OptionValues, UsageError, valued } from "../cli/spec.ts";

export const SPEC = {
  name: "rollover",
  positionals: "[SESSION]",
  options: [
    valued("summary-file", "text", "FILE", "the handoff, in a file"),
    valued("summary", "text", "TEXT", "the handoff as text, or - for stdin"),
    flag("auto", "generate the handoff from the transcript"),
    flag("template", "print a draft to fill in, change nothing"),
    valued("issue", "text", "REF", "the issue worked on, such as #42"),
    flag("keep", "keep the handoff available after a session claims it"),
    flag("for-headless", "also let a `claude -p` session claim the handoff"),
  ],
  notes: [
    "A handoff is Markdown with the headings `### Current Task`, `### Key Decisions`,",
    "`### Modified Files`, `### Immediate Next Steps` and `### Critical Context`.",
  ],
};

export const run = command(SPEC, async (options, session) => {
  const { template = false, issue, keep = false, forHeadless = false } = options;
  if (template) {
    const json = await handoff({ session });
    return { json, text: json.template };
  }
  const done = await rollover({ session, summary: summaryOf(options), issue, keep, forHeadless });
  const { parent_session_id: parent, episodic_memory: note, worker_id: worker } = done;
  const next = worker === MAIN_WORKER ? "the next session" : `#${done.session_number} of ${worker}`;
  const lines = [
    ...(done.is_automatic
      ? [
        `Session ${parent} is rolled over; ${next} continues from it.`,
        "Type /clear here, or start it from a shell:",
      ]
      : [`Session ${parent} is rolled over. To continue from it, start a session with:`]),
    `  ${done.start_command}`,
    ...(done.checkpoint === null ? [] : [`Checkpoint ${done.checkpoint} is saved.`]),
    ...(findEpisodicMemory() === null ? [] : [note]),
    ...(done.warning === undefined ? [] : [done.warning]),
  ];
  return { json: done, text: lines.join("\n") };
});

function summaryOf(
  { summaryFile, summary, auto = false }: OptionValues<typeof SPEC.options[number]>,
): string | undefined {
  const given = [summaryFile !== undefined, summary !== undefined, auto];
  if (given.filter(Boolean).length !== 1) {
    throw new UsageError(
      "Cannot run rollover: give one of --summary-file FILE, --summary - (stdin) or --auto",
    );
  }
  if (summaryFile !== undefined) return readInput(summaryFile, "summary");
  return summary === "-" ? readInput("-", "summary") : summary;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
