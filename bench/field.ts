/**
 * Measures how much a tool frees, how much of that is needed later in the session, and whether its copies
 * resume. Authors of trimming tools can run it on their own machine, without a model or the network.
 *
 *     deno task bench:field [FOLDER] [--tool NAME=COMMAND]... [--points N] [--page FILE]
 *
 * `docs/background/bench.md` explains the measure and its limits.
 */

import { parseArgs } from "@std/cli";
import { existsSync } from "@std/fs";
import { quoteForShell } from "../src/core/shell.ts";
import { findConfigDir } from "../src/store/paths.ts";
import { chooseMoments, measureField } from "./field_measure.ts";
import { fieldPage } from "./field_page.ts";
import { writeTranscript } from "./generate.ts";
import { sessionsIn } from "./sessions.ts";
import { commandTrimmer, parseTool, type Trimmer } from "./trimmers.ts";

const GENERATED_BYTES = 3_000_000;

const HELP = `Measure how much trimming tools free, and how much of it is needed later.

Usage: deno task bench:field [FOLDER] [OPTIONS]

  --tool NAME=COMMAND  a tool to measure; repeatable. {in} in its command is a session, {out} the
                       smaller copy to write
  --points N           measure at most this many moments, evenly spaced (300)
  --min-chars N        only moments with at least this many characters of context (0); 120000
                       are about 40,000 tokens
  --resume             resume each copy in Claude Code, against a mock API; downloads Claude Code
                       from npm
  --page FILE          also write the page to a file
  --generated N        make N sessions from the demo instead of reading any
  --help               print this

FOLDER contains sessions (.jsonl), also in subfolders. Default: Claude Code's folder,
~/.claude/projects. All data stays on this machine; only FILE and a temporary folder are written.
`;

interface FieldOptions {
  readonly folder: string | undefined;
  readonly tools: readonly Trimmer[];
  readonly points: number;
  readonly minChars: number;
  readonly resume: boolean;
  readonly page: string | undefined;
  readonly generated: number | undefined;
}

function builtIn(): Trimmer[] {
  const localPath = (path: string): string => quoteForShell(`${import.meta.dirname}/${path}`);
  const deno = `${quoteForShell(Deno.execPath())} run --allow-read --allow-write`;
  const trimtab = `${localPath("../bin/trimtab")} trim {in} --json`;
  return [
    commandTrimmer("nothing", "cp {in} {out}"),
    commandTrimmer("newest 5", `${deno} ${localPath("newest.ts")} 5 {in} {out}`),
    commandTrimmer("trimtab light", trimtab),
    commandTrimmer("trimtab deep", `${trimtab} --depth deep`),
  ];
}

/**
 * @throws {RangeError} When a number is out of range.
 * @throws {SyntaxError} When an option is unknown, a tool is malformed, or two tools share a name.
 */
function readOptions(argv: readonly string[]): FieldOptions {
  const args = parseArgs([...argv], {
    string: ["tool", "points", "min-chars", "page", "generated"],
    boolean: ["resume"],
    collect: ["tool"],
    unknown: (arg) => {
      if (!arg.startsWith("-")) return true;
      throw new SyntaxError(`Unknown option ${arg}: see --help`);
    },
  });
  const [folder, second] = args._.map(String);
  if (second !== undefined) {
    throw new SyntaxError(`Cannot read two folders: name one, not ${second}`);
  }
  if (folder !== undefined && args.generated !== undefined) {
    throw new SyntaxError("Cannot use FOLDER with --generated: name a folder, or make sessions");
  }
  const tools = [...builtIn(), ...args.tool.map(parseTool)];
  const names = tools.map(({ name }) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) {
    throw new SyntaxError(`Two tools are called "${duplicate}": rename one`);
  }
  return {
    folder,
    tools,
    points: readCount("points", args.points ?? "300", 1),
    minChars: readCount("min-chars", args["min-chars"] ?? "0", 0),
    resume: args.resume,
    page: args.page,
    generated: args.generated === undefined ? undefined : readCount("generated", args.generated, 1),
  };
}

function readCount(option: string, text: string, min: number): number {
  if (/^\d+$/.test(text) && Number(text) >= min) return Number(text);
  throw new RangeError(
    `Cannot read --${option} "${text}": expected a whole number of ${min} or more`,
  );
}

function findSessions({ folder, generated }: FieldOptions, scratch: string): string[] {
  if (generated !== undefined) {
    return Array.from({ length: generated }, (_, index) => {
      const path = `${scratch}/${index + 1}.jsonl`;
      writeTranscript(path, GENERATED_BYTES);
      return path;
    });
  }
  const root = folder ?? `${findConfigDir() ?? "."}/projects`;
  const isThere = existsSync(root);
  const files = isThere ? sessionsIn([root]) : [];
  if (files.length > 0) return files;
  throw new Deno.errors.NotFound(
    `Cannot find sessions in ${root}: ${isThere ? "no .jsonl file" : "no such folder"}. ` +
      "Name a folder that contains sessions, or add --generated 10 to make some",
  );
}

async function runField(
  options: FieldOptions,
  log: (progress: string) => void,
): Promise<string> {
  const scratch = Deno.makeTempDirSync({ prefix: "bench-field-" });
  try {
    const files = findSessions(options, scratch);
    const chosen = chooseMoments(files, options, log);
    if (chosen.length === 0) {
      throw new RangeError(
        `Cannot measure: none of ${files.length} sessions has 20 results between two compactions ` +
          `and ${options.minChars} characters. Name longer sessions, or add --generated 10`,
      );
    }
    const rows = await measureField(options.tools, chosen, {
      onSession: (index) => log(`session ${index + 1} of ${chosen.length}`),
      resume: options.resume ? (await import("./resume.ts")).resumeFault : undefined,
    });
    const isGenerated = options.generated !== undefined;
    return fieldPage(rows, { sessions: chosen.length, isGenerated });
  } finally {
    Deno.removeSync(scratch, { recursive: true });
  }
}

async function main(): Promise<number> {
  if (Deno.args.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  try {
    const options = readOptions(Deno.args);
    const page = await runField(options, (progress) => console.error(progress));
    console.log(page);
    if (options.page !== undefined) Deno.writeTextFileSync(options.page, page);
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(error.message);
    return error instanceof SyntaxError ? 2 : 1;
  }
}

if (import.meta.main) Deno.exit(await main());
