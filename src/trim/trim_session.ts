/** Trims a session into a new session that is ready to resume; the old session is unchanged. */

import { DEFAULT_CONFIG } from "../config/schema.ts";
import { isTooSmall } from "../gauge/advice.ts";
import { contextPercent, judgeUsage, roundingOf, type SessionPressure } from "../gauge/judge.ts";
import { joinPath, parentPath } from "../store/paths.ts";
import type { FoundSession } from "../transcript/find.ts";
import type { TailUsage } from "../transcript/tokens/usage.ts";
import type { WindowSource } from "../transcript/tokens/window.ts";
import { firstPrompt, titleLine } from "../transcript/copy_title.ts";
import type { ActiveContext } from "../transcript/tree/active_context.ts";
import { configDirOf, copyOwnedFiles, type OwnedFiles } from "./owned.ts";
import type { TrimChoices } from "./trim_options.ts";
import {
  type BeforeAfter,
  type TrimCounts,
  type TrimOptions,
  trimTranscript,
} from "./trim_transcript.ts";
import { type TrimWorth, trimWorth } from "./worth.ts";

type Gauge = Pick<SessionPressure, "tokens" | "window" | "limit" | "windowSource">;

export interface TrimSessionOptions
  extends Omit<TrimOptions, "input" | "output" | "sessionId" | "metadata" | "appendLines"> {
  /** The session to trim, which is not changed. */
  session: FoundSession;
  /** Whether to plan the trim without writing anything. @default {false} */
  dryRun?: boolean;
  /** Computes the window and limit from the usage. @default {from the transcript alone} */
  gauge?: (usage: TailUsage) => Gauge;
  newId?: () => string;
}

/** Result of a trim of a session, or of its dry run. */
export interface TrimSessionResult extends TrimCounts {
  /** The copy's id. */
  session_id: string;
  /** Id of the session that was trimmed. */
  parent_session_id: string;
  /** The copy's transcript. */
  output: string;
  /** Size of the context, as a whole percentage of the limit. */
  percent: BeforeAfter;
  /** The window, in tokens. */
  window: number;
  /** The client's limit, in tokens. */
  limit: number;
  /** The source of the window's size. */
  window_source: WindowSource;
  /** The command that resumes the copy in a shell. */
  resume_command: string;
  /** Other files of the session that were copied or linked. */
  owned: OwnedFiles;
  /** Whether nothing was written. */
  dry_run: boolean;
  /** One-time cost of the trim, and its saving with each later request. */
  worth: TrimWorth;
}

/** Writes a smaller copy of a session, with its other files, under a new id into the same folder. */
export function trimSession(options: TrimSessionOptions): TrimSessionResult {
  const { session, newId = () => crypto.randomUUID(), gauge: judge = judgeTranscript } = options;
  let { dryRun = false } = options;
  const id = newId();
  const output = joinPath(parentPath(session.path), `${id}.jsonl`);
  let gauge: Gauge | undefined;
  const gaugeOf = ({ usage, isCompacted }: ActiveContext): Gauge =>
    gauge ??= judge({ usage, isCompacted: usage === null && isCompacted });
  const result = trimInto(parentPath(session.path), {
    limitTokens: (context) => gaugeOf(context).limit,
    usedTokens: (context) => gaugeOf(context).tokens,
    ...options,
    onPlan: (planned) => {
      gaugeOf(planned.context);
      const isWritten = options.onPlan?.(planned) !== false;
      dryRun ||= !isWritten;
      return isWritten;
    },
    input: session.path,
    ...(dryRun ? {} : { output }),
    parentSessionId: session.id,
    sessionId: id,
    metadata: true,
    appendLines: (title) => [titleLine(id, title ?? firstPrompt(session.path), "trimmed")],
  });
  const { window, limit, windowSource } = gauge ?? judge({ usage: null, isCompacted: false });
  const configDir = configDirOf(session.path);
  const owned: OwnedFiles = dryRun || configDir === undefined
    ? { tasks: 0, file_history: 0, notes: [] }
    : copyOwnedFiles(configDir, session.id, id);
  const percentOf = (count: number): number =>
    contextPercent(count, limit, roundingOf(result.tokens_source));
  return {
    ...result,
    session_id: id,
    parent_session_id: session.id,
    output,
    percent: { before: percentOf(result.tokens.before), after: percentOf(result.tokens.after) },
    window,
    limit,
    window_source: windowSource,
    resume_command: `claude --resume ${id}`,
    owned,
    dry_run: dryRun,
    worth: trimWorth(result, options.now ?? new Date()),
  };
}

/** A trim that was skipped, because it would have freed next to nothing. */
export interface SkippedTrim
  extends Omit<TrimSessionResult, "session_id" | "output" | "resume_command"> {
  /** Null, because no copy was written. */
  session_id: null;
  /** Null, because no file was written. */
  output: null;
  /** Null, because there is no copy to resume. */
  resume_command: null;
  /** Further tokens that `--depth deep` or `--keep-recent 0` alone would free; 0 if not worthwhile. */
  instead: { deep: number; newest: number };
}

export function trimUnlessTooSmall(options: TrimSessionOptions): TrimSessionResult | SkippedTrim {
  let instead: SkippedTrim["instead"] | undefined;
  const result = trimSession({
    ...options,
    onPlan: ({ plan: { tokens }, planOther }) => {
      if (!isTooSmall(tokens)) return true;
      const freedBy = (choices: TrimChoices): number => {
        const freed = tokens.after - planOther(choices).tokens.after;
        return isTooSmall({ before: tokens.before, after: tokens.before - freed }) ? 0 : freed;
      };
      instead = {
        deep: options.depth === "deep" ? 0 : freedBy({ depth: "deep" }),
        newest: options.keepRecent === 0 ? 0 : freedBy({ keepRecent: 0 }),
      };
      return false;
    },
  });
  if (instead === undefined) return result;
  return { ...result, session_id: null, output: null, resume_command: null, instead };
}

function judgeTranscript(usage: TailUsage): Gauge {
  return judgeUsage(usage, { config: DEFAULT_CONFIG.context, state: {}, env: () => undefined });
}

/** Adds the folder to an error about a missing permission. */
function trimInto(folder: string, options: TrimOptions): TrimCounts {
  try {
    return trimTranscript(options);
  } catch (error) {
    const { state } = Deno.permissions.querySync({ name: "write", path: folder });
    if (!(error instanceof Deno.errors.NotCapable) || state === "granted") throw error;
    throw new Deno.errors.NotCapable(`Cannot write a copy of the session into ${folder}`);
  }
}
