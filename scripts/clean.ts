import { counted, sizeInKb } from "../src/inject/bound.ts";
import { clean, type CleanResult } from "../src/doctor/clean/plan.ts";
import { command } from "../cli/command.ts";
import { readConfig } from "../src/config/read_config.ts";
import { locateProject } from "../src/verbs/place.ts";
import { flag } from "../cli/spec.ts";

export const SPEC = {
  name: "clean",
  options: [
    flag("apply", "delete them"),
    flag("all", "include everything that trimtab stored in the project, however old"),
  ],
  notes: [
    "It deletes after retention_days (7): checkpoints and snapshots except the newest of each",
    "session, handoffs, reports, shaped outputs, older logs, states of deleted sessions. It deletes",
    "temporary files after an hour, and transcripts that `trimtab keep` kept after kept_days (365). It",
    "never deletes other transcripts, trimmed copies or files that are not trimtab's. --all does not",
    "change settings: trimtab install --uninstall removes the hooks.",
  ],
};

const MAX_SHOWN = 50;

export const run = command(SPEC, async ({ apply = false, all = false }) => {
  const place = locateProject();
  // --all does not read the configuration, so that it works even if a file is invalid.
  const { retention_days: retentionDays, kept_days: keptDays } = all
    ? { retention_days: 0, kept_days: Infinity }
    : (await readConfig(place)).context;
  const result = clean({ ...place, retentionDays, keptDays, nowMs: Date.now(), all, apply });
  return { json: result, text: describe(result) };
});

function describe(result: CleanResult): string {
  const { project, applied, items, count, index_rows: rows, others } = result;
  if (count === 0) return `${project} has nothing to clean up.${othersText(others)}`;
  const total = `${counted(count, "file")}, ${sizeInKb(...items.map((item) => item.bytes))}`;
  const index = rows === 0 ? "" : `, and ${counted(rows, "row")} of the index of checkpoints`;
  const below = (path: string): string =>
    path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
  const shown = items.slice(0, MAX_SHOWN).map((item) =>
    `  ${below(item.path)}  ${sizeInKb(item.bytes)}  ${item.reason}`
  );
  if (count > MAX_SHOWN) shown.push(`  and ${count - MAX_SHOWN} more`);
  const lines = applied
    ? [`Deleted in ${project}: ${total}${index}.`, ...shown]
    : [`${project} can be cleaned up:`, ...shown, `Total: ${total}${index}. Delete with --apply.`];
  return lines.join("\n") + othersText(others);
}

function othersText(others: readonly string[]): string {
  if (others.length === 0) return "";
  const shown = others.length > 5 ? [...others.slice(0, 5), "..."] : others;
  return `\nNot trimtab's, so not deleted: ${shown.join(", ")}`;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
