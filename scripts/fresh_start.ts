/**
 * `trimtab fresh-start`: prints a snapshot as the prompt of a fresh session, with how to go on.
 *
 * @module
 */

import { injectCompactedContext, prepareFreshStart } from "../src/saved/snapshot/fresh_start.ts";
import { findSnapshot } from "../src/saved/snapshot/list.ts";
import { readSnapshot } from "../src/saved/snapshot/read.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { locateProject } from "../cli/project.ts";
import type { Arguments, CommandSpec } from "../cli/spec.ts";

/** What `trimtab fresh-start` takes. */
export const FRESH_START_SPEC: CommandSpec = {
  name: "fresh-start",
  summary: "Print a snapshot as the prompt of a fresh session, with how to go on.",
  positionals: "[ID]",
  positionalCount: [0, 1],
  options: [],
  notes: [
    "ID is an id, the beginning of one, a name or a path; left out or `latest`, the newest snapshot.",
  ],
};

/** Runs the command. */
export function run(argv: readonly string[]): Promise<number> {
  return runCommand(FRESH_START_SPEC, argv, freshStart);
}

function freshStart(args: Arguments): CommandOutput {
  const { projectDir } = locateProject();
  const [wanted = "latest"] = args.positionals;
  const start = prepareFreshStart(wanted, { projectDir });
  if (start === null) {
    // That nothing was saved yet is no failure; that what was named is not there is one.
    if (wanted !== "latest") findSnapshot(wanted, { projectDir });
    const json = { snapshot_id: null, prompt: null, instructions: null };
    return { json, text: injectCompactedContext(wanted, { projectDir }) };
  }
  const snapshot = readSnapshot(findSnapshot(wanted, { projectDir }));
  const { prompt, instructions } = start;
  const json = { snapshot_id: snapshot.snapshot_id, prompt, instructions };
  return { json, text: `${prompt}\n\n${instructions}` };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
