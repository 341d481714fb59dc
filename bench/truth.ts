/** Counts the errors in restored text, without a model as a judge. */

import { ownWords } from "../src/transcript/own_words.ts";
import { commandRuns } from "../src/core/shell_commands.ts";
import type { Cut } from "./continuity.ts";

/** Matches text that the client or a skill writes, but never the user. */
const CLIENT =
  /Read the output file to retrieve the result|Full transcript available at|The user wants to clarify these questions|Base directory for this skill|Context Usage|Auto-compact window/;

/** Matches a command from which a part is missing. */
const BROKEN = /\$\(cat \)|^- `(?:repo|pr) (?:view|list|create)/;

const OPEN = /^- Open: `(.*?)` fails/;

/** Matches steps that only inspected something. Lines with such steps are noise. */
const LOOK_UP =
  /^- (?:Bash (?:git (?:status|diff|log|show)|ls|cat|grep|find)|Grep|Read|Glob|Skill|LSP|ToolSearch)\b/;

/** Minimum length of a prompt that must appear in the text; shorter ones may be paraphrased. */
const MIN_PROMPT_CHARS = 12;
const PROMPT_CHARS = 100;
const KEY_CHARS = 40;

export interface Truth {
  readonly texts: number;
  readonly promptMissing: number;
  /** Failures that the text lists as open, although the command later passed or the work was committed. */
  readonly falseOpen: number;
  readonly clientWords: number;
  readonly brokenCommands: number;
  /** Percentage of lines that are useless to the reader. */
  readonly noise: number;
}

export function truthOf(text: string, cut: Cut): Truth {
  const runs = runsOf(cut);
  const lines = text.split("\n").filter((line) => line.trim() !== "" && !/^[<#]/.test(line));
  const count = (isWrong: (line: string) => boolean): number => lines.filter(isWrong).length;
  const prompt = plain(promptsOf(cut).at(-1) ?? "").slice(0, PROMPT_CHARS);
  const names = text.split(/^#+ /m).find((section) => section.startsWith("Names"))?.split("\n");
  const noise = count((line) =>
    (LOOK_UP.test(line) && !line.includes("failed")) || names?.includes(line) === true
  );
  return {
    texts: 1,
    promptMissing: plain(text).includes(prompt) ? 0 : 1,
    falseOpen: count((line) => isFalseOpen(line, runs)),
    clientWords: count((line) => CLIENT.test(line)),
    brokenCommands: count((line) => BROKEN.test(line)),
    noise: lines.length === 0 ? 0 : 100 * noise / lines.length,
  };
}

interface Run {
  readonly words: string;
  readonly isFailed: boolean;
}

function runsOf({ past }: Cut): Run[] {
  const commands = new Map(
    past.filter(({ kind, toolName }) => kind === "use" && toolName === "Bash")
      .map(({ id, input }) => [id, String(input?.command ?? "")]),
  );
  return past.filter(({ kind }) => kind === "result").flatMap(({ id, text }) => {
    const isFailed = /^(?:Error: )?Exit code [1-9]/.test(text);
    return commandRuns(commands.get(id) ?? "", { output: text, isFailed, isError: isFailed });
  });
}

function isFalseOpen(line: string, runs: readonly Run[]): boolean {
  const key = OPEN.exec(line)?.[1]?.replace(/…$/, "").slice(0, KEY_CHARS) ?? "";
  const lastFailure = runs.findLastIndex(({ words, isFailed }) =>
    key !== "" && isFailed && words.includes(key)
  );
  const program = key.split(" ").slice(0, 2).join(" ");
  return lastFailure >= 0 &&
    runs.slice(lastFailure + 1).some(({ words, isFailed }) =>
      !isFailed && (words.startsWith(program) || /^git (?:commit|push)\b/.test(words))
    );
}

function promptsOf({ past, lines }: Cut): string[] {
  return past.filter(({ kind, role, line }) =>
    kind === "text" && role === "user" &&
    !/"is(?:Meta|CompactSummary)":true/.test(lines[line] ?? "")
  ).map(({ text }) => ownWords(text)).filter((text) => plain(text).length >= MIN_PROMPT_CHARS);
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

export function addTruths(all: readonly Truth[]): Truth {
  const sum = (count: (truth: Truth) => number): number =>
    all.reduce((total, truth) => total + count(truth), 0);
  return {
    texts: sum(({ texts }) => texts),
    promptMissing: sum(({ promptMissing }) => promptMissing),
    falseOpen: sum(({ falseOpen }) => falseOpen),
    clientWords: sum(({ clientWords }) => clientWords),
    brokenCommands: sum(({ brokenCommands }) => brokenCommands),
    noise: Math.round(sum(({ noise }) => noise) / all.length),
  };
}
