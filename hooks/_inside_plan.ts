import type { ContextConfig } from "../src/config/schema.ts";
import { cleanLine } from "../src/inject/clean.ts";
import type { Client, Row } from "../src/inside/client.ts";
import { fillForTrim } from "../src/inside/fill.ts";
import { readMedia } from "../src/inside/media.ts";
import { readReminders } from "../src/inside/reminders.ts";
import { layOutRows } from "../src/inside/rows.ts";
import { liveFinder, readSessionLines } from "../src/inside/session_lines.ts";
import { type InsideSettings, readSettings } from "../src/inside/settings.ts";
import {
  type InsideOptions,
  type InsideTrim,
  type RunningSession,
  trimToTarget,
} from "../src/inside/trim.ts";
import { type Arguments, listOf, TRIM_SPEC, UsageError } from "../cli/spec.ts";
import { refuseMixed, trimChoices } from "../cli/trim.ts";
import { resolveTrim, withConfig } from "../src/trim/trim_options.ts";
import { parseArguments, splitArguments } from "../cli/typed.ts";

/** The client returns at most this many rows. */
const MAX_ROWS = 4096;

export function argumentsOf(typed: string): Arguments {
  const args = parseArguments(TRIM_SPEC, splitArguments(typed));
  refuseMixed(args);
  return args;
}

export async function settingsOf(client: Client): Promise<InsideSettings> {
  const { transcriptPath } = await client.session.info();
  return await readSettings(client, await client.session.root(), transcriptPath);
}

export async function reportedSettings(client: Client): Promise<InsideSettings> {
  const settings = await settingsOf(client);
  if (settings.problem !== undefined) client.ui.log(settings.problem);
  return settings;
}

export function planOf(
  session: RunningSession,
  args: Arguments,
  config: ContextConfig,
): InsideTrim {
  const request = withConfig(trimChoices(args), config);
  const { targetPercent } = request;
  const [first, ...others] = resolveTrim(request);
  const common = { targetPercent, ...namedEntries(args) };
  return trimToTarget(session, [
    { ...first, ...common },
    ...others.map((settings) => ({ ...settings, ...common })),
  ]);
}

/** Reports the first named line in which nothing was cut, or returns `undefined`. */
export function uncutText(
  session: RunningSession,
  plan: InsideTrim,
  args: Arguments,
): string | undefined {
  const named = namedEntries(args).entries ?? [];
  const known = new Set<number | undefined>();
  const cut = new Set<number | undefined>();
  for (const { toolUses, toolResults = [] } of session.rows) {
    for (const { tool_use_id: id } of toolUses) {
      known.add(plan.lineOf(id, "call"));
      if (plan.cuts.inputs.has(id)) cut.add(plan.lineOf(id, "call"));
    }
    for (const { tool_use_id: id } of toolResults) {
      known.add(plan.lineOf(id, "result"));
      if (plan.cuts.results.has(id)) cut.add(plan.lineOf(id, "result"));
    }
  }
  for (const line of named) {
    if (cut.has(line)) continue;
    const why = known.has(line)
      ? "is too short to cut, or was cut already"
      : "has no tool output or input of this conversation";
    return `Nothing was cut: line ${line} ${why}. /trim --entries lists the largest entries`;
  }
  return undefined;
}

/** A fork has no file before its first message, and a client can be told to save none. */
export const NO_TRANSCRIPT = "this session has no transcript yet, so send a message first. " +
  "A session that the client does not save cannot be trimmed";

/**
 * Reads the data that a plan needs about the running session.
 *
 * @throws {Error} When there is no transcript, or the client may not have returned all messages.
 */
export async function sessionOf(
  client: Client,
  rows: readonly Readonly<Row>[],
  { isMidTurn = false }: { isMidTurn?: boolean } = {},
): Promise<RunningSession> {
  const [id, { transcriptPath }] = await Promise.all([client.session.id(), client.session.info()]);
  if (!await client.fs.exists(transcriptPath)) throw new Error(NO_TRANSCRIPT);
  const [model, lines, messages, fill] = await Promise.all([
    client.session.model(),
    readSessionLines(client, transcriptPath, rows),
    client.session.messages({ as: "api" }),
    fillForTrim(client, id),
  ]);
  if (messages.length >= MAX_ROWS) {
    throw new Error(
      `the conversation has over ${MAX_ROWS} messages, which is the most that the client returns`,
    );
  }
  const reminders = readReminders(lines.active, { isMidTurn, boundaries: lines.boundaries });
  const isLive = liveFinder(rows, lines.parents);
  const media = readMedia(messages, lines, { id, model, isLive });
  const live = layOutRows({ rows, messages }, reminders, media);
  return { id, model, lines, messages, fill, media, rows: live };
}

function namedEntries(args: Arguments): Partial<InsideOptions> {
  const named = listOf(args, "entry");
  if (named === undefined) return {};
  const entries = new Set(named.flatMap((list) => list.split(",")).map(Number));
  if (![...entries].every((line) => Number.isSafeInteger(line) && line > 0)) {
    throw new UsageError("Cannot run trim: --entry takes a line that /trim --entries lists");
  }
  return { entries, keep: "head", isTarget: () => true, cutsInputs: true };
}

/** Returns the rows that a compaction would receive. */
export async function currentRows(client: Client): Promise<readonly Row[]> {
  return await client.session.messages({ last: MAX_ROWS });
}

export function reasonOf(error: unknown): string {
  return cleanLine(error instanceof Error ? error.message : String(error));
}

export function logFailure(client: Client, error: unknown): void {
  client.ui.log(`trimtab: ${reasonOf(error)}`, { to: "debug" });
}
