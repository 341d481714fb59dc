import { type SessionRow, sessions } from "../mod.ts";
import { SHORT_ID_CHARS } from "../src/core/marks.ts";
import { boundText } from "../src/inject/bound.ts";
import { cleanLine } from "../src/inject/clean.ts";
import { MAIN_WORKER } from "../src/saved/lineage/sessions.ts";
import { minuteOf } from "../src/report/words.ts";
import { command } from "../cli/command.ts";
import { printError } from "../cli/print.ts";
import { locateProject } from "../src/verbs/place.ts";

export const SPEC = { name: "sessions" };

const MAX_DEPTH = 50;

const MAX_WORKER_CHARS = 100;

const MAX_SUMMARY_CHARS = 60;

export const run = command(SPEC, async () => {
  const { sessions: all, problem } = await sessions();
  if (problem !== undefined) printError(`The lineage is damaged. ${problem}`);
  const text = all.length === 0
    ? `${locateProject().projectDir} has no recorded sessions. The first trim or rollover records one.`
    : [...treeOf(all), "Times are in UTC."].join("\n");
  return { json: { sessions: all }, text };
});

function treeOf(all: readonly SessionRow[]): string[] {
  const children = Map.groupBy(all, ({ parent_session_id: parent }) => parent);
  const known = new Set(all.map(({ session_id: id }) => id));
  const shown = new Set<SessionRow>();
  const lines: string[] = [];
  const show = (session: SessionRow, depth: number): void => {
    if (shown.has(session)) return;
    shown.add(session);
    lines.push(`${"  ".repeat(Math.min(depth, MAX_DEPTH))}${describe(session)}`);
    if (session.session_id === null) return;
    for (const child of children.get(session.session_id) ?? []) show(child, depth + 1);
  };
  for (const session of all) {
    const { parent_session_id: parent } = session;
    if (parent === null || !known.has(parent)) show(session, 0);
  }
  // Sessions whose parents form a loop have no root.
  for (const session of all) show(session, 0);
  return lines;
}

function describe(session: SessionRow): string {
  const { worker_id, session_number, session_id, started_at, end_reason } = session;
  const { ended_at, context_at_end, summary, trims_in_place: trimCount } = session;
  const usage = context_at_end === null ? "" : ` at ${context_at_end}%`;
  const end = ended_at === null
    ? session_id === null ? "not claimed yet" : "open"
    : `${end_reason} ${minuteOf(ended_at)}${usage}`;
  // The row may come from a cloned project, so its text is cleaned and bounded.
  const plain = (text: string, chars: number): string => boundText(cleanLine(text), chars);
  const plainSummary = cleanLine((summary ?? "").replaceAll(/^#+.*$/gm, ""));
  const shown = plainSummary.length > MAX_SUMMARY_CHARS
    ? `${plain(plainSummary, MAX_SUMMARY_CHARS)}…`
    : plainSummary;
  const id = session_id === null ? "-" : plain(session_id, SHORT_ID_CHARS);
  // The tree already shows the order of the main worker's sessions.
  const worker = worker_id === MAIN_WORKER
    ? ""
    : `${plain(worker_id, MAX_WORKER_CHARS)} #${session_number}  `;
  const times = trimCount === 1 ? "" : ` ${trimCount} times`;
  const trimmed = trimCount === 0 ? "" : `, trimmed in place${times}`;
  return `${worker}${id.padEnd(SHORT_ID_CHARS)}  ${minuteOf(started_at)}  ${end}${trimmed}` +
    (shown === "" ? "" : `  ${shown}`);
}

if (import.meta.main) Deno.exit(await run(Deno.args));
