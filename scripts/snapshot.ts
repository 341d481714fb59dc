/**
 * `trimtab snapshot`: saves what a session was doing as JSON, to restore at three levels of detail.
 */

import { grouped } from "../src/inject/bound.ts";
import { sessionWorkState, unreadWarning } from "../src/saved/checkpoint/session.ts";
import { readPlanning } from "../src/extract/planning.ts";
import { snapshotOf } from "../src/saved/snapshot/snapshot.ts";
import { saveSnapshot } from "../src/saved/snapshot/store.ts";
import { joinPath } from "../src/store/paths.ts";
import { readTailUsage } from "../src/transcript/tokens/tail_usage.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { locateSession } from "../src/verbs/place.ts";
import { type Arguments, type CommandSpec, textOf } from "../cli/spec.ts";

export const SNAPSHOT_SPEC: CommandSpec = {
  name: "snapshot",
  summary: "Save what a session was doing as a snapshot.",
  positionals: "[SESSION]",
  positionalCount: [0, 1],
  options: [{ name: "name", type: "text", value: "NAME", help: "a name to find it by" }],
  notes: [
    "SESSION is an id, the first 8 characters of one, or a path; left out, the session that this",
    "runs in, else the newest of this folder.",
  ],
};

const COMPONENTS = ["requirements", "decisions", "state", "open_items"];

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(SNAPSHOT_SPEC, argv, snapshot);
}

function snapshot(args: Arguments): CommandOutput {
  const { session, projectDir, configDir } = locateSession(args.positionals[0]);
  const owner = { projectDir, sessionId: session.id };
  const state = sessionWorkState({ owner, transcript: session.path, configDir });
  const { phase, task } = readPlanning(joinPath(projectDir, ".planning"));
  const now = new Date();
  const made = snapshotOf(state, {
    name: textOf(args, "name") ?? null,
    now,
    phase,
    task,
    originalTokens: readTailUsage(session.path).usage?.tokens ?? null,
  });
  const { path, snapshot: saved, warning = unreadWarning(state) } = saveSnapshot(made, {
    projectDir,
    now,
  });
  const { snapshot_id, name, token_count } = saved;
  return {
    json: {
      snapshot_id,
      name,
      file_path: path,
      token_count,
      components: COMPONENTS,
      ...(warning === undefined ? {} : { warning }),
    },
    text: `Snapshot ${snapshot_id}${name === null ? "" : ` (${name})`} saved, ` +
      `about ${
        grouped(token_count)
      } tokens.\n${path}\nRead it with: trimtab rehydrate ${snapshot_id}` +
      (warning === undefined ? "" : `\n${warning}`),
  };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
