/**
 * The interface of a fuzz target, and helpers that all targets share.
 *
 * @module
 */

import { SnapshotNotFoundError } from "../../src/saved/read.ts";
import { ConfigError } from "../../src/config/problem.ts";
import { UnknownSessionError } from "../../src/designs/sessions.ts";
import { SessionNotFoundError } from "../../src/transcript/find.ts";
import { UsageError } from "../../cli/spec.ts";
import type { Random } from "./random.ts";
import type { Seeds } from "./seeds.ts";
import { SESSION } from "./seed_lines.ts";
import "../own_config.ts";

/** The files and texts of a case by name, with one character per byte. */
export type Parts = Readonly<Record<string, string>>;

/** The folders and files of a case. */
export interface Place {
  /** The folder that contains the others. */
  readonly root: string;
  readonly project: string;
  /** The client's configuration folder. */
  readonly config: string;
  readonly transcript: string;
  /** A file that does not exist yet, in the folder of the transcript. */
  readonly output: string;
  /** Looks up an environment variable, as hooks do. */
  readonly env: (name: string) => string | undefined;
}

/** A part of trimtab to fuzz. */
export interface Target {
  readonly name: string;
  /** Relative frequency. */
  readonly weight: number;
  /** Whether it may reject its input with a documented error. */
  readonly mayRefuse: boolean;
  /** Makes the input of a case, whose folders do not exist yet. */
  make(random: Random, seeds: Seeds, place: Place): Parts;
  /** Runs the case, and throws if a check fails. */
  run(parts: Parts, place: Place, random: Random): void | Promise<void>;
}

/** A failed check. */
export class BrokenPromise extends Error {
  override name = "BrokenPromise";
}

/** Throws unless a condition holds. */
export function must(holds: boolean, what: string, seen?: unknown): asserts holds {
  if (holds) return;
  const shown = seen === undefined ? "" : `: ${Deno.inspect(seen).slice(0, 600)}`;
  throw new BrokenPromise(what + shown);
}

/** Makes the folders of a case. */
export function createPlace({ project, transcript }: Place): void {
  Deno.mkdirSync(project, { recursive: true });
  Deno.mkdirSync(transcript.slice(0, transcript.lastIndexOf("/")), { recursive: true });
}

/** The folders of a case below a root. */
export function placeAt(root: string): Place {
  const project = `${root}/project`;
  const config = `${root}/home/.claude`;
  const sessions = `${config}/projects/-project`;
  const variables: Readonly<Record<string, string>> = {
    HOME: `${root}/home`,
    CLAUDE_PROJECT_DIR: project,
  };
  return {
    root,
    project,
    config,
    transcript: `${sessions}/${SESSION}.jsonl`,
    output: `${sessions}/7a117a11-0000-4000-8000-00000000beef.jsonl`,
    env: (name) => Object.hasOwn(variables, name) ? variables[name] : undefined,
  };
}

const OWN_ERRORS = [
  ConfigError,
  SessionNotFoundError,
  SnapshotNotFoundError,
  UnknownSessionError,
  UsageError,
];

/** Trimtab's own messages: what could not be done, a colon, and why. */
const OWN_MESSAGE =
  /^Cannot [^]{3,}?: [^]|^Cannot run [^]| at line \d+, column \d+|^it (?:is|has) |\(os error \d+\)/;

/** A path that no system accepts; hooks pass the error on to the client, which ignores it. */
const NO_PATH = /^file name contained an unexpected NUL byte: /;

/** The engine's words for an error in the program, in an error of any class. */
const ENGINE_MESSAGE =
  /Cannot read propert|is not a function|is not iterable|is not defined|of undefined|of null \(|call stack|Invalid (?:array|string|count|time|regular)|before initialization|not a valid (?:hex|url)/i;

/** Whether callers can expect this error. */
export function isDocumented(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof BrokenPromise) return false;
  if (OWN_ERRORS.some((one) => error instanceof one)) return error.message !== "";
  if (NO_PATH.test(error.message)) return true;
  if (ENGINE_MESSAGE.test(error.message)) return false;
  const isOfSystem = Object.values(Deno.errors).some((one) => error instanceof one);
  return isOfSystem || OWN_MESSAGE.test(error.message);
}

/** Whether the prototypes that all objects share are unchanged. */
export function isUnpolluted(): boolean {
  return !("polluted" in {}) && Object.keys(Object.prototype).length === 0 &&
    !("polluted" in Object) && !("polluted" in Array.prototype);
}
