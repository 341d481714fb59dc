/** Combines the choices for a trim with the configuration, and derives the settings of the trim. */

import { type ContextConfig, DEFAULT_CONFIG } from "../config/schema.ts";
import { DEEP_NEED, LIGHT_NEED, type NeedRules } from "../core/need.ts";
import { compileGlobs, isAboutPath } from "./protect.ts";

export const { trim_threshold_chars: DEFAULT_THRESHOLD_CHARS, trim_target_tools: DEFAULT_TOOLS } =
  DEFAULT_CONFIG.context;

/** Results of these tools contain instructions, which no digest can replace. */
const INSTRUCTION_TOOLS: ReadonlySet<string> = new Set([
  "AskUserQuestion",
  "EnterPlanMode",
  "ExitPlanMode",
  "Skill",
  "TodoWrite",
]);

export type Keep = NonNullable<TrimChoices["keep"]>;

/** Choices for a trim, as given by the user. */
export interface TrimChoices {
  /**
   * Characters of a result that are kept with `head`; with `need` and `line`, a smaller number cuts more.
   *
   * @default {trim_threshold_chars, 500}
   */
  readonly threshold?: number | undefined;
  /**
   * Tools whose results are cut. With `need`, the default list means nearly all tools.
   *
   * @default {trim_target_tools}
   */
  readonly tools?: readonly string[] | undefined;
  /** Number of newest results that are not cut. @default {trim_keep_recent, 5} */
  readonly keepRecent?: number | undefined;
  /**
   * `deep` also cuts pictures and documents and, if `tools` is the default list, the results of every tool.
   * With `head` and `line`, `deep` also cuts old thinking, and long arguments of Write, Edit, MultiEdit and
   * NotebookEdit. With `need`, both depths cut old thinking and arguments that are no longer needed, and
   * `deep` keeps less.
   *
   * @default {"light"}
   */
  readonly depth?: "light" | "deep" | undefined;
  /** The part of a result that is kept: the needed passages, its head, or one line. @default {"need"} */
  readonly keep?: "need" | "head" | "line" | undefined;
  /** Stops cutting at this percentage of the limit, 0 to 100; cuts the least needed parts first. */
  readonly targetPercent?: number | undefined;
  /** Globs of paths; results about these paths are not cut. */
  readonly protect?: readonly string[] | undefined;
  /**
   * Whether a line replaces each picture and document. With depth "deep", unless this is `false`, lines replace
   * those that are not in the newest results or the newest prompt.
   */
  readonly dropImages?: boolean | undefined;
}

export function withConfig(choices: TrimChoices, config: ContextConfig): TrimChoices {
  return {
    ...choices,
    threshold: choices.threshold ?? config.trim_threshold_chars,
    tools: choices.tools ?? config.trim_target_tools,
    keepRecent: choices.keepRecent ?? config.trim_keep_recent,
  };
}

export interface TrimSettings {
  readonly threshold: number;
  readonly keepRecent: number;
  readonly need: NeedRules;
  readonly keep: Keep;
  readonly isTarget: (toolName: string) => boolean;
  readonly namedTools: readonly string[];
  /** Whether all long text that calls write into files is cut. */
  readonly cutsInputs: boolean;
  readonly dropsImages: boolean;
  /** Whether the newest images are dropped, too. A trim in place keeps no image. */
  readonly dropsNewestImages: boolean;
  readonly dropsThinking: boolean;
  readonly isProtected: ((toolName: string, input: unknown) => boolean) | undefined;
}

/**
 * Checks choices that a caller of the library makes. The options of a command and the configuration are checked
 * where they are read.
 *
 * @throws {RangeError} When a number is out of range.
 * @throws {TypeError} When `tools` is a string.
 */
export function checkChoices({ targetPercent = 0, tools, ...choices }: TrimChoices): void {
  if (!(targetPercent >= 0 && targetPercent <= 100)) {
    throw new RangeError(
      `Cannot trim: targetPercent must be a number from 0 to 100, got ${targetPercent}`,
    );
  }
  for (const name of ["threshold", "keepRecent"] as const) {
    const { [name]: value = 0 } = choices;
    if (Number.isSafeInteger(value) && value >= 0) continue;
    throw new RangeError(`Cannot trim: ${name} must be a whole number of 0 or more, got ${value}`);
  }
  // A string would be iterated as one-letter tool names.
  if (typeof tools === "string") {
    throw new TypeError(`Cannot trim: tools must be a list of names, such as ["${tools}"]`);
  }
}

/**
 * Lists the settings to try until a target is reached. The first cut least; the last keep only one line of
 * each result. The list has one item if there is no target, or if `keep` is not `need`.
 *
 * @throws {RangeError} When a glob is empty.
 */
export function resolveTrim(
  choices: TrimChoices & { readonly need?: NeedRules },
): readonly [TrimSettings, ...TrimSettings[]] {
  const isDeep = choices.depth === "deep";
  const { targetPercent, keep = "need" } = choices;
  const first = settingsOf(choices, { isDeep, keep });
  if (targetPercent === undefined || keep !== "need") return [first];
  const lines = settingsOf(choices, { isDeep: true, keep: "line" });
  return isDeep ? [first, lines] : [first, settingsOf(choices, { isDeep: true, keep }), lines];
}

/** Returns the first plan that reaches its target or, if none does, the plan that frees the most. */
export function planToTarget<Plan extends { tokens: { after: number }; isReached: boolean }>(
  [first, ...others]: ReturnType<typeof resolveTrim>,
  planWith: (settings: TrimSettings) => Plan,
): Plan {
  let last = planWith(first);
  let best = last;
  for (const settings of others) {
    if (last.isReached) break;
    last = planWith(settings);
    if (last.tokens.after < best.tokens.after) best = last;
  }
  return best;
}

function settingsOf(
  choices: TrimChoices & { readonly need?: NeedRules },
  { isDeep, keep }: { readonly isDeep: boolean; readonly keep: Keep },
): TrimSettings {
  const { threshold = DEFAULT_THRESHOLD_CHARS, keepRecent = 0, protect: globs = [] } = choices;
  const { tools = DEFAULT_TOOLS } = choices;
  const targets = new Set(tools);
  const isDefault = targets.size === DEFAULT_TOOLS.length &&
    DEFAULT_TOOLS.every((name) => targets.has(name));
  // If the user listed tools, only their calls and results are cut.
  const cutsOthers = isDefault && (isDeep || keep === "need");
  const matches = compileGlobs(globs);
  return {
    threshold,
    keepRecent,
    need: choices.need ?? (isDeep ? DEEP_NEED : LIGHT_NEED),
    keep,
    isTarget: (toolName) =>
      cutsOthers ? isDeep || !INSTRUCTION_TOOLS.has(toolName) : targets.has(toolName),
    namedTools: isDefault ? [] : tools,
    // With `need`, only dead arguments are cut.
    cutsInputs: isDeep && keep !== "need",
    dropsImages: choices.dropImages ?? isDeep,
    dropsNewestImages: choices.dropImages === true,
    // Removes old thinking, because models that sign their thinking reject it if earlier text has changed.
    dropsThinking: isDeep || keep === "need",
    isProtected: globs.length === 0
      ? undefined
      : (toolName, input) => isAboutPath(toolName, input, matches),
  };
}
