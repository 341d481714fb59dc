/** Registers the part of trimtab that runs inside the client. `deno task inside` bundles it. */

import type { ContextConfig } from "../src/config/schema.ts";
import { isObject } from "../src/core/record.ts";
import type {
  Client,
  CommandAnswer,
  CompactAnswer,
  CompactEvent,
  NextHandler,
  On,
  Rows,
  ToolAnswer,
  ToolEvent,
} from "../src/inside/client.ts";
import { settlePending } from "../src/inside/after_boundary.ts";
import { clearForgottenFiles, rereadFile } from "../src/inside/file_state.ts";
import {
  answerRecall,
  hasCuts,
  offerRecall,
  offerRecallIfCut,
  RECALL,
  setNotePending,
} from "../src/inside/recall.ts";
import { type InsideTrim, isTooSmallTrim, type RunningSession } from "../src/inside/trim.ts";
import {
  copyReason,
  describeFailure,
  describeInside,
  describeNoTrim,
  describePlan,
} from "../src/inside/words.ts";
import { currentRows, isSameConversation } from "../src/inside/rows.ts";
import { isUndo, trimOptions } from "../src/transcript/in_place.ts";
import { type TrimArguments, UsageError } from "../cli/spec.ts";
import { isOnlyInPlace } from "../cli/trim.ts";
import { settingsOf } from "../src/inside/settings.ts";
import { attempt, reasonOf } from "../src/inside/attempt.ts";
import { argumentsOf, isInTerminal, planOf, sessionOf, uncutText } from "./_inside_plan.ts";
import {
  answerTrimTool,
  dropTrimRequest,
  reasonToTrimNow,
  takeTrimRequest,
  TRIM_TOOL,
  trimInsteadOfCompacting,
} from "./_inside_auto.ts";
import { compactWithUndoHint, replaceConversation } from "./_inside_replace.ts";
import {
  answerCopy,
  displayOnly,
  refuseRewound,
  resetIdle,
  REWOUND,
  sessionStartHook,
  setReplaced,
} from "./_inside_scripts.ts";
import { dropRows, undoRows } from "./_inside_undo.ts";
import { statusText } from "./_inside_status.ts";
import {
  batchHook,
  forgetSession,
  hasTurn,
  promptHook,
  showFillSoon,
  stopHook,
} from "./_inside_watch.ts";

const SKILL = "trimtab:trim";

/** First argument of a `/compact` command that starts a trim. `trimOptions()` recognizes such arguments. */
const TRIM_WORD = "trimtab";

const COPY_ONLY_OPTIONS = ["copy", "explain", "help", "json", "skill"] as const;

const FAILED = "trimtab could not trim in place. For a copy: /trim --copy";

/**
 * Whether compactions reach this module; `undefined` until an event shows whether they do. With managed
 * settings, the client's own plugin withholds `session.compact` and `classic.*` from other modules, but not
 * `turn.complete`.
 */
let receivesCompactions: boolean | undefined;

const BLOCKED_BY_SETTINGS = "managed settings keep trimtab from changing the conversation in place";

const CACHE_IS_WARM =
  "trimtab: nothing was cut, since your prompt has filled the prompt cache again";

export function register(on: On): void {
  receivesCompactions = undefined;
  on("command.run", { command: SKILL }, async (client, event, next) => {
    try {
      const answer = await answerTrim(client, event.args);
      if (answer !== undefined) return answer;
    } catch (error) {
      if (error instanceof UsageError) return displayOnly(error.message);
      const why = reasonOf(error);
      if (isOnlyInPlace(argumentsOf(event.args).options)) return displayOnly(why);
      const refusal = await refuseRewound(client);
      if (refusal !== undefined) return refusal;
      client.ui.log(`writing a copy instead: ${why}`);
    }
    return await attempt(client, () => answerCopy(client, event)) ?? await next(event);
  }).catch(passOn);
  on("session.start", async (client, event, next) => {
    await attempt(client, () => Promise.all([resetIdle(client), offerRecallIfCut(client)]));
    return await next(event);
  });
  on("session.end", async (client, event, next) => {
    // Otherwise, the old figures would stay on screen after `/clear`.
    client.ui.status(undefined);
    // An estimate that is still running must not be used for the next session.
    forgetSession();
    setNotePending(false);
    await attempt(client, () => settlePending(client));
    return await next(event);
  });
  on("classic.SessionStart", (client, event, next) => {
    receivesCompactions = true;
    const { source, prompt_cache_likely_expired: isCold } = event;
    if (source === "resume" && isCold === true) trimSoonIfNeeded(client, true);
    return sessionStartHook(client, event, next);
  }).catch(passOn);
  on("turn.complete", (client, event, next) => {
    if (event.agentId === undefined) {
      receivesCompactions ??= false;
      if (event.reason === "answer") trimSoonIfNeeded(client, false);
      else dropTrimRequest();
    }
    return next(event);
  });
  on("tool.call", { tool: "Edit" }, editHook).catch(passOn);
  on("tool.call", { tool: "NotebookEdit" }, editHook).catch(passOn);
  on("tool.call", { tool: "Write" }, editHook).catch(passOn);
  on("tool.call", { tool: RECALL }, answerRecall)
    .catch(() => ({ deny: "trimtab could not read that text" }));
  on("tool.call", { tool: TRIM_TOOL }, answerTrimTool)
    .catch(() => ({ deny: "trimtab could not record the request" }));
  on("classic.UserPromptSubmit", (client, event, next) => {
    receivesCompactions = true;
    return promptHook(client, event, next);
  }).catch(passOn);
  on("classic.PostToolBatch", (client, event, next) => {
    receivesCompactions = true;
    return batchHook(client, event, next);
  }).catch(passOn);
  on("classic.Stop", (client, event, next) => {
    receivesCompactions = true;
    return stopHook(client, event, next);
  }).catch(passOn);
  on("session.measure", (client, event, next) => {
    if (event.changed.includes("context")) void showFillSoon(client);
    return next(event);
  });
  on("session.compact", compactHook).catch((_client, event) =>
    // After a failure or a timeout, the client would otherwise summarize instead of trimming.
    ownInstructions(event) === undefined ? undefined : { skip: FAILED }
  );
}

function passOn(): undefined {
  return undefined;
}

async function compactHook(
  client: Client,
  event: CompactEvent,
  next: NextHandler<CompactEvent, CompactAnswer>,
): Promise<CompactAnswer> {
  if (event.agentId !== undefined) return await next(event);
  receivesCompactions = true;
  await attempt(client, () => settlePending(client));
  setReplaced(undefined);
  const typed = ownInstructions(event);
  if (typed !== undefined) {
    try {
      return await trimRows(client, event.messages, typed);
    } catch (error) {
      // Skips the compaction, because the user asked for a trim, not for a summary.
      return { skip: `trimtab could not trim in place: ${reasonOf(error)}` };
    }
  }
  const { trigger } = event;
  // The client itself handles a compaction that the user or a plugin requested.
  if (trigger === "auto" || trigger === "precompute") {
    const answer = await attempt(client, () => trimInsteadOfCompacting(client, event));
    if (answer !== undefined) return answer;
  }
  if (trigger === "precompute") return await next(event);
  clearForgottenFiles();
  return await compactWithUndoHint(client, event, next);
}

function ownInstructions(event: unknown): string | undefined {
  const { trigger, agentId, instructions } = isObject(event) ? event : {};
  if (trigger !== "manual" || agentId !== undefined || typeof instructions !== "string") {
    return undefined;
  }
  return trimOptions(instructions);
}

/** Returns `undefined` to leave the command to `answerCopy()`, which also prints the help. */
async function answerTrim(client: Client, typed: string): Promise<CommandAnswer | undefined> {
  const { positionals, options } = argumentsOf(typed);
  if (positionals.length > 0 || options.help) return undefined;
  if (COPY_ONLY_OPTIONS.some((name) => options[name])) return await refuseRewound(client);
  // Without a terminal the client exits before a follow-up command can run.
  if (!await isInTerminal(client)) return undefined;
  if (options.undo || options.drop) {
    if (receivesCompactions === false) {
      return displayOnly(`Nothing was changed: ${BLOCKED_BY_SETTINGS}`);
    }
    const doing = options.undo ? "Undoing the last trim or compaction" : "Dropping turns";
    return await trimSoon(client, typed, doing);
  }
  const rows = await currentRows(client);
  const { session, plan, text, problem } = await planTyped(client, rows, options);
  if (problem !== undefined) client.ui.log(problem);
  if (text !== undefined) return displayOnly(text);
  const why = receivesCompactions === false ? BLOCKED_BY_SETTINGS : copyReason(plan);
  if (why !== undefined) {
    if (session.lines.endsWithRewoundTurns) return displayOnly(REWOUND);
    client.ui.log(`writing a copy instead: ${why}`);
    return undefined;
  }
  // Not awaited: the client can register the tool while it starts the compaction.
  if (hasCuts(plan.rows)) offerRecall(client, session.id).catch(() => {});
  plannedTrim = { typed: typed.trim(), rows, session, plan };
  return await trimSoon(client, typed, "Trimming in place");
}

type PlannedTrim = { readonly session: RunningSession; readonly plan: InsideTrim };

/** The trim that `/trim` planned. The compaction that `/trim` starts applies it. */
let plannedTrim:
  | PlannedTrim & { readonly typed: string; readonly rows: Rows }
  | undefined;

/** `text` is the answer to a request that changes nothing; `undefined` if a trim or a copy should be made. */
async function planTyped(
  client: Client,
  rows: Rows,
  options: TrimArguments["options"],
): Promise<PlannedTrim & Record<"text" | "problem", string | undefined>> {
  const [settings, session] = await Promise.all([settingsOf(client), sessionOf(client, rows)]);
  const { context: config, problem } = settings;
  const plan = planOf(session, options, config);
  const { entries: isList = false } = options;
  let text: string | undefined;
  if (isList || options.status) {
    text = await statusText(client, session, { plan, config, isList });
  } else if (copyReason(plan) === undefined) {
    text = noTrimText({ session, plan }, options, config);
    if (options.dryRun) text ??= describePlan(plan);
  }
  return { session, plan, text, problem };
}

/** The last scheduled trim. Trims run one after another, because they share module state. */
let runningTrim: Promise<void> = Promise.resolve();

/** Schedules a compaction, because only a compaction can replace the conversation. */
async function trimSoon(client: Client, typed: string, text: string): Promise<CommandAnswer> {
  const sessionId = await client.session.id();
  schedule(client, () => compactNow(client, sessionId, typed));
  return displayOnly(text);
}

function trimSoonIfNeeded(client: Client, isCold: boolean): void {
  if (receivesCompactions === false) return;
  schedule(client, async () => {
    const sessionId = await client.session.id();
    const why = await reasonToTrimNow(client, isCold, takeTrimRequest(sessionId));
    if (why !== undefined) await compactNow(client, sessionId, "", { why, isCold });
  });
}

function schedule(client: Client, trim: () => Promise<void>): void {
  client.clock.after(1, () => runningTrim = runningTrim.then(() => attempt(client, trim)));
}

interface AutomaticTrim {
  readonly why: string;
  readonly isCold: boolean;
}

/** The next automatic trim; `undefined` if the user asked for the next trim. */
let automaticTrim: AutomaticTrim | undefined;

let trimmedSession: string | undefined;

/** Starts a compaction, after commands that were queued earlier, one of which can be `/resume`. */
async function compactNow(
  client: Client,
  sessionId: string,
  typed: string,
  trim?: AutomaticTrim,
): Promise<void> {
  automaticTrim = trim;
  trimmedSession = sessionId;
  try {
    await client.command.run({ command: "compact", args: `${TRIM_WORD} ${typed}`.trim() });
  } catch (error) {
    client.ui.log(describeFailure(reasonOf(error), isUndo(typed)));
    return;
  } finally {
    automaticTrim = plannedTrim = trimmedSession = undefined;
  }
  // If compactions reached this module, this one would have arrived by now.
  receivesCompactions ??= false;
  if (!receivesCompactions) client.ui.log(`${BLOCKED_BY_SETTINGS}. For a copy: /trim`);
  await showFillSoon(client);
}

async function editHook(
  client: Client,
  event: ToolEvent,
  next: NextHandler<ToolEvent, ToolAnswer>,
): Promise<ToolAnswer> {
  if (event.agentId === undefined) await attempt(client, () => rereadFile(client, event));
  return await next(event);
}

async function trimRows(client: Client, rows: Rows, typed: string): Promise<CompactAnswer> {
  if (trimmedSession !== undefined && trimmedSession !== await client.session.id()) {
    return { skip: "trimtab: nothing was changed, because the trim was meant for another session" };
  }
  if (plannedTrim?.typed === typed && isSameConversation(plannedTrim.rows, rows)) {
    return await applyTrim(client, plannedTrim);
  }
  const { positionals, options } = argumentsOf(typed);
  if (options.undo) return await undoRows(client, rows);
  const copyOption = COPY_ONLY_OPTIONS.find((name) => options[name]);
  const invalid = positionals[0] ?? (copyOption && `--${copyOption}`);
  if (invalid !== undefined) {
    return { skip: `trimtab: ${invalid} is not an option of /compact trimtab; see /trim --help` };
  }
  if (automaticTrim?.isCold === true && hasTurn(await client.session.id())) {
    return { skip: CACHE_IS_WARM };
  }
  const { drop, dryRun: isDryRun = false } = options;
  if (drop !== undefined) {
    const ranges = drop.flatMap((list) => list.split(","));
    return await dropRows(client, await sessionOf(client, rows), ranges, { isDryRun });
  }
  const { session, plan, text } = await planTyped(client, rows, options);
  if (text !== undefined) return { skip: `trimtab: ${text}` };
  const why = copyReason(plan);
  if (why !== undefined) {
    return { skip: `trimtab: only a copy can be trimmed, because ${why}: /trim --copy` };
  }
  return await applyTrim(client, { session, plan });
}

function applyTrim(client: Client, { session, plan }: PlannedTrim): Promise<CompactAnswer> {
  return replaceConversation(client, session, {
    ...plan,
    kind: "trim",
    message: describeInside(plan, automaticTrim?.why),
  });
}

function noTrimText(
  { session, plan }: PlannedTrim,
  options: TrimArguments["options"],
  config: ContextConfig,
): string | undefined {
  // An entry that the user chose is cut even if that frees little.
  if (options.entry) return uncutText(session, plan, options);
  const dropsMedia = options.dropImages && plan.media.count > 0;
  if (dropsMedia || !isTooSmallTrim(plan)) return undefined;
  const { savedTokens } = plan.cuts;
  const gainOf = (option: TrimArguments["options"]): number => {
    const larger = planOf(session, { ...options, ...option }, config);
    if (isTooSmallTrim(larger)) return 0;
    return Math.max(0, Math.round(larger.cuts.savedTokens - savedTokens));
  };
  return describeNoTrim(plan, {
    deep: gainOf({ depth: "deep" }),
    newest: gainOf({ keepRecent: 0 }),
  });
}
