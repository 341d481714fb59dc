/** Defines the interface of a fuzz target, and helpers that all targets share. */

import { ensureDirSync } from "@std/fs";
import { SaveNotFoundError } from "../../src/saved/read.ts";
import { ConfigError } from "../../src/config/problem.ts";
import { UnknownSessionError } from "../../src/designs/sessions.ts";
import { SessionNotFoundError } from "../../src/transcript/find.ts";
import { UsageError } from "../../cli/spec.ts";
import { writeBytes } from "./bytes.ts";
import type { Random } from "./random.ts";
import type { Seeds } from "./seeds.ts";
import { SESSION } from "./seed_lines.ts";
import "../own_config.ts";

/** File contents and texts by name, with one character per byte. */
export type Parts = Readonly<Record<string, string>>;

export interface Place {
  readonly root: string;
  readonly project: string;
  readonly config: string;
  readonly transcript: string;
  /** Path for a copy in the transcript's folder; the file does not exist yet. */
  readonly output: string;
  readonly env: (name: string) => string | undefined;
}

export interface Target {
  readonly name: string;
  readonly weight: number;
  /** Whether the target may reject its input with a documented error. @default {false} */
  readonly mayRefuse?: boolean;
  /** Makes the input of a case, before the folders exist. */
  make(random: Random, seeds: Seeds, place: Place): Parts;
  run(parts: Parts, place: Place, random: Random): void | Promise<void>;
}

export class FailedCheck extends Error {
  override name = "FailedCheck";
}

/** @param expected A noun phrase for the error message. */
export function must(condition: boolean, expected: string, seen?: unknown): asserts condition {
  if (condition) return;
  const details = seen === undefined ? "" : `: ${Deno.inspect(seen).slice(0, 600)}`;
  throw new FailedCheck(`expected ${expected}${details}`);
}

export function createPlace({ project, transcript }: Place): void {
  ensureDirSync(project);
  ensureDirSync(transcript.slice(0, transcript.lastIndexOf("/")));
}

/** Files of a project that a case may damage, keyed by the name of their part in the case. */
export const PROJECT_FILES: Readonly<Record<string, string>> = {
  state: `.claude/trimtab/state/${SESSION}.json`,
  lineage: ".claude/trimtab/sessions.json",
  left: ".claude/trimtab/left.json",
  config: ".claude/trimtab.toml",
  settings: ".claude/settings.json",
  checkpoint: ".claude/checkpoints/2026-03-01-120000.md",
  snapshot: ".claude/runtime/context-snapshots/20260301_120000.json",
};

export function writeParts({ session = "", ...parts }: Parts, place: Place): void {
  writeBytes(place.transcript, session);
  for (const [name, file] of Object.entries(PROJECT_FILES)) {
    if (parts[name] !== undefined) writeFile(`${place.project}/${file}`, parts[name]);
  }
}

export function writeFile(path: string, text: string): void {
  ensureDirSync(path.slice(0, path.lastIndexOf("/")));
  writeBytes(path, text);
}

export function placeAt(root: string): Place {
  const project = `${root}/project`;
  const config = `${root}/home/.claude`;
  const sessions = `${config}/projects/-project`;
  const variables = new Map([["HOME", `${root}/home`], ["CLAUDE_PROJECT_DIR", project]]);
  return {
    root,
    project,
    config,
    transcript: `${sessions}/${SESSION}.jsonl`,
    output: `${sessions}/7a117a11-0000-4000-8000-00000000beef.jsonl`,
    env: (name) => variables.get(name),
  };
}

const OWN_ERRORS = [
  ConfigError,
  SessionNotFoundError,
  SaveNotFoundError,
  UnknownSessionError,
  UsageError,
];

/** Matches trimtab's own messages, and messages with a position in a file or an error code of the system. */
const OWN_MESSAGE =
  /^Cannot [^]{3,}?: [^]|^Cannot run [^]| at line \d+, column \d+|^it (?:is|has) |\(os error \d+\)/;

/** Matches the error for a path with a NUL. Hooks pass it on to the client, which ignores it. */
const NUL_IN_PATH = /^file name contained an unexpected NUL byte: /;

const ENGINE_MESSAGE =
  /Cannot read propert|is not a function|is not iterable|is not defined|of undefined|of null \(|call stack|Invalid (?:array|string|count|time|regular)|before initialization|not a valid (?:hex|url)/i;

export function isDocumented(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof FailedCheck) return false;
  if (OWN_ERRORS.some((type) => error instanceof type)) return error.message !== "";
  if (NUL_IN_PATH.test(error.message)) return true;
  if (ENGINE_MESSAGE.test(error.message)) return false;
  const isSystemError = Object.values(Deno.errors).some((type) => error instanceof type);
  return isSystemError || OWN_MESSAGE.test(error.message);
}

export function isUnpolluted(): boolean {
  return !("polluted" in {}) && Object.keys(Object.prototype).length === 0 &&
    !("polluted" in Object) && !("polluted" in Array.prototype);
}
