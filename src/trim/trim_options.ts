/** Resolves how to trim from options, configuration and depth: for a copy, in place, and for advice. */

import type { ContextConfig } from "../config/schema.ts";
import { DEEP_NEED, LIGHT_NEED, type NeedRules } from "../core/need.ts";
import type { TrimStyle } from "./left.ts";
import { compileGlobs, namesPath } from "./protect.ts";
import { DEFAULT_TARGET_TOOLS, isUsual, targetTest, type ToolNameList } from "./targets.ts";

export type { TrimStyle } from "./left.ts";
export { DEFAULT_TARGET_TOOLS, type ToolNameList } from "./targets.ts";

/** Characters of a result that stay unless the caller says otherwise. */
export const DEFAULT_THRESHOLD_CHARS = 500;

/** Long results alone, or everything that can be cut. */
export type TrimDepth = "light" | "deep";

/** Choices for a trim, as a person gives them. */
export interface TrimChoices {
  /** Characters of a result that stay. @default {trim_threshold_chars, 500} */
  readonly threshold?: number | undefined;
  /** Tools whose results are cut. @default {trim_target_tools} */
  readonly tools?: readonly string[] | undefined;
  /** Newest results that stay whole. @default {trim_keep_recent, 5} */
  readonly keepRecent?: number | undefined;
  /** Long results alone, or everything that can be cut. @default {"light"} */
  readonly depth?: "light" | "deep" | undefined;
  /** The part of a result that stays: what is still needed, its head, or one line. @default {"need"} */
  readonly keep?: "need" | "head" | "line" | undefined;
  /** Cuts no more than it takes to come down to this percent of the limit, 0 to 100. */
  readonly targetPercent?: number | undefined;
  /** Globs of paths; results about them stay whole. */
  readonly protect?: readonly string[] | undefined;
  /** Whether pictures and documents become a line. @default {true with depth "deep"} */
  readonly dropImages?: boolean | undefined;
}

const STYLES = { need: "need", head: "truncate", line: "mask" } as const;

/** Completes choices by the configuration. */
export function withConfig(choices: TrimChoices, config: ContextConfig): TrimRequest {
  const { depth, targetPercent, protect = [], dropImages } = choices;
  return {
    threshold: choices.threshold ?? config.trim_threshold_chars,
    targetTools: choices.tools ?? config.trim_target_tools,
    keepRecent: choices.keepRecent ?? config.trim_keep_recent,
    style: STYLES[choices.keep ?? "need"],
    ...(depth === undefined ? {} : { depth }),
    ...(targetPercent === undefined ? {} : { targetPercent }),
    ...(protect.length === 0 ? {} : { protect }),
    ...(dropImages === undefined ? {} : { dropImages }),
  };
}

/** Options of a trim. */
export interface TrimRequest {
  /** Characters of a result that stay. @default {500} */
  threshold?: number;
  /** Tools whose results are cut. @default {DEFAULT_TARGET_TOOLS} */
  targetTools?: ToolNameList;
  /** Newest results of the conversation that stay whole. @default {0} */
  keepRecent?: number;
  /**
   * Whether a result is cut to its head (`truncate`), to one line (`mask`), or to what is still needed
   * of it (`need`).
   *
   * @default {"mask"} with `depth: "deep"` or a `targetPercent`, else `"truncate"`
   */
  style?: TrimStyle;
  /** Rules for the style `need`. @default {the rules of the depth} */
  need?: NeedRules;
  /**
   * `deep` cuts results of every tool, pictures, documents and old thinking, too, and long arguments of
   * Write, Edit, MultiEdit and NotebookEdit, which the style `need` cuts where they are dead.
   *
   * @default {"light"}
   */
  depth?: TrimDepth;
  /**
   * Whether pictures and documents become a line that names them: in results of the tools that are
   * targeted, and in messages before the newest turn.
   *
   * @default {true with `depth: "deep"`}
   */
  dropImages?: boolean;
  /** Cuts no more than it takes to come down to this percent of the limit, least missed first. */
  targetPercent?: number;
  /** Globs: results of calls that name such a path stay whole; see `compileGlobs`. */
  protect?: readonly string[];
}

/** Options of a trim with all defaults filled in. */
export interface TrimSettings {
  threshold: number;
  keepRecent: number;
  need: NeedRules;
  style: TrimStyle;
  /** Whether results of a tool are cut. */
  isTarget: (toolName: string) => boolean;
  /** Whether what calls write into files is cut. */
  cutsInputs: boolean;
  /** Whether pictures and documents become a line. */
  dropsImages: boolean;
  /** Whether the thinking of finished turns goes. */
  dropsThinking: boolean;
  /** Whether a call is about protected files; undefined without a glob. */
  isProtected: ((toolName: string, input: unknown) => boolean) | undefined;
}

/**
 * Lists the settings to try until a target is reached: least missed first, in the end one line each. Without
 * a target there is one.
 *
 * @throws {RangeError} When a number is out of range, or a glob is empty.
 * @throws {TypeError} When `targetTools` is a string.
 */
export function resolveTrim(request: TrimRequest): readonly [TrimSettings, ...TrimSettings[]] {
  const isDeep = request.depth === "deep";
  const { targetPercent } = request;
  checkPercent(targetPercent);
  const style = request.style ?? (isDeep || targetPercent !== undefined ? "mask" : "truncate");
  const first = settingsOf(request, { isDeep, style, isAll: isDeep });
  if (targetPercent === undefined || style !== "need") return [first];
  // Tools that were named stay the only ones.
  const isAll = isUsual(new Set(request.targetTools ?? DEFAULT_TARGET_TOOLS));
  const deep = settingsOf(request, { isDeep: true, style, isAll });
  const lines = settingsOf(request, { isDeep: true, style: "mask", isAll });
  return isDeep ? [deep, lines] : [first, deep, lines];
}

function settingsOf(
  request: TrimRequest,
  { isDeep, style, isAll }: { isDeep: boolean; style: TrimStyle; isAll: boolean },
): TrimSettings {
  const { threshold = DEFAULT_THRESHOLD_CHARS, keepRecent = 0, protect: globs = [] } = request;
  for (const [name, value] of Object.entries({ threshold, keepRecent })) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    throw new RangeError(`Cannot trim: ${name} must be a whole number from 0, is ${value}`);
  }
  const matches = compileGlobs(globs);
  return {
    threshold,
    keepRecent,
    need: request.need ?? (isDeep ? DEEP_NEED : LIGHT_NEED),
    style,
    isTarget: targetTest({ targetTools: request.targetTools, isAll, style }),
    // With style `need`, only dead arguments are cut.
    cutsInputs: isDeep && style !== "need",
    dropsImages: request.dropImages ?? isDeep,
    // Models that sign their thinking refuse it behind a text that was changed.
    dropsThinking: isDeep || style === "need",
    isProtected: globs.length === 0
      ? undefined
      : (toolName, input) => namesPath(toolName, input, matches),
  };
}

function checkPercent(percent: number | undefined): void {
  if (percent === undefined || (percent >= 0 && percent <= 100)) return;
  throw new RangeError(`Cannot trim: targetPercent must be a number from 0 to 100, is ${percent}`);
}
