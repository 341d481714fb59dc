/**
 * Watches how commands and hooks end, what they print, and whether they stay in their own folders.
 */

import type { ChildResult } from "../../tools/child.ts";
import { command, hook } from "./actor.ts";
import { CANARY, fingerprint, type World } from "./world.ts";

/** Maximum time of a command or hook. If it takes longer, it probably waited for a pipe. */
const MAX_MS = 5_000;

/** Forbidden in output: control characters except tab and newline, and bidirectional controls. */
// deno-lint-ignore no-control-regex
export const CONTROL_CHARACTERS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

const TRACE = /\n {4}at |Uncaught|file:\/\/\//;

export class Watcher {
  cases = 0;
  /** Each problem is one sentence. */
  readonly problems: string[] = [];
  readonly #world: World;
  readonly #ignoresOutside: boolean;
  #outside: string;

  /** @param options `ignoresOutside` skips the check of the outside files. */
  constructor(world: World, { ignoresOutside = false }: { ignoresOutside?: boolean } = {}) {
    this.#world = world;
    this.#ignoresOutside = ignoresOutside;
    this.#outside = this.#look();
  }

  #look(): string {
    return this.#ignoresOutside ? "" : fingerprint(this.#world.outside);
  }

  reset(): void {
    this.#outside = this.#look();
  }

  /** Runs a command; `isRefused` means that the command must exit with 1 or 2 and an error. */
  async command(
    label: string,
    name: string,
    argv: readonly string[],
    { isRefused = false, stdin = "" }: { isRefused?: boolean; stdin?: string } = {},
  ): Promise<ChildResult> {
    const caseName = `${name}: ${label}`;
    const result = await this.#timed(caseName, () => command(name, argv, stdin));
    const { code, stderr } = result;
    if (![0, 1, 2, 3].includes(code)) {
      this.#add(caseName, `ended in ${code}: ${stderr.slice(0, 600)}`);
    }
    if (isRefused && code !== 1 && code !== 2) this.#add(caseName, `was not refused: ${code}`);
    if (isRefused && `${result.stdout}${stderr}`.trim() === "") this.#add(caseName, "was silent");
    if (TRACE.test(stderr)) this.#add(caseName, `printed a trace: ${stderr.slice(0, 300)}`);
    return result;
  }

  async hook(label: string, name: string, payload: Record<string, unknown>): Promise<ChildResult> {
    const caseName = `hook ${name}: ${label}`;
    const result = await this.#timed(caseName, () => hook(name, payload));
    const { stdout, stderr } = result;
    if (stderr !== "") this.#add(caseName, `printed to stderr: ${stderr.slice(0, 300)}`);
    if (stdout !== "" && name !== "pre_compact" && !isObject(stdout)) {
      this.#add(caseName, `printed no JSON: ${stdout.slice(0, 300)}`);
    }
    return result;
  }

  expect(isRight: boolean, caseName: string): void {
    if (!isRight) this.problems.push(caseName);
  }

  async #timed(caseName: string, work: () => Promise<ChildResult>): Promise<ChildResult> {
    this.cases++;
    // If the process hangs, the last note identifies the case.
    note(caseName);
    const start = performance.now();
    const result = await work();
    const ms = performance.now() - start;
    if (ms > MAX_MS) this.#add(caseName, `took ${Math.round(ms)} ms`);
    const printed = result.stdout + result.stderr;
    if (printed.includes(CANARY)) {
      this.#add(caseName, `printed the canary: ${around(printed, CANARY)}`);
    }
    // `show` prints raw text to a pipe; tests/scripts/show_test.ts covers its output on a terminal.
    const shown = caseName.startsWith("show: ") ? result.stderr : printed;
    const [control] = CONTROL_CHARACTERS.exec(shown) ?? [];
    if (control !== undefined) {
      this.#add(caseName, `printed ${JSON.stringify(control)}: ${around(printed, control)}`);
    }
    const outside = this.#look();
    if (outside !== this.#outside) {
      this.#add(caseName, `changed the files outside: ${newLine(this.#outside, outside)}`);
    }
    this.#outside = outside;
    return result;
  }

  #add(caseName: string, problem: string): void {
    this.problems.push(`${caseName.slice(0, 200)} ${problem}`);
  }
}

function newLine(before: string, after: string): string {
  const known = new Set(before.split("\n"));
  return after.split("\n").find((line) => !known.has(line)) ?? "something is gone";
}

export function around(text: string, word: string): string {
  const index = text.indexOf(word);
  return JSON.stringify(text.slice(Math.max(0, index - 80), index + 80));
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

let last: Deno.FsFile | undefined;

/** Opens the file in which `note()` records the running case, in case the process hangs. */
export function noteCasesIn(path: string): void {
  last = Deno.openSync(path, { write: true, create: true, truncate: true });
}

function note(caseName: string): void {
  if (last === undefined) return;
  last.seekSync(0, Deno.SeekMode.Start);
  last.writeSync(new TextEncoder().encode(caseName.slice(0, 200).padEnd(200)));
}
