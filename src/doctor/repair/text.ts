import { counted } from "../../inject/bound.ts";
import type { RescueAction } from "./finding.ts";
import type { RescueResult } from "./rescue.ts";

const MAX_SHOWN = 40;

const ACTION_TEXTS: Readonly<Record<RescueAction, string>> = {
  left_out: "left out",
  replaced: "replaced",
  split: "split",
  reparented: "linked to the previous message",
  made_root: "made the start of the conversation",
};

const START_MISSING =
  "The start of the conversation is not in the file; Claude Code may refuse to " +
  "resume it. `trimtab rollover` hands its work over to a new session.";

export function describeRescue(result: RescueResult): string {
  const { findings, counts, session_id: id } = result;
  const start = result.starts_with_answer ? [START_MISSING] : [];
  if (id === null) {
    return ["There is nothing to repair, so no copy was written.", ...start].join(" ");
  }
  const lines = findings.slice(0, MAX_SHOWN).map(({ line, what, action }) =>
    `line ${line}: ${what}: ${ACTION_TEXTS[action]}`
  );
  const found = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (found > lines.length) {
    lines.push(`... and ${found - lines.length} more; --json lists up to 200`);
  }
  lines.push(`Found: ${counted(found, "defect")}`, ...start);
  if (result.dry_run) {
    lines.push("This was a dry run. Without --dry-run, a repaired copy is written.");
  } else {
    lines.push(
      ...result.owned.notes,
      `Wrote a repaired copy; the session itself is unchanged.`,
      `Resume here with: /resume ${id}`,
      `Resume with: ${result.resume_command}`,
    );
  }
  return lines.join("\n");
}
