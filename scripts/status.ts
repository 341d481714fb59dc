/** `trimtab status`: how full a session's window is, and what to do about it. */

import { grouped } from "../src/inject/bound.ts";
import type { ContextConfig } from "../src/config/schema.ts";
import { recommend } from "../src/pressure/advice.ts";
import { contextPercent, roundingOf } from "../src/pressure/judge.ts";
import type { ContextEstimate, ContextMetric } from "../src/pressure/heuristics.ts";
import type { WarningLevel } from "../src/pressure/ladder.ts";
import {
  type AnyPressure,
  pressureOrEstimate,
  recommendationOf,
} from "../src/pressure/any_pressure.ts";
import { isUsed, readEnv } from "../src/store/paths.ts";
import { type FreedRecord, readSessionState, type SessionState } from "../src/store/state.ts";
import { freedOf } from "../cli/freed.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { loadCommandConfig, waitingLines } from "../cli/config.ts";
import type { CutOff } from "../src/transcript/tree/conversation.ts";
import { locateProject, locateSession, type SessionPlace } from "../cli/project.ts";
import { type Arguments, countOf, flagOf, STATUS_SPEC, UsageError } from "../cli/spec.ts";
import { openFileSync } from "../src/store/read_file.ts";

/** From these levels on a trim is worth working out. */
const RAISED = new Set<WarningLevel | null>(["warn", "recommend", "urgent"]);

/** How the tokens came to be known, in words. */
const SOURCE_WORDS: Readonly<Record<string, string>> = {
  api: "reported by the API",
  metadata: "from a metadata line",
  inside: "reported by trimtab inside the client",
  statusline: "reported by the status line",
  estimate: "an estimate from what was counted in the transcript",
  none: "not known yet",
};

/** How the window came to be known, in words. */
const WINDOW_WORDS: Readonly<Record<string, string>> = {
  config: "configured",
  environment: "from the environment",
  statusline: "reported by the client",
  metadata: "from a metadata line",
  model: "default for the model",
  newest: "default of the newest known model, for a newer one",
  default: "assumed",
  inferred: "inferred from a usage above the default",
};

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  compaction: "where the client compacts automatically",
  seen: "where it last compacted this session",
  answer: "which reserves space for an answer",
  window: "the whole window",
};

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(STATUS_SPEC, argv, status);
}

async function status(args: Arguments): Promise<CommandOutput> {
  if (args.values.has("width") && !flagOf(args, "chart")) {
    throw new UsageError("Cannot run status: --width is that of the chart, and needs --chart");
  }
  if (flagOf(args, "config") && flagOf(args, "chart")) {
    throw new UsageError("Cannot run status: --config and --chart cannot be used together");
  }
  if (flagOf(args, "config")) return await showConfig(args);
  const place = locateSession(args.positionals[0]);
  const { context: config, inside, waiting } = await loadCommandConfig(place);
  const { session, projectDir, configDir } = place;
  const owner = { projectDir, configDir, sessionId: session.id };
  const state = readSessionState(owner);
  const pressure = await pressureOrEstimate({ transcript: session.path, owner, config });
  const worth = RAISED.has(pressure.level)
    ? await worthOfTrim(place, pressure, { config, state })
    : null;
  const cutOff = await findCutOff(place);
  // A context of which half is lost is not healthy, whatever the figure says.
  const lost = cutOff === null ? null : await cutOffText(session.id, cutOff);
  const recommendation = lost !== null && !RAISED.has(pressure.level)
    ? lost
    : recommendationOf(pressure, worth?.freed, {
      // The module tells its figures where it runs, and trims before a compaction there.
      isTrimFirst: pressure.source === "inside" && inside.before_compaction !== "save",
    });
  const json = {
    session_id: session.id,
    transcript: session.path,
    tokens: pressure.tokens,
    window: pressure.window,
    percent: pressure.percent,
    source: pressure.source,
    level: pressure.level,
    recommendation,
    last_checkpoint: state.last_checkpoint ?? null,
    limit: pressure.limit,
    limit_kind: pressure.limitKind,
    left: pressure.left,
    window_source: pressure.windowSource,
    model: pressure.model,
    is_compacted: pressure.isCompacted,
    trim: worth?.json ?? null,
    is_cut_off: cutOff !== null,
    is_start_missing: cutOff === "absent",
    ...(pressure.estimate === undefined ? {} : { estimate: pressure.estimate }),
  };
  const described = describe(place, pressure, recommendation, state, worth?.text);
  const text = [
    described,
    ...(lost === null || lost === recommendation ? [] : [lost]),
    ...waitingLines(waiting),
  ].join("\n");
  if (!flagOf(args, "chart")) return { json, text };
  const { chart, text: drawn } = await drawChart(args, place, pressure.limit, config);
  return { json: { ...json, chart }, text, drawing: drawn };
}

/** What a trim is worth: from the record where that is fresh, else by dry runs that are recorded. */
async function worthOfTrim(
  place: SessionPlace,
  pressure: AnyPressure,
  known: { config: ContextConfig; state: SessionState },
): Promise<{ json: unknown; text: string; freed: FreedRecord } | null> {
  const { session: { id: sessionId, path: transcript }, projectDir } = place;
  const owner = { projectDir, sessionId };
  const record = await freedOf({ owner, transcript, tokens: pressure.tokens ?? 0, ...known });
  if (record === undefined) return null;
  const before = pressure.tokens ?? record.at_tokens;
  const after = Math.max(0, before - record.light);
  const rounding = roundingOf(pressure.source);
  const percent = contextPercent(after, pressure.limit, rounding);
  const { describeWorth, trimWorth } = await import("../src/trim/worth.ts");
  const worth = trimWorth({
    tokens: { before, after },
    model: pressure.model ?? undefined,
    newestAt: newestAt(place.session.path, record),
    cacheTtlSeconds: record.cache_ttl_seconds ?? undefined,
    now: new Date(),
  });
  const { at_tokens, light, deep, rollover, in_use: inUse } = record;
  const words = [
    `A trim would bring it to ${percent}%, ${grouped(after)} tokens. ${describeWorth(worth)}`,
    inUse === undefined ? "" : (await import("../src/trim/report_text.ts")).inUseWords(inUse),
  ];
  return {
    json: {
      tokens_after: after,
      percent_after: percent,
      worth,
      freed: { at_tokens, light, deep, rollover },
      in_use: inUse ?? null,
    },
    text: recommend(record).remedy === "light" ? words.filter(Boolean).join("\n") : "",
    freed: record,
  };
}

/** When the newest answer was written; of a file that has grown since, when that was. */
function newestAt(path: string, record: FreedRecord): string | undefined {
  const { size, mtime } = Deno.statSync(path);
  if (size !== record.bytes && mtime !== null) return mtime.toISOString();
  return record.newest_at ?? undefined;
}

/** A larger file is read no further than its newest usage, in bytes. */
const MAX_WALKED_BYTES = 64 * 1024 * 1024;

/** A session that was whole is looked through again only when it has grown by this, in percent. */
const GROWN_PERCENT = 10;

/** Whether a link is lost; as far as that was looked at before, it is not looked at again. */
async function findCutOff({ session, projectDir }: SessionPlace): Promise<CutOff | null> {
  const owner = { projectDir, sessionId: session.id };
  using file = openFileSync(session.path);
  const { size } = file.statSync();
  const { whole_at: whole = Infinity } = readSessionState(owner);
  const isKnown = size >= whole && (size - whole) * 100 <= GROWN_PERCENT * whole;
  if (size > MAX_WALKED_BYTES || isKnown) return null;
  const { findActiveContext } = await import("../src/transcript/tree/active_context.ts");
  const { cutOff } = findActiveContext(file, size);
  if (cutOff !== null || !isUsed(projectDir)) return cutOff;
  const { noteState } = await import("../src/store/state_update.ts");
  noteState(owner, { whole_at: size });
  return null;
}

async function cutOffText(sessionId: string, cutOff: CutOff): Promise<string> {
  const { cutOffWords } = await import("../src/trim/report_text.ts");
  return cutOffWords(sessionId, cutOff === "absent");
}

/** Width of a chart where the terminal's is unknown, in characters. */
const CHART_WIDTH = 80;

async function drawChart(
  args: Arguments,
  place: SessionPlace,
  limit: number,
  config: ContextConfig,
): Promise<{ chart: unknown; text: string }> {
  const { blockChart } = await import("../src/report/block_chart.ts");
  const { readHistory } = await import("../src/report/session_report.ts");
  const { session, projectDir } = place;
  const history = readHistory(session.path, { projectDir, hasWork: false });
  const { requests, marks } = history;
  const text = blockChart(history, {
    limit,
    width: countOf(args, "width") ?? terminalWidth(),
    levels: config,
    hasColor: !Deno.noColor && Deno.stdout.isTerminal(),
  });
  const points = requests.map(({ number, time, tokens }) => ({ number, time, tokens }));
  return { chart: { requests: points, marks }, text };
}

function terminalWidth(): number {
  const columns = Number(readEnv("COLUMNS"));
  if (Number.isInteger(columns) && columns > 0) return columns;
  try {
    return Deno.stdout.isTerminal() ? Deno.consoleSize().columns : CHART_WIDTH;
  } catch {
    return CHART_WIDTH;
  }
}

function describe(
  place: SessionPlace,
  pressure: AnyPressure,
  recommendation: string,
  state: SessionState,
  worth: string | undefined,
): string {
  const { tokens, window, limit, percent, level } = pressure;
  const usage = tokens === null || percent === null
    ? `unknown of ${grouped(limit)} tokens`
    : `${bar(percent)} ${percent}%  ${grouped(tokens)} of ${grouped(limit)} tokens (${level})`;
  const lines = [
    `Session ${place.session.id}${pressure.model === null ? "" : `, ${pressure.model}`}`,
    usage,
    `Usage: ${SOURCE_WORDS[pressure.source]}; ` +
    `window: ${grouped(window)} tokens, ${WINDOW_WORDS[pressure.windowSource]}`,
    `Limit: ${grouped(limit)} tokens, ${LIMIT_WORDS[pressure.limitKind]}`,
  ];
  if (pressure.estimate !== undefined) lines.push(describeEstimate(pressure.estimate));
  if (pressure.isCompacted) lines.push("It was compacted after the latest answer.");
  if (state.last_checkpoint !== undefined) {
    lines.push(`Last checkpoint: ${state.last_checkpoint.id}`);
  }
  lines.push(recommendation);
  if (worth !== undefined && worth !== "") lines.push(worth);
  return lines.join("\n");
}

/** What was counted, in words; the time has no weight. */
const METRIC_WORDS: Readonly<Record<ContextMetric, string>> = {
  message_count: "messages",
  file_reads: "file reads",
  file_edits: "edits",
  tool_calls: "other tool calls",
  subagent_spawns: "subagents",
  elapsed_seconds: "seconds",
};

function describeEstimate(estimate: ContextEstimate): string {
  const counted = estimate.parts.map(({ metric, amount }) =>
    `${grouped(amount)} ${METRIC_WORDS[metric]}`
  );
  return `Counted: ${counted.join(", ")}`;
}

const BAR_CHARS = 24;

function bar(percent: number): string {
  const filled = Math.min(BAR_CHARS, Math.round((percent * BAR_CHARS) / 100));
  return "█".repeat(filled) + "░".repeat(BAR_CHARS - filled);
}

async function showConfig(args: Arguments): Promise<CommandOutput> {
  const { refreshContextConfig } = await import("../src/config/refresh.ts");
  const { CONFIG_TABLES } = await import("../src/config/schema.ts");
  const named = args.positionals[0];
  const place = named === undefined ? locateProject() : locateSession(named);
  const { configDir, projectDir } = place;
  const { context, live, inside, sources, hooksSeeIt, waiting } = refreshContextConfig({
    configDir,
    projectDir,
  });
  const tables = { context, live, inside };
  const lines: string[] = [];
  for (const [table, values] of Object.entries(tables)) {
    lines.push(`[${table}]`);
    const from: Record<string, { from: string }> = {
      ...sources[CONFIG_TABLES.find((one) => one === table) ?? "context"],
    };
    const rows = Object.entries(values).map(([key, value]) =>
      [
        `${key} = ${
          value === null
            ? (key === "window_tokens" ? "(detected)" : "(unset)")
            : JSON.stringify(value)
        }`,
        from[key]?.from,
      ] as const
    );
    const width = Math.max(...rows.map(([left]) => left.length));
    lines.push(...rows.map(([left, right]) => `${left.padEnd(width)}  # ${right}`), "");
  }
  lines.push(...waitingLines(waiting));
  if (!hooksSeeIt) lines.push("Hooks cannot use this: the project's folder is not writable.");
  return {
    json: { ...tables, sources, hooks_see_it: hooksSeeIt, waiting },
    text: lines.join("\n").trimEnd(),
  };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
