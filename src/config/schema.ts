/** Defines the configuration. Imports nothing, because hooks load this file. */

/** The keys of the `[context]` table, spelled as in the TOML file. */
export interface ContextConfig {
  /** Percentage of the limit at which the level becomes `warn`. @default {60} */
  readonly warn_threshold: number;
  /** Percentage of the limit at which the level becomes `recommend`. @default {75} */
  readonly recommend_threshold: number;
  /** Percentage of the limit at which the level becomes `urgent`. @default {85} */
  readonly urgent_threshold: number;
  /** A snapshot is saved if a turn ends at or above this percentage of the limit. @default {80} */
  readonly auto_compact_threshold: number;
  /**
   * Interval in seconds. A warning about an unchanged level is repeated after ten intervals. A drop in the
   * level counts only if one interval has passed since the last warning.
   *
   * @default {60}
   */
  readonly check_interval_seconds: number;
  /**
   * A light trim keeps tool results of up to this many characters whole. A higher value also keeps more of
   * longer results.
   *
   * @default {500}
   */
  readonly trim_threshold_chars: number;
  /** Tools whose results are cut; the default means nearly all tools. @default {["Read", "Bash", "Grep", "Glob"]} */
  readonly trim_target_tools: readonly string[];
  /** Number of the newest results that a trim does not cut. @default {5} */
  readonly trim_keep_recent: number;
  /** The model's window, in tokens; null to detect the window. @default {null} */
  readonly window_tokens: number | null;
  /** Days to keep files; the newest saves of a session are kept longer. @default {7} */
  readonly retention_days: number;
  /** Days to keep a transcript of `trimtab keep` after its last use. @default {365} */
  readonly kept_days: number;
  /** Maximum length of restored text, in characters. @default {9000} */
  readonly restore_max_chars: number;
  /** Kinds of session starts that restore saved work in full. @default {["compact", "clear"]} */
  readonly restore_on: readonly string[];
}

/** The keys of the `[live]` table. */
export interface LiveConfig {
  /** Whether outputs are shaped before the model sees them. @default {false} */
  readonly enabled: boolean;
  /**
   * Maximum length of an output, in characters. Longer outputs are shortened to at most two fifths of this
   * limit, unless they have many errors. The limit for error output is half as large.
   *
   * @default {20000}
   */
  readonly max_chars: number;
  /**
   * Tools whose outputs are shaped: any of the default tools, and `Read`.
   *
   * @default {["Bash", "Grep", "Glob", "WebFetch", "mcp__*"]}
   */
  readonly tools: readonly string[];
  /** Globs. Outputs about a path that matches one of these globs are not shortened. @default {[]} */
  readonly protect: readonly string[];
}

/** Keys of the `[inside]` table, which control the module inside the client. */
export interface InsideConfig {
  /**
   * Action before the client compacts automatically. `auto` trims only in a terminal, because a program that
   * reads the client's output would receive every message again.
   *
   * @default {"auto"}
   */
  readonly before_compaction: "auto" | "trim" | "save";
  /**
   * The client still compacts if a trim leaves more than this percentage of the limit in use. @default {50}
   */
  readonly compact_after_trim_percent: number;
  /**
   * In a terminal, a turn that ends at or above this percentage of the limit is followed by a trim; null for
   * never. The trim is skipped if the context has hardly grown since the last trim, or if the trim would free
   * too little.
   *
   * @default {null}
   */
  readonly trim_at_percent: number | null;
  /** Whether to trim a session in a terminal that is resumed after its cache has expired. @default {false} */
  readonly trim_when_cold: boolean;
  /** Whether the model has a tool to request a recommended trim, in a terminal. @default {true} */
  readonly model_may_trim: boolean;
}

/** The whole configuration. */
export interface TrimtabConfig {
  /** The `[context]` table. */
  readonly context: ContextConfig;
  /** The `[live]` table. */
  readonly live: LiveConfig;
  /** The `[inside]` table. */
  readonly inside: InsideConfig;
}

export type ConfigTable = keyof TrimtabConfig;

type Compare = (value: unknown, userValue: unknown) => boolean;

export interface KeySpec {
  /** The default. */
  readonly value: unknown;
  readonly fits: (value: unknown) => boolean;
  readonly range?: readonly [number, number];
  readonly choices?: readonly string[];
  /** Whether a project's value makes trimtab do no more than the user's value allows. */
  readonly needsNoTrust: Compare;
}

export const MAX_LIST_ITEMS = 200;
const MAX_ITEM_CHARS = 500;

export const CONFIG_SPECS: {
  readonly [Table in ConfigTable]: { readonly [Key in keyof TrimtabConfig[Table]]: KeySpec };
} = {
  context: {
    warn_threshold: percent(60),
    recommend_threshold: percent(75),
    urgent_threshold: percent(85),
    auto_compact_threshold: percent(80),
    check_interval_seconds: integer([0, 86_400], 60),
    trim_threshold_chars: integer([0, 10_000_000], 500),
    trim_target_tools: listOf(["Read", "Bash", "Grep", "Glob"]),
    trim_keep_recent: integer([0, 1_000_000], 5),
    // A number below 1,000 is rejected, because it probably means thousands.
    window_tokens: integer([1_000, 100_000_000], null),
    retention_days: integer([1, 36_500], 7, isLower),
    kept_days: integer([1, 36_500], 365),
    // A hook prints at most 9,500 characters.
    restore_max_chars: integer([500, 9_500], 9_000, isLower),
    restore_on: someOf(["startup", "resume", "clear", "compact", "fork"], ["compact", "clear"]),
  },
  live: {
    enabled: onOff(false),
    max_chars: integer([500, 10_000_000], 20_000),
    tools: listOf(["Bash", "Grep", "Glob", "WebFetch", "mcp__*"]),
    protect: listOf([], (value, userValue) => isSubset(userValue, value)),
  },
  inside: {
    before_compaction: oneOf(["auto", "trim", "save"], "auto"),
    compact_after_trim_percent: percent(50, isLower),
    trim_at_percent: integer([1, 100], null),
    trim_when_cold: onOff(false),
    model_may_trim: onOff(true),
  },
};

export const RETIRED_KEYS: ReadonlyMap<string, string> = new Map([
  ...["warn", "recommend", "urgent"].map((level) =>
    [
      `context.${level}_tokens`,
      "set window_tokens to the number of tokens that you want to use",
    ] as const
  ),
  ["context.checkpoint_threshold", "warn_threshold also controls when checkpoints are saved"],
  ["context.restore_max_age_hours", "a new session restores only work saved in the last 24 hours"],
  ["live.stderr_max_chars", "error output is limited to half of max_chars"],
  ["live.subagents", "outputs of subagents are never shortened"],
]);

const ASCENDING_THRESHOLDS = [
  ["warn_threshold", "recommend_threshold"],
  ["recommend_threshold", "urgent_threshold"],
] as const satisfies readonly (keyof ContextConfig)[][];

export const CONFIG_TABLES = ["context", "live", "inside"] as const satisfies ConfigTable[];

export const DEFAULT_CONFIG: TrimtabConfig = configOf({});

export function isTable(name: string): name is ConfigTable {
  return CONFIG_TABLES.some((table) => table === name);
}

export function specOf(table: ConfigTable, key: string): KeySpec | undefined {
  const specs: Readonly<Record<string, KeySpec>> = CONFIG_SPECS[table];
  return Object.hasOwn(specs, key) ? specs[key] : undefined;
}

function isHigher(value: unknown, userValue: unknown): boolean {
  return typeof userValue === "number" && Number(value) >= userValue;
}

function isLower(value: unknown, userValue: unknown): boolean {
  return typeof userValue === "number" && Number(value) <= userValue;
}

function isSubset(items: unknown, all: unknown): boolean {
  return Array.isArray(items) && Array.isArray(all) && items.every((item) => all.includes(item));
}

type ConfigValues = { readonly [Table in ConfigTable]?: Readonly<Record<string, unknown>> };

/** Fills in the defaults for missing values. Thresholds out of order are replaced with their defaults. */
export function configOf(values: ConfigValues): TrimtabConfig {
  const tables = CONFIG_TABLES.map((table) => {
    const defaults = Object.entries(CONFIG_SPECS[table]).map(([key, { value }]) => [key, value]);
    return [table, { ...Object.fromEntries(defaults), ...values[table] }];
  });
  const config = Object.fromEntries(tables);
  if (firstDescent(config.context) !== undefined) {
    for (const key of ASCENDING_THRESHOLDS.flat()) {
      config.context[key] = CONFIG_SPECS.context[key].value;
    }
  }
  // Safe, because the specifications name every key, and `fits` has checked the types.
  return config;
}

/** Equal thresholds are valid and switch off the lower level. */
export function firstDescent(
  context: Readonly<Record<string, unknown>>,
): readonly [lower: keyof ContextConfig, upper: keyof ContextConfig] | undefined {
  return ASCENDING_THRESHOLDS.find(([lower, upper]) =>
    Number(context[upper]) < Number(context[lower])
  );
}

/** Accepts one line of text, which can be shown and written back. */
function isListItem(value: unknown): boolean {
  return typeof value === "string" && value !== "" && value.length <= MAX_ITEM_CHARS &&
    !/[\p{Cc}\p{Cs}]/u.test(value);
}

/** A default of null means that the number is detected or that the feature is off. */
function integer(
  range: readonly [number, number],
  value: number | null,
  needsNoTrust: Compare = isHigher,
): KeySpec {
  const fits = (given: unknown): boolean =>
    Number.isSafeInteger(given) && Number(given) >= range[0] && Number(given) <= range[1];
  return { value, fits, range, needsNoTrust };
}

function percent(value: number, needsNoTrust?: Compare): KeySpec {
  return integer([0, 100], value, needsNoTrust);
}

function onOff(value: boolean): KeySpec {
  const fits = (given: unknown): boolean => typeof given === "boolean";
  const needsNoTrust: Compare = (given, userValue) => given === false || given === userValue;
  return { value, fits, needsNoTrust };
}

function listOf(value: readonly string[], needsNoTrust: Compare = isSubset): KeySpec {
  const fits = (given: unknown): boolean =>
    Array.isArray(given) && given.length <= MAX_LIST_ITEMS && given.every(isListItem);
  return { value, fits, needsNoTrust };
}

function oneOf(choices: readonly string[], value: string): KeySpec {
  const fits = (given: unknown): boolean => choices.some((item) => item === given);
  // `save` does the least, and `auto` does less than `trim`.
  const needsNoTrust: Compare = (given, userValue) =>
    given === "save" || given === userValue || (given === "auto" && userValue === "trim");
  return { value, fits, choices, needsNoTrust };
}

function someOf(choices: readonly string[], value: readonly string[]): KeySpec {
  const fits = (given: unknown): boolean =>
    Array.isArray(given) && given.length <= choices.length &&
    given.every((item) => choices.includes(item));
  return { value, fits, choices, needsNoTrust: isSubset };
}
