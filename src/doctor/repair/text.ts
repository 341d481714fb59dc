import type { RescueResult } from "./rescue.ts";
import type { RescueAction } from "./finding.ts";

const MAX_SHOWN = 40;

const DONE: Readonly<Record<RescueAction, string>> = {
  left_out: "left out",
  replaced: "repaired",
  split: "split",
  reparented: "reparented to the previous message",
  renamed: "given an id of its own",
  kept: "kept",
};

export function describeRescue(result: RescueResult): string {
  const { findings, totals, session_id: id } = result;
  const lines = findings.slice(0, MAX_SHOWN).map(({ line, what, action }) =>
    `line ${line}: ${what}: ${DONE[action]}`
  );
  if (totals.found > lines.length) {
    lines.push(`... and ${totals.found - lines.length} more; --json lists up to 200`);
  }
  if (totals.found > 0) lines.push(`Found: ${kinds(result)}`);
  if (id === null) {
    lines.push("The session resumes as it is, so no copy was written.");
  } else if (result.dry_run) {
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

function kinds({ counts }: RescueResult): string {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([kind, count]) => `${kind.replaceAll("_", " ")} ${count}`)
    .join(", ");
}
