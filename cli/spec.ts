/** Describes the arguments of a command as data for the parser, the help text and the docs. */

import { nearestName } from "../src/config/nearest.ts";
import { summaryOf } from "./summaries.ts";

export interface OptionSpec {
  /** Without dashes. */
  name: string;
  /** A single letter, for use after one dash. */
  short?: string;
  /** `flag` takes no value; `count` takes a whole number; `list` can be repeated. */
  type: "flag" | "count" | "text" | "list";
  /** Name of the value in the help text. */
  value?: string;
  /** Smallest count. @default {0} */
  min?: number;
  /** Largest count; absent if there is no limit. */
  max?: number;
  /** Allowed values; absent for any. */
  choices?: readonly string[];
  /** Whether only `/trim` in place accepts the option; the command refuses it, and its help omits it. */
  isInPlace?: true;
  help: string;
}

export interface CommandSpec {
  name: string;
  /** As shown in the help text, such as `PATTERN [SESSION]`. */
  positionals: string;
  /** Excludes the options that every command has. */
  options: readonly OptionSpec[];
  notes?: readonly string[];
}

export interface Arguments {
  positionals: string[];
  values: Map<string, true | number | string | string[]>;
}

export class UsageError extends Error {
  override name = "UsageError";
}

/** Shown in the help of commands that take `[SESSION]`. */
const SESSION_NOTE = [
  "SESSION is an id, its first 8 characters, or a path. Default: the current session, else the",
  "newest session of this folder.",
];

export function flag(name: string, help: string): OptionSpec {
  return { name, type: "flag", help };
}

/** Describes an option whose value has the name `value` in the help text. */
export function valued(
  name: string,
  type: "count" | "text" | "list",
  value: string,
  help: string,
): OptionSpec {
  return { name, type, value, help };
}

export function choice(name: string, choices: readonly string[], help: string): OptionSpec {
  return { ...valued(name, "text", choices.join("|"), help), choices };
}

function inPlace(option: OptionSpec): OptionSpec {
  return { ...option, isInPlace: true };
}

export const COMMON_OPTIONS: readonly OptionSpec[] = [
  flag("json", "print JSON"),
  flag("skill", "for skills: print errors as text, and exit 0"),
  flag("help", "print this help"),
];

/** Used by `trimtab trim` and by `/trim`. */
export const TRIM_SPEC: CommandSpec = {
  name: "trim",
  positionals: "[SESSION]",
  options: [
    valued("threshold", "count", "N", "characters of a result to keep (500)"),
    valued("tool", "list", "NAME", "cut this tool's results"),
    valued("keep-recent", "count", "N", "newest results to keep whole (5)"),
    choice("depth", ["light", "deep"], "long results only (light), or all that can be cut (deep)"),
    choice(
      "keep",
      ["need", "head", "line"],
      "what to keep of a cut result: the passages still needed, its head, or one line (need)",
    ),
    {
      ...valued(
        "target-percent",
        "count",
        "P",
        "cut just enough to reach P percent, least needed first",
      ),
      max: 100,
    },
    valued("protect", "list", "GLOB", "keep results about these paths whole"),
    flag("drop-images", "replace each image or document with a line"),
    flag("dry-run", "show what would be freed, write nothing"),
    flag("explain", "list each cut with its reason"),
    inPlace(flag("entries", "list turns and the largest entries")),
    inPlace(valued("entry", "list", "LINE", "cut the entry that --entries lists under this line")),
    inPlace(
      valued("drop", "list", "LINES", "take out turns, by lines (12-30) or by number (#2-#4)"),
    ),
    inPlace(flag("status", "show how full the window is, and why")),
    inPlace(flag("copy", "write a copy")),
    inPlace(flag("undo", "undo the last trim in place or compaction")),
  ],
  notes: ["The session itself is not changed."],
};

/** Throws a {@linkcode UsageError} for an unknown option. */
export function findOption(spec: CommandSpec, word: string): OptionSpec {
  const options = [...spec.options, ...COMMON_OPTIONS];
  const [dashed = word] = word.split("=", 1);
  const option = options.find((known) => dashed === `--${known.name}` || dashed === shortOf(known));
  if (option !== undefined) return option;
  const known = options.map(({ name }) => `--${name}`);
  const nearest = nearestName(dashed, known);
  const advice = /^-\d/.test(dashed)
    ? "; a number cannot be negative"
    : nearest === null
    ? `. Options: ${known.join(", ")}`
    : `; did you mean ${nearest}?`;
  const escape = spec.positionals.startsWith("PATTERN")
    ? `\nPut a pattern that starts with - after --: trimtab ${spec.name} -- ${dashed}`
    : "";
  refuse(spec, `unknown option ${dashed}${advice}${escape}`);
}

function refuse(spec: CommandSpec, problem: string): never {
  throw new UsageError(`Cannot run ${spec.name}: ${problem}`);
}

function usageOf(spec: CommandSpec): string {
  return `trimtab ${spec.name} ${spec.positionals}`.trimEnd();
}

function shortOf(option: OptionSpec): string | undefined {
  return option.short === undefined ? undefined : `-${option.short}`;
}

/** Throws a {@linkcode UsageError} if the command line is invalid. */
export function checkArguments(
  spec: CommandSpec,
  positionals: string[],
  given: Iterable<readonly [name: string, value: string | true | undefined]>,
): Arguments {
  const values: Arguments["values"] = new Map();
  for (const [name, value] of given) {
    addValue(spec, findOption(spec, `--${name}`), value, values);
  }
  const shown = spec.positionals.split(" ").filter((word) => word !== "");
  const required = shown.filter((word) => !word.startsWith("[")).length;
  const isWrong = positionals.length < required || positionals.length > shown.length;
  if (!values.has("help") && isWrong) {
    const got = positionals.length === 0 ? "nothing" : positionals.join(" ");
    refuse(spec, `usage is ${usageOf(spec)}, got ${got}`);
  }
  return { positionals, values };
}

function addValue(
  spec: CommandSpec,
  option: OptionSpec,
  value: string | true | undefined,
  values: Arguments["values"],
): void {
  const { name, type } = option;
  if (type === "flag") {
    if (value !== true) refuse(spec, `--${name} takes no value`);
    values.set(name, true);
    return;
  }
  if (typeof value !== "string" || value === "") {
    refuse(spec, `--${name} needs a value, --${name} ${option.value}`);
  }
  const earlier = values.get(name);
  if (type === "list") {
    values.set(name, [...(Array.isArray(earlier) ? earlier : []), value]);
    return;
  }
  if (earlier !== undefined) refuse(spec, `--${name} is given more than once`);
  const { min = 0, max = Infinity } = option;
  const isOutside = Number(value) < min || Number(value) > max;
  if (type === "count" && (!/^\d{1,15}$/.test(value) || isOutside)) {
    const range = `from ${min}` + (max < Infinity ? ` to ${max}` : "");
    refuse(spec, `--${name} must be a whole number ${range}, is ${JSON.stringify(value)}`);
  }
  if (option.choices !== undefined && !option.choices.includes(value)) {
    refuse(spec, `--${name} must be ${option.choices.join(" or ")}, is ${JSON.stringify(value)}`);
  }
  values.set(name, type === "count" ? Number(value) : value);
}

/** Throws if more than one of these options is given, since they exclude each other. */
export function refuseTogether(
  spec: CommandSpec,
  { values }: Arguments,
  names: readonly string[],
): void {
  const given = names.filter((name) => values.has(name));
  if (given.length > 1) refuse(spec, `--${given.join(" and --")} cannot be used together`);
}

export function helpText(spec: CommandSpec): string {
  const inPlace = spec.options.filter(({ isInPlace }) => isInPlace === true);
  const shown = spec.options.filter(({ isInPlace }) => isInPlace !== true);
  const rows = [...shown, ...COMMON_OPTIONS].map((option) => {
    const short = shortOf(option);
    const label = `${short === undefined ? "" : `${short}, `}${optionUsage(option)}`;
    return [label, optionHelp(option)] as const;
  });
  const width = Math.max(...rows.map(([label]) => label.length));
  return [
    summaryOf(spec.name),
    "",
    `Usage: ${usageOf(spec)} [OPTIONS]`,
    "",
    ...rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}`),
    ...[
      spec.positionals === "[SESSION]" ? SESSION_NOTE : [],
      spec.notes ?? [],
      inPlace.length === 0 ? [] : [`Only /trim in place: ${inPlace.map(optionUsage).join(", ")}.`],
    ].filter((lines) => lines.length > 0).flatMap((lines) => ["", ...lines]),
  ].join("\n");
}

/** Renders an option as users type it, such as `--tool NAME`. */
export function optionUsage({ name, type, value }: OptionSpec): string {
  return `--${name}${type === "flag" ? "" : ` ${value ?? "VALUE"}`}`;
}

export function optionHelp({ type, help }: OptionSpec): string {
  return type === "list" ? `${help}; repeatable` : help;
}

export function flagOf(args: Arguments, name: string): boolean {
  return args.values.get(name) === true;
}

export function countOf(args: Arguments, name: string): number | undefined {
  const value = args.values.get(name);
  return typeof value === "number" ? value : undefined;
}

export function textOf(args: Arguments, name: string): string | undefined {
  const value = args.values.get(name);
  return typeof value === "string" ? value : undefined;
}

export function listOf(args: Arguments, name: string): string[] | undefined {
  const value = args.values.get(name);
  return Array.isArray(value) ? value : undefined;
}
