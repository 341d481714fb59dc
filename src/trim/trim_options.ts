/** What a trim can be told, and what follows from what is left out. */

import { DEEP_NEED, LIGHT_NEED, type NeedRules } from "../core/need.ts";
import type { StreamFileSystem } from "../store/atomic_stream.ts";
import { fileName } from "../store/paths.ts";
import { type MarkRecord, SHORT_ID_CHARS } from "../core/marks.ts";
import type { TrimStyle } from "./mask_text.ts";
import type { ContextUsage, PlanRules } from "./plan.ts";
import { compileGlobs, namesPath } from "./protect.ts";
import { isUsual, targetTest, type ToolNameList } from "./targets.ts";

export type { TrimStyle } from "./mask_text.ts";
export type { ContextUsage } from "./plan.ts";
export { DEFAULT_TARGET_TOOLS, type ToolNameList } from "./targets.ts";

/** How many characters of a result stay unless the caller says otherwise. */
export const DEFAULT_THRESHOLD_CHARS = 500;

/** What to trim, and how. */
export interface TrimOptions {
  /** The transcript; it is only read. */
  input: string;
  /** The copy; it must not be there yet. Left out, nothing is written. */
  output?: string;
  /** How many characters of a result stay. @default {500} */
  threshold?: number;
  /** The tools whose results are cut. @default {DEFAULT_TARGET_TOOLS} */
  targetTools?: ToolNameList;
  /** How many of the newest results of the conversation stay whole. @default {0} */
  keepRecent?: number;
  /**
   * Whether a result is cut to its head, replaced by one line, or cut to what is still needed of
   * it.
   *
   * @default {"mask"} with `depth: "deep"` or a `targetPercent`, else `"truncate"`
   */
  style?: TrimStyle;
  /** What the style `need` goes by. @default {the rules of the depth} */
  need?: NeedRules;
  /** `deep` switches on the four switches below, as far as they are left out. @default {"light"} */
  depth?: TrimDepth;
  /** Whether the results of every tool are cut, not only those of `targetTools`. */
  maskAllTools?: boolean;
  /**
   * Whether what Write, Edit, MultiEdit and NotebookEdit wrote is cut where it is longer than the
   * threshold. In the style `mask` only a notice is left of such a text.
   */
  cutInputs?: boolean;
  /**
   * Whether pictures and documents become a line that names them: in results of the tools that are
   * targeted, and in messages before the newest turn.
   */
  dropImages?: boolean;
  /**
   * Whether the thinking of finished turns goes; that of the newest turn always stays.
   *
   * @default {true in the style `need`, or with `depth: "deep"`}
   */
  dropThinking?: boolean;
  /**
   * Cuts no more than it takes to bring the context down to this share of the window, in percent:
   * first what is superseded, then what is oldest. Needs `windowTokens`.
   */
  targetPercent?: number;
  /** The window in tokens, or what tells it from what is known of the context. */
  windowTokens?: number | ((usage: ContextUsage) => number);
  /** Globs: results of calls that name such a path stay whole; see `compileGlobs`. */
  protect?: readonly string[];
  /** Whether each cut is listed with the reason for it, in the style `need`. @default {false} */
  explain?: boolean;
  /** The copy's session id; left out, ids stay as they are. */
  sessionId?: string;
  /** The session that is trimmed. @default {the input's file name} */
  parentSessionId?: string;
  /** The parent as notices name it. @default {the first 8 characters of its id} */
  parentFile?: string;
  /** Whether the mirrors of results that stay are cut too: that frees disk, not context. */
  mirrors?: boolean;
  /** Whether the copy says what it is, on its first entry. @default {false} */
  metadata?: boolean;
  /** Adds lines behind the copy, given the title of the session. */
  appendLines?: (title: string | undefined) => string[];
  /** Told of progress now and then: bytes done, and of how many. */
  onProgress?: (done: number, total: number) => void;
  /** The time that the metadata names. @default {now} */
  now?: Date;
  /** The system calls that write the copy. @default {Deno} */
  fs?: StreamFileSystem;
}

/** How much of a session is made smaller: long results alone, or all that can be. */
export type TrimDepth = "light" | "deep";

export interface TrimSettings
  extends Required<Omit<PlanRules, "isProtected" | "targetTokens" | "record">> {
  /** What earlier trims of the session left. @default {undefined: the look of a mark decides} */
  record?: MarkRecord;
  parentSessionId: string;
  /** Whether a call is about protected files; `undefined` where no glob is given. */
  isProtected: ((toolName: string, input: unknown) => boolean) | undefined;
  /** What the context is to come down to, in tokens; `undefined` where nobody said. */
  targetTokens: ((usage: ContextUsage) => number) | undefined;
}

/** Lists how to trim to a target by need: what is missed least first, in the end one line each. */
export function targetLadder(options: TrimOptions): TrimOptions[] {
  if (options.targetPercent === undefined || options.style !== "need") return [options];
  const areNamed = options.targetTools !== undefined && !isUsual(new Set(options.targetTools));
  const deep: TrimOptions = {
    ...options,
    depth: "deep",
    ...(areNamed ? { maskAllTools: options.maskAllTools ?? false } : {}),
  };
  const steps: TrimOptions[] = [deep, { ...deep, style: "mask" }];
  return options.depth === "deep" ? steps : [options, ...steps];
}

export function resolveOptions(options: TrimOptions): TrimSettings {
  const { threshold = DEFAULT_THRESHOLD_CHARS, keepRecent = 0 } = options;
  for (const [name, value] of Object.entries({ threshold, keepRecent })) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    throw new RangeError(`Cannot trim: ${name} must be a whole number from 0, is ${value}`);
  }
  const parentSessionId = options.parentSessionId ??
    fileName(options.input).replace(/\.jsonl$/, "");
  const isDeep = options.depth === "deep";
  const isAll = options.maskAllTools ?? isDeep;
  const targetTokens = resolveTarget(options);
  const style = options.style ??
    (isDeep || targetTokens !== undefined ? "mask" : "truncate");
  const globs = options.protect ?? [];
  const matches = compileGlobs(globs);
  return {
    threshold,
    keepRecent,
    parentSessionId,
    parentFile: options.parentFile ?? parentSessionId.slice(0, SHORT_ID_CHARS),
    need: options.need ?? (isDeep ? DEEP_NEED : LIGHT_NEED),
    style,
    isTarget: targetTest({ targetTools: options.targetTools, isAll, style }),
    // By need only what is dead of them goes.
    cutsInputs: options.cutInputs ?? (isDeep && style !== "need"),
    dropsImages: options.dropImages ?? isDeep,
    // Models that check what a thought was thought upon take none that stands behind a cut.
    dropsThinking: options.dropThinking ?? (isDeep || style === "need"),
    isProtected: globs.length === 0
      ? undefined
      : (toolName, input) => namesPath(toolName, input, matches),
    targetTokens,
  };
}

function resolveTarget(options: TrimOptions): TrimSettings["targetTokens"] {
  const { targetPercent, windowTokens } = options;
  if (targetPercent === undefined) return undefined;
  if (!(targetPercent >= 0 && targetPercent <= 100)) {
    throw new RangeError(
      `Cannot trim: targetPercent must be a number from 0 to 100, is ${targetPercent}`,
    );
  }
  return (usage) => {
    const window = typeof windowTokens === "function" ? windowTokens(usage) : windowTokens;
    if (window === undefined || !(window > 0)) {
      throw new RangeError(`Cannot trim: windowTokens must be a number over 0, is ${window}`);
    }
    return Math.floor((targetPercent * window) / 100);
  };
}
