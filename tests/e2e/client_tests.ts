/**
 * Declares tests with the real client. A test that this machine cannot run is ignored, and its name shows
 * what the machine lacks.
 */

import { CORPUS, isCorpusMissing } from "../corpus/corpus.ts";
import { testInFull } from "../full.ts";
import { hasTmux } from "./bed/terminal.ts";
import { isNewerClient } from "./bed/version.ts";

const TMUX = hasTmux() ? [] : ["tmux"];
const MODULES = await isNewerClient() ? [] : ["a client with modules"];
const SESSIONS = isCorpusMissing ? [`sessions in ${CORPUS}`] : [];

type Declare = (name: string, fn: Deno.TestDefinition["fn"]) => void;

/** Kinds of tests, by their requirements. Kinds with `full` in their name run only in full runs. */
export const test = {
  module: declare(Deno.test, MODULES),
  moduleInTerminal: declare(Deno.test, [...TMUX, ...MODULES]),
  moduleWithCorpus: declare(Deno.test, [...MODULES, ...SESSIONS]),
  full: declare(testInFull, []),
  fullInTerminal: declare(testInFull, TMUX),
  fullModule: declare(testInFull, MODULES),
  fullModuleInTerminal: declare(testInFull, [...TMUX, ...MODULES]),
  fullModuleWithCorpus: declare(testInFull, [...MODULES, ...SESSIONS]),
};

function declare(
  register: (test: Deno.TestDefinition) => void,
  missing: readonly string[],
): Declare {
  const ignore = missing.length > 0;
  const reason = ignore ? ` (ignored: no ${missing.join(", no ")})` : "";
  return (name, fn) => register({ name: `${name}${reason}`, ignore, fn });
}
