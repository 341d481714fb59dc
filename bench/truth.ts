/**
 * Counts the errors in restored text, without a model as a judge. Cuts each session once, as `continuity.ts`
 * does, and checks the text that is restored at that point.
 *
 *     deno run -A bench/truth.ts FOLDER|FILE...
 *
 * In the printed table, the row `restore` stands for three texts with the same body: the text after `/clear`,
 * the output of `trimtab restore`, and a handoff without text from a model. `standard` is a rehydrated
 * snapshot, `handoff` is the full prompt for the next session, and `summary` is the client's own summary.
 *
 * @module
 */

import { ownWords } from "../src/transcript/own_words.ts";
import { commandRuns } from "../src/core/shell_commands.ts";
import { type Cut, cutOf, textsOf } from "./continuity.ts";
import { sessionsIn } from "./sessions.ts";

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

export function measureTruth(files: readonly string[]): { [kind: string]: Truth } {
  const all = files.map((file) => cutOf(Deno.readTextFileSync(file).split("\n")))
    .filter((cut) => cut !== null)
    .flatMap((cut) =>
      Object.entries(textsOf(cut)).map(([kind, text]) => [kind, truthOf(text, cut)] as const)
    );
  const kinds = Map.groupBy(all, ([kind]) => kind);
  return Object.fromEntries([...kinds].map(([kind, rows]) => [
    kind,
    rows.map(([, row]) => row).reduce((a, b) => ({
      texts: a.texts + b.texts,
      promptMissing: a.promptMissing + b.promptMissing,
      falseOpen: a.falseOpen + b.falseOpen,
      clientWords: a.clientWords + b.clientWords,
      brokenCommands: a.brokenCommands + b.brokenCommands,
      noise: (a.noise * a.texts + b.noise) / (a.texts + 1),
    })),
  ]));
}

if (import.meta.main) {
  const files = sessionsIn(Deno.args);
  console.log(`${files.length} sessions of ${Deno.args.join(", ")}`);
  const rows = Object.entries(measureTruth(files));
  console.table(
    Object.fromEntries(rows.map(([kind, row]) => [kind, { ...row, noise: Math.round(row.noise) }])),
  );
}
