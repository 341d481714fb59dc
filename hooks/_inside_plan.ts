import type { ContextConfig } from "../src/config/schema.ts";
import type { Client, CompactAnswer, Rows } from "../src/inside/client.ts";
import { fillForTrim } from "../src/inside/fill.ts";
import { countLosses, readMedia } from "../src/inside/media.ts";
import { readReminders } from "../src/inside/reminders.ts";
import { callsIn, layOutRows, MAX_ROWS, resultsIn } from "../src/inside/rows.ts";
import { readSessionLines } from "../src/inside/session_lines.ts";
import {
  type InsideOptions,
  type InsideTrim,
  type RunningSession,
  trimInside,
} from "../src/inside/trim.ts";
import { copyReason } from "../src/inside/words.ts";
import { TRIM_SPEC, type TrimArguments, UsageError } from "../cli/spec.ts";
import { refuseConflicts, trimChoices } from "../cli/trim.ts";
import { planToTarget, resolveTrim, withConfig } from "../src/trim/trim_options.ts";
import { parseArguments, splitArguments } from "../cli/parse.ts";

export function argumentsOf(typed: string): TrimArguments {
  const args = parseArguments(TRIM_SPEC, splitArguments(typed));
  refuseConflicts(args.options);
  return args;
}

export async function isInTerminal(client: Client): Promise<boolean> {
  return (await client.session.surfaces()).length > 0;
}

export function planOf(
  session: RunningSession,
  options: TrimArguments["options"],
  config: ContextConfig,
): InsideTrim {
  const request = withConfig(trimChoices(options), config);
  const { targetPercent } = request;
  const common = { targetPercent, ...namedEntries(options) };
  return planToTarget(
    resolveTrim(request),
    (settings) => trimInside(session, { ...settings, ...common }),
  );
}

export function uncutText(
  session: RunningSession,
  plan: InsideTrim,
  options: TrimArguments["options"],
): string | undefined {
  const { lineOf, cuts: { inputs, results } } = plan;
  const parts = [
    ...callsIn(session.rows).map(({ tool_use_id: id }) => [lineOf(id, "call"), inputs.has(id)]),
    ...resultsIn(session.rows).map(({ tool_use_id: id }) => [
      lineOf(id, "result"),
      results.has(id),
    ]),
  ];
  for (const named of namedEntries(options).entries ?? []) {
    const found = parts.filter(([line]) => line === named);
    if (found.some(([, isCut]) => isCut)) continue;
    const why = found.length > 0
      ? "is too short to cut, or was cut already"
      : "contains no tool output or input of this conversation";
    return `Nothing was cut: line ${named} ${why}. /trim --entries lists the largest entries`;
  }
  return undefined;
}

const NO_SESSION = "Nothing to trim yet: this session has no messages";

/** A fork has no transcript before its first message, and the client can be told to save none. */
const NO_TRANSCRIPT = "Nothing was trimmed: this session has no transcript yet, so send a " +
  "message first. A session that the client does not save cannot be trimmed";

/**
 * Reads the data that a plan needs about the running session.
 *
 * @throws {UsageError} When there is no transcript.
 * @throws {RangeError} When the transcript is too large to read inside the client.
 * @throws {Error} When the client may not have returned all messages.
 */
export async function sessionOf(
  client: Client,
  rows: Rows,
  { isMidTurn = false }: { isMidTurn?: boolean } = {},
): Promise<RunningSession> {
  const [id, { transcriptPath }] = await Promise.all([client.session.id(), client.session.info()]);
  if (!await client.fs.exists(transcriptPath)) {
    throw new UsageError(rows.length === 0 ? NO_SESSION : NO_TRANSCRIPT);
  }
  const [model, lines, messages, fill] = await Promise.all([
    client.session.model(),
    readSessionLines(client, transcriptPath, rows),
    client.session.messages({ as: "api" }),
    fillForTrim(client, id),
  ]);
  if (messages.length >= MAX_ROWS) {
    throw new Error(
      `the conversation has too many messages: the client returns at most ${MAX_ROWS}`,
    );
  }
  const reminders = readReminders(lines.active, { isMidTurn, boundaries: lines.boundaries });
  const media = readMedia(messages, lines, { id, model });
  const laidOut = layOutRows({ rows, messages }, reminders, media);
  return { id, model, lines, messages, fill, media, rows: laidOut };
}

/** Returns a refusal if rebuilt rows would lose some blocks, or a picture in use. */
export function refusalOf(
  messages: RunningSession["messages"],
  mediaInUse = 0,
): CompactAnswer | undefined {
  const hint = ". It works after your next message";
  const why = copyReason({ losses: countLosses(messages), mediaInUse }, hint);
  return why === undefined ? undefined : { skip: `trimtab: nothing was changed, because ${why}` };
}

function namedEntries({ entry: named }: TrimArguments["options"]): Partial<InsideOptions> {
  if (named === undefined) return {};
  const entries = new Set(named.flatMap((list) => list.split(",")).map(Number));
  if (![...entries].every((line) => Number.isSafeInteger(line) && line > 0)) {
    throw new UsageError("Cannot run trim: --entry takes a line number that /trim --entries lists");
  }
  return { entries, keep: "head", isTarget: () => true, cutsInputs: true };
}
