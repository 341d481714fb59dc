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

/** The files and texts that a case is made of, by name, one character a byte. */
export type Parts = Readonly<Record<string, string>>;

/** A project and a home of one case. */
export interface Place {
  /** The folder that contains the others. */
  readonly root: string;
  /** The folder of the project. */
  readonly project: string;
  /** The client's configuration folder. */
  readonly config: string;
  /** Where the session is. */
  readonly transcript: string;
  /** A file that is not there yet, in the same folder. */
  readonly output: string;
  /** Looks up what a hook sees of the environment. */
  readonly env: (name: string) => string | undefined;
}

/** One way into trimtab. */
export interface Target {
  /** Name in a report. */
  readonly name: string;
  /** Relative frequency. */
  readonly weight: number;
  /** Whether it may refuse its input by one of the documented errors. */
  readonly mayRefuse: boolean;
  /** Makes the input of a case, whose folders are not there yet. */
  make(random: Random, seeds: Seeds, place: Place): Parts;
  /** Runs it, and throws where something is not as it must be. */
  run(parts: Parts, place: Place, random: Random): void | Promise<void>;
}

/** Something is not as it must be. */
export class BrokenPromise extends Error {
  override name = "BrokenPromise";
}

/** Throws unless something holds. */
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

/** Where the folders of a case are to be. */
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

/** Every error of ours says what could not be done, a colon, and why. */
const OWN_MESSAGE =
  /^Cannot [^]{3,}?: [^]|^Cannot run [^]| at line \d+, column \d+|^it (?:is|has) |\(os error \d+\)/;

/** A path that no system accepts; hooks pass the error on to the client, which ignores it. */
const NO_PATH = /^file name contained an unexpected NUL byte: /;

/** The engine's words for an error in the program, in whatever class. */
const ENGINE_MESSAGE =
  /Cannot read propert|is not a function|is not iterable|is not defined|of undefined|of null \(|call stack|Invalid (?:array|string|count|time|regular)|before initialization|not a valid (?:hex|url)/i;

/** Whether an error is documented for callers. */
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
