import { list } from "../mod.ts";
import { counted } from "../src/inject/bound.ts";
import { cleanLine } from "../src/inject/clean.ts";
import { minuteOf } from "../src/report/words.ts";
import { EMPTY_SUMMARY } from "../src/saved/restore_point.ts";
import { FOREIGN_LABEL } from "../src/store/own_marks.ts";
import { command } from "../cli/command.ts";
import { locateProject } from "../src/verbs/place.ts";

export const SPEC = {
  name: "list",
  notes: ["The newest save is first; empty, unreadable and claimed saves are last."],
};

export const run = command(SPEC, async () => {
  const json = await list();
  const { snapshots, checkpoints, handoffs, total_size } = json;
  const mark = (isMarkedAsOwn: boolean): string => isMarkedAsOwn ? "" : `  (${FOREIGN_LABEL})`;
  const rows = [
    ...checkpoints.map(({ id, created, summary, is_ours }) => ({
      time: Date.parse(created),
      isLast: summary === EMPTY_SUMMARY,
      text: `checkpoint  ${id}  ${minuteOf(cleanLine(created))}  ${cleanLine(summary)}` +
        mark(is_ours),
    })),
    ...snapshots.map(({ id, timestamp, name, problem, is_ours }) => ({
      time: Date.parse(timestamp ?? ""),
      isLast: problem !== null,
      text: problem === null
        ? `snapshot    ${id}  ${minuteOf(timestamp)}  ${cleanLine(name ?? "")}`.trimEnd() +
          mark(is_ours)
        : `snapshot    ${id}  cannot be read: ${problem}`,
    })),
    ...handoffs.map(({ id, created, title, status, is_ours }) => ({
      time: Date.parse(created),
      isLast: status !== "waiting",
      text: `handoff     ${cleanLine(id)}  ${minuteOf(cleanLine(created))}  ${cleanLine(title)}` +
        mark(is_ours),
    })),
  ].sort((a, b) => Number(a.isLast) - Number(b.isLast) || (b.time || 0) - (a.time || 0));
  const text = rows.length === 0
    ? `${locateProject().projectDir} has no saves. Save one with trimtab checkpoint.`
    : [
      ...rows.map((row) => row.text),
      `${counted(rows.length, "save")}; checkpoints and snapshots take ${total_size}; ` +
      "times are in UTC. Restore one with: trimtab restore ID",
    ].join("\n");
  return { json, text };
});

if (import.meta.main) Deno.exit(await run(Deno.args));
