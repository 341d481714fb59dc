import { status, type StatusChart, type StatusResult } from "../mod.ts";
import { bar } from "../src/gauge/status_line.ts";
import { grouped } from "../src/inject/bound.ts";
import { readEnv } from "../src/store/paths.ts";
import { command, type CommandOutput } from "../cli/command.ts";
import { retiredText, waitingLines } from "../src/verbs/config.ts";
import { locateProject, locateSession } from "../src/verbs/place.ts";
import { flag } from "../cli/spec.ts";

const BAR_CHARS = 24;

export const SPEC = {
  name: "status",
  positionals: "[SESSION]",
  options: [
    flag("config", "print each configured value and its source"),
    flag("chart", "draw the window over time"),
  ],
  exclusive: [["config", "chart"]],
};

const SOURCE_TEXTS: Readonly<Record<string, string>> = {
  api: "reported by the API",
  metadata: "from a metadata line",
  trim: "estimated by the trim that made this copy",
  inside: "from trimtab inside the client",
  statusline: "reported by the status line",
  estimate: "estimated from the messages, without the client's prompt and tools",
};

const WINDOW_TEXTS: Readonly<Record<string, string>> = {
  config: "configured",
  environment: "from the environment",
  statusline: "reported by the client",
  metadata: "from a metadata line",
  model: "default for the model",
  newest: "default of the newest known model, because this model is newer",
  default: "assumed",
  inferred: "inferred from usage above the default",
};

const LIMIT_TEXTS: Readonly<Record<string, string>> = {
  compaction: "where the client compacts automatically",
  seen: "derived from the client's last automatic compaction of this session",
  answer: "which reserves space for an answer",
  window: "the whole window",
};

export const run = command(SPEC, async ({ config = false, chart = false }, session) => {
  if (config) return await showConfig(session);
  const json = await status({ session, chart });
  const drawing = json.chart === undefined ? undefined : await draw(json.chart, json.limit);
  return { json, text: await describe(json), ...(drawing === undefined ? {} : { drawing }) };
});

/** In columns; used if the width of the terminal is unknown. */
const CHART_WIDTH = 80;

async function draw(chart: StatusChart, limit: number): Promise<string> {
  const { blockChart } = await import("../src/report/block_chart.ts");
  return blockChart(chart, {
    limit,
    width: terminalWidth(),
    levels: chart.levels,
    hasColor: !Deno.noColor && Deno.stdout.isTerminal(),
  });
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

async function describe(result: StatusResult): Promise<string> {
  const { tokens, window, limit, percent, level, recommendation } = result;
  const used = `${grouped(tokens)} of ${grouped(limit)}`;
  const lines = [
    `Session ${result.session_id}${result.model === null ? "" : `, ${result.model}`}`,
    `${bar(percent, BAR_CHARS)} ${percent}%  ${used} tokens (${level})`,
    `Usage: ${SOURCE_TEXTS[result.source]}; ` +
    `window: ${grouped(window)} tokens, ${WINDOW_TEXTS[result.window_source]}`,
    `Limit: ${grouped(limit)} tokens, ${LIMIT_TEXTS[result.limit_kind]}`,
  ];
  if (result.is_compacted) lines.push("The session was compacted after the latest answer.");
  if (result.last_checkpoint) lines.push(`Last checkpoint: ${result.last_checkpoint.id}`);
  return [
    ...lines,
    recommendation,
    ...await describeTrim(result),
    ...await describeSince(result),
    ...waitingLines(result.waiting ?? []),
  ].join("\n");
}

async function describeTrim({ trim }: StatusResult): Promise<string[]> {
  if (trim?.remedy !== "light" && trim?.remedy !== "none") return [];
  const { describeWorth } = await import("../src/trim/worth.ts");
  const { inUseText } = await import("../src/trim/trim_words.ts");
  return [
    `A trim would reduce usage to ${trim.percent_after}%, ${grouped(trim.tokens_after)} tokens. ` +
    describeWorth(trim.worth),
    trim.in_use ? inUseText(trim.in_use) : "",
  ].filter((line) => line !== "");
}

async function describeSince({ since_trim: since }: StatusResult): Promise<string[]> {
  if (since === null || since.requests === 0) return [];
  const { sinceTrimText } = await import("../src/trim/trim_words.ts");
  const counts = { ...since, failedEdits: since.failed_edits };
  return [`Since the trim: ${sinceTrimText(counts, since.tokens_not_sent / since.requests)}`];
}

async function showConfig(session: string | undefined): Promise<CommandOutput> {
  const { loadContextConfig } = await import("../src/config/load.ts");
  const { CONFIG_TABLES } = await import("../src/config/schema.ts");
  const place = session === undefined ? locateProject() : locateSession({ session });
  const { configDir, projectDir } = place;
  const config = loadContextConfig({ configDir, projectDir });
  const { context, live, inside, sources, waiting, retired } = config;
  const tables = { context, live, inside };
  const lines: string[] = [];
  for (const table of CONFIG_TABLES) {
    const from: Record<string, { from: string }> = { ...sources[table] };
    const rows = Object.entries(tables[table]).map(([key, value]) => {
      const unset = key === "window_tokens" ? "(detected)" : "(unset)";
      const shown = value === null ? unset : JSON.stringify(value);
      return [`${key} = ${shown}`, from[key]?.from] as const;
    });
    const width = Math.max(...rows.map(([left]) => left.length));
    lines.push(`[${table}]`);
    lines.push(...rows.map(([left, right]) => `${left.padEnd(width)}  # ${right}`), "");
  }
  lines.push(...waitingLines(waiting));
  lines.push(...retired.map(retiredText));
  return { json: { ...tables, sources, waiting, retired }, text: lines.join("\n").trimEnd() };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
