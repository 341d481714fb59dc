/** Describes the arguments of a command as data for the parser, the help text and the docs. */

import { nearestName } from "../src/config/nearest.ts";
import { summaryOf } from "./summaries.ts";
import { wrapLines } from "./wrap.ts";

type OptionType = "flag" | "count" | "text" | "list";

export interface OptionSpec<
  Name extends string = string,
  Type extends OptionType = OptionType,
  Choice extends string = string,
> {
  readonly name: Name;
  readonly short?: string;
  /** `flag` takes no value; `count` takes a whole number; `list` can be repeated. */
  readonly type: Type;
  readonly value?: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly Choice[];
  /** Whether the option is for `/trim` in place. The command refuses such options, except for `--copy`. */
  readonly isInPlace?: true;
  readonly help: string;
}

export interface CommandSpec<Option extends OptionSpec = OptionSpec> {
  readonly name: string;
  readonly positionals?: string;
  /** Excludes the options that every command has. */
  readonly options?: readonly Option[];
  /** Groups of mutually exclusive options; checked on the command line. */
  readonly exclusive?: readonly (readonly string[])[];
  /** Maps an option to its prerequisites, one of which suffices; checked on the command line. */
  readonly needs?: Readonly<Record<string, readonly string[]>>;
  readonly notes?: readonly string[];
}

interface ValueTypes<Choice> {
  flag: boolean;
  count: number;
  text: Choice;
  list: readonly string[];
}

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** Maps each option's name, in camel case, to its value. Options that were not given are absent. */
export type OptionValues<Option extends OptionSpec> = {
  readonly [One in Option as CamelCase<One["name"]>]?: One extends
    OptionSpec<string, infer Type, infer Choice> ? ValueTypes<Choice>[Type] : never;
};

export interface Arguments<Option extends OptionSpec = OptionSpec> {
  readonly positionals: readonly string[];
  readonly options: OptionValues<Option> & OptionValues<typeof COMMON_OPTIONS[number]>;
}

export class UsageError extends Error {
  override name = "UsageError";
}

export const SESSION_NOTE = [
  "SESSION is an id, its first 8 characters, or a path. Default: the session",
  "that the command runs in, else the newest session of this folder.",
];

export const IN_PLACE_TITLE = "Only for `/trim` in place:";

export function flag<Name extends string>(name: Name, help: string): OptionSpec<Name, "flag"> {
  return { name, type: "flag", help };
}

export function valued<Name extends string, Type extends OptionType>(
  name: Name,
  type: Type,
  value: string,
  help: string,
): OptionSpec<Name, Type> {
  return { name, type, value, help };
}

export function choice<Name extends string, const Choice extends string>(
  name: Name,
  choices: readonly Choice[],
  help: string,
): OptionSpec<Name, "text", Choice> {
  return { name, type: "text", value: choices.join("|"), help, choices };
}

function inPlace<Option extends OptionSpec>(option: Option): Option {
  return { ...option, isInPlace: true };
}

export const COMMON_OPTIONS = [
  flag("json", "print JSON"),
  flag("skill", "for skills: print errors as text, and exit 0"),
  flag("help", "print this help"),
];

export const TRIM_SPEC = {
  name: "trim",
  positionals: "[SESSION]",
  options: [
    valued("threshold", "count", "N", "characters of a result to keep (500)"),
    valued("tool", "list", "NAME", "cut only the results of this tool"),
    valued("keep-recent", "count", "N", "newest results to keep whole (5)"),
    choice("depth", ["light", "deep"], "cut what is not needed (light), or more (deep)"),
    choice("keep", ["need", "head", "line"], "what to keep of a cut result (need)"),
    {
      ...valued("target-percent", "count", "P", "cut the least needed first, down to P percent"),
      max: 100,
    },
    valued("protect", "list", "GLOB", "keep results about these paths whole"),
    flag("drop-images", "replace each image or document with a line"),
    flag("dry-run", "show what would be freed, write nothing"),
    flag("explain", "list each cut with its reason"),
    inPlace(flag("entries", "list turns and the largest entries")),
    inPlace(valued("entry", "list", "LINE", "cut the entry at this line")),
    inPlace(valued("drop", "list", "LINES", "remove turns, such as 12-30 or #2-#4")),
    inPlace(flag("status", "show how full the window is, and why")),
    inPlace(flag("copy", "write a copy")),
    inPlace(flag("undo", "undo the last trim in place or compaction")),
  ],
  notes: ["The session itself is not changed."],
} satisfies CommandSpec;

export type TrimArguments = Arguments<typeof TRIM_SPEC.options[number]>;

export function optionsOf({ options = [] }: CommandSpec): OptionSpec[] {
  return [...options, ...COMMON_OPTIONS];
}

export function findOption(spec: CommandSpec, word: string): OptionSpec {
  const options = optionsOf(spec);
  const [dashed = word] = word.split("=", 1);
  const option = options.find((known) => dashed === `--${known.name}` || dashed === shortOf(known));
  if (option !== undefined) return option;
  const known = options.map(({ name }) => `--${name}`);
  const nearest = nearestName(dashed, known);
  const advice = nearest === null ? `. Options: ${known.join(", ")}` : `; did you mean ${nearest}?`;
  const hint = spec.positionals?.startsWith("PATTERN") === true
    ? `\nPut a pattern that starts with - after --: trimtab ${spec.name} -- ${dashed}`
    : "";
  refuse(spec, `unknown option ${dashed}${advice}${hint}`);
}

export function refuse(spec: CommandSpec, problem: string): never {
  throw new UsageError(`Cannot run ${spec.name}: ${problem}`);
}

export function usageOf({ name, positionals = "" }: CommandSpec): string {
  return `trimtab ${name} ${positionals}`.trimEnd();
}

function shortOf(option: OptionSpec): string | undefined {
  return option.short === undefined ? undefined : `-${option.short}`;
}

export function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function refuseTogether(spec: CommandSpec, names: readonly string[]): void {
  if (names.length > 1) refuse(spec, `--${names.join(" and --")} cannot be used together`);
}

export function helpText(spec: CommandSpec): string {
  const options = optionsOf(spec);
  const width = Math.max(...options.map((option) => labelOf(option).length));
  const rowsOf = (isInPlace: boolean): string[] =>
    options.filter((option) => (option.isInPlace === true) === isInPlace)
      .map((option) => {
        const help = wrapLines([optionHelp(option)], width + 4);
        return `  ${labelOf(option).padEnd(width)}  ${help.join("\n")}`;
      });
  const inPlace = rowsOf(true);
  return [
    summaryOf(spec.name),
    "",
    `Usage: ${usageOf(spec)} [OPTIONS]`,
    "",
    ...rowsOf(false),
    ...[
      spec.positionals === "[SESSION]" ? wrapLines(SESSION_NOTE) : [],
      wrapLines(spec.notes ?? []),
      inPlace.length === 0 ? [] : [IN_PLACE_TITLE, ...inPlace],
    ].filter((lines) => lines.length > 0).flatMap((lines) => ["", ...lines]),
  ].join("\n");
}

function labelOf(option: OptionSpec): string {
  const short = shortOf(option);
  return `${short === undefined ? "" : `${short}, `}${optionUsage(option)}`;
}

export function optionUsage({ name, type, value }: OptionSpec): string {
  return `--${name}${type === "flag" ? "" : ` ${value ?? "VALUE"}`}`;
}

export function optionHelp({ type, help }: OptionSpec): string {
  return type === "list" ? `${help}; repeatable` : help;
}
