/** Runs trimming tools on the earlier part of a session, in a temporary folder. */

import { isObject } from "../src/core/record.ts";
import { quoteForShell } from "../src/core/shell.ts";
import { isFile } from "../src/store/exists.ts";
import { type TrimOptions, trimTranscript } from "../src/trim/trim_transcript.ts";
import { parse } from "./regret_points.ts";
import { linesIn } from "./sessions.ts";

export interface Trimmer {
  readonly name: string;
  trim(input: string, output: string): Written;
}

export interface Written {
  readonly path: string;
  /** Percentage of the session that the tool reports as freed; undefined if it reports none. */
  readonly claimed?: number | undefined;
}

export interface Trimmed {
  readonly lines: readonly string[];
  readonly ms: number;
  readonly claimed: number | undefined;
}

export function trimtabTrimmer(
  name: string,
  options: Omit<TrimOptions, "input" | "output">,
): Trimmer {
  return {
    name,
    trim: (input, output) => {
      trimTranscript({ keepRecent: 5, ...options, input, output });
      return { path: output };
    },
  };
}

/**
 * Parses a tool that is given as `NAME=COMMAND`.
 *
 * @throws {SyntaxError} When the name, the command or its placeholder for the session is missing.
 */
export function parseTool(spec: string): Trimmer {
  const equals = spec.indexOf("=");
  const [name, command] = [
    spec.slice(0, Math.max(0, equals)).trim(),
    spec.slice(equals + 1).trim(),
  ];
  if (name === "" || command === "") {
    throw new SyntaxError(`Cannot read the tool "${spec}": write NAME=COMMAND`);
  }
  if (!command.includes("{in}")) {
    throw new SyntaxError(
      `Cannot run the tool "${name}": its command has no placeholder for the session; ` +
        "write {in} for the session, and {out} for the file to write",
    );
  }
  return commandTrimmer(name, command);
}

/**
 * Makes a tool from a program. The shell runs its command, in which `{in}` is replaced by the session and
 * `{out}` by a file to write. Without `{out}`, the program prints JSON with the path of its copy as `output`,
 * or changes the session in place.
 */
export function commandTrimmer(name: string, command: string): Trimmer {
  return {
    name,
    trim: (input, output) => {
      const line = command.replaceAll("{in}", quoteForShell(input))
        .replaceAll("{out}", quoteForShell(output));
      const run = new Deno.Command("/bin/sh", { args: ["-c", line], env: envFor(input) })
        .outputSync();
      const stdout = new TextDecoder().decode(run.stdout);
      if (!run.success) {
        const message = new TextDecoder().decode(run.stderr).trim() || stdout.trim() ||
          "no message";
        throw new Error(`exit code ${run.code}: ${message.split("\n").at(-1)}`);
      }
      const written = writtenBy(stdout) ?? (isFile(output) ? output : undefined);
      if (written === undefined && command.includes("{out}")) {
        throw new Error("it exited with code 0 but did not write {out}");
      }
      return { path: written ?? input, claimed: readClaim(stdout) };
    },
  };
}

/** Keeps a tool out of the user's own folders: both variables point into the temporary folder. */
function envFor(input: string): Record<string, string> {
  const root = input.slice(0, input.lastIndexOf("/.claude/"));
  return { CLAUDE_CONFIG_DIR: `${root}/.claude`, CLAUDE_PROJECT_DIR: root };
}

function writtenBy(stdout: string): string | undefined {
  const output = parse(stdout)?.output;
  return typeof output === "string" ? output : undefined;
}

/**
 * Returns the percentage that a tool claims to have freed. Reads `freed_percent` or `context_chars` from its
 * JSON, else the first percentage in a line with "freed" or "saved".
 */
function readClaim(stdout: string): number | undefined {
  const json: unknown = parse(stdout);
  if (!isObject(json)) {
    const [, percent] = /\b(?:freed|saved)\b.*?(\d+(?:\.\d+)?) ?%/i.exec(stdout) ?? [];
    return percent === undefined ? undefined : Number(percent);
  }
  const { freed_percent: freed, context_chars: chars } = json;
  if (typeof freed === "number") return freed;
  const { before, after } = isObject(chars) ? chars : {};
  if (typeof before !== "number" || typeof after !== "number" || before === 0) return undefined;
  return 100 * (before - after) / before;
}

export function trimPast(trimmer: Trimmer, past: readonly string[]): Trimmed {
  const root = Deno.makeTempDirSync({ prefix: "bench-" });
  try {
    const folder = `${root}/.claude/projects/-work`;
    Deno.mkdirSync(folder, { recursive: true });
    const id = past.map((line) => /"sessionId":"([0-9a-f-]{36})"/.exec(line)?.[1]).find(Boolean) ??
      "11111111-2222-4333-8444-555555555555";
    const input = `${folder}/${id}.jsonl`;
    Deno.writeTextFileSync(input, past.join("\n") + "\n");
    const start = performance.now();
    const { path, claimed } = trimmer.trim(input, `${root}/out.jsonl`);
    const ms = performance.now() - start;
    return { lines: linesIn(path), ms, claimed };
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}
