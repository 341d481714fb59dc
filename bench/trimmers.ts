/**
 * Runs tools that trim on the past of a session, in a temporary folder.
 *
 * @module
 */

import { type TrimOptions, trimTranscript } from "../src/trim/trim_transcript.ts";

/** Something that trims. */
export interface Trimmer {
  /** The name of the row. */
  readonly name: string;
  /** Trims a file; gives back the trimmed one. */
  trim(input: string, output: string): string;
}

/** A past that was trimmed. */
export interface Trimmed {
  /** The lines of the copy. */
  readonly lines: readonly string[];
  /** The time that the trim took, in milliseconds. */
  readonly ms: number;
}

/** Trimtab's own trim, in this process. */
export function own(name: string, options: Omit<TrimOptions, "input" | "output">): Trimmer {
  return {
    name,
    trim: (input, output) => {
      trimTranscript({ keepRecent: 5, ...options, input, output });
      return output;
    },
  };
}

/**
 * Reads a tool that is given as `NAME=COMMAND`.
 *
 * @throws {SyntaxError} When the name or the place of the session is missing.
 */
export function readTool(spec: string): Trimmer {
  const at = spec.indexOf("=");
  const [name, command] = [spec.slice(0, Math.max(0, at)).trim(), spec.slice(at + 1).trim()];
  if (name === "" || command === "") {
    throw new SyntaxError(`Cannot read the tool "${spec}": write NAME=COMMAND`);
  }
  if (!command.includes("{in}")) {
    throw new SyntaxError(
      `Cannot run the tool "${name}": its command does not say where the session goes; ` +
        "write {in} there, and {out} for the file to write",
    );
  }
  return commandTrimmer(name, command);
}

/**
 * A program that trims: the shell runs its command with the session for `{in}` and a file to write for
 * `{out}`. Without `{out}`, the program prints JSON with the path of its copy as `output`, or changes
 * the session itself.
 */
export function commandTrimmer(name: string, command: string): Trimmer {
  return {
    name,
    trim: (input, output) => {
      const line = command.replaceAll("{in}", quoted(input)).replaceAll("{out}", quoted(output));
      const run = new Deno.Command("/bin/sh", { args: ["-c", line], env: envFor(input) })
        .outputSync();
      const stdout = new TextDecoder().decode(run.stdout);
      if (!run.success) {
        const said = new TextDecoder().decode(run.stderr).trim() || stdout.trim() || "no message";
        throw new Error(`exit code ${run.code}: ${said.split("\n").at(-1)}`);
      }
      const written = writtenBy(stdout) ?? (isFile(output) ? output : undefined);
      if (written === undefined && command.includes("{out}")) {
        throw new Error("it ended with exit code 0 and wrote no {out}");
      }
      return written ?? input;
    },
  };
}

export function quoted(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

/** Tools find the client's folder, and trimtab its project, in the temporary folder. */
function envFor(input: string): Record<string, string> {
  const root = input.slice(0, input.lastIndexOf("/.claude/"));
  return { CLAUDE_CONFIG_DIR: `${root}/.claude`, CLAUDE_PROJECT_DIR: root };
}

function writtenBy(stdout: string): string | undefined {
  try {
    const { output } = JSON.parse(stdout);
    return typeof output === "string" ? output : undefined;
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** Trims the past of a session in a folder that looks like the client's. */
export function trimPast(trimmer: Trimmer, past: readonly string[]): Trimmed {
  const root = Deno.makeTempDirSync({ prefix: "bench-" });
  try {
    const folder = `${root}/.claude/projects/-work`;
    Deno.mkdirSync(folder, { recursive: true });
    const id = past.map((line) => /"sessionId":"([0-9a-f-]{36})"/.exec(line)?.[1])
      .find((found) => found !== undefined) ?? "11111111-2222-4333-8444-555555555555";
    const input = `${folder}/${id}.jsonl`;
    Deno.writeTextFileSync(input, past.join("\n") + "\n");
    const start = performance.now();
    const copy = trimmer.trim(input, `${root}/out.jsonl`);
    const ms = performance.now() - start;
    return { lines: Deno.readTextFileSync(copy).split("\n").filter(Boolean), ms };
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}
