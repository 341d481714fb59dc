/** `trimtab checkpoint`: saves what a session was doing, or shows what would be saved. */

import { renderCheckpoint, summaryOf } from "../src/saved/checkpoint/checkpoint.ts";
import { checkpointSession, sessionWorkState } from "../src/saved/checkpoint/session.ts";
import { gaugeSession } from "../src/pressure/session_pressure.ts";
import type { StateOwner } from "../src/store/state.ts";
import { hasBlackboard } from "../src/watch/board_path.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { loadCommandConfig } from "../src/verbs/config.ts";
import { readInput } from "../cli/input.ts";
import { locateSession } from "../src/verbs/place.ts";
import { type Arguments, type CommandSpec, flagOf, textOf, UsageError } from "../cli/spec.ts";

export const CHECKPOINT_SPEC: CommandSpec = {
  name: "checkpoint",
  summary: "Save what a session was doing as a checkpoint, verified and indexed.",
  positionals: "[SESSION]",
  positionalCount: [0, 1],
  options: [
    { name: "draft", type: "flag", help: "show what would be saved, save nothing" },
    {
      name: "add",
      type: "text",
      value: "FILE",
      help: "merge Markdown with the same headings, `-` for stdin",
    },
  ],
  notes: [
    "SESSION is an id, the first 8 characters of one, or a path; left out, the session that this",
    "runs in, else the newest of this folder.",
    "",
    "What --add gives stands under `## Task`, `## What Changed`, `## Why Changed`,",
    "`## Active Issues`, `## Key Decisions`, `## Next Steps`, `## Learnings` or `## Progress`.",
  ],
};

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(CHECKPOINT_SPEC, argv, checkpoint);
}

async function checkpoint(args: Arguments): Promise<CommandOutput> {
  const added = textOf(args, "add");
  const isDraft = flagOf(args, "draft");
  if (isDraft && added === "-") {
    throw new UsageError("Cannot run checkpoint: --draft shows; give --add - when you save");
  }
  const place = locateSession(args.positionals[0]);
  const { session, projectDir, configDir } = place;
  const owner = { projectDir, configDir, sessionId: session.id };
  const { context: config } = await loadCommandConfig(place);
  const { percent } = gaugeSession({ transcript: session.path, owner, config });
  const notes = added === undefined ? {} : { notes: readInput(added, "notes") };
  if (isDraft) {
    const state = sessionWorkState({ owner, transcript: session.path, configDir });
    const draft = renderCheckpoint(state, {
      id: "draft",
      created: new Date().toISOString(),
      trigger: "manual",
      project: projectDir,
      session_id: session.id,
      iteration: 0,
      verified: false,
      usage_percent: percent,
      parent: null,
    }, { projectDir, ...notes });
    const json = {
      id: null,
      path: null,
      trigger: "manual",
      iteration: null,
      verified: false,
      summary: summaryOf(state),
      draft,
    };
    return { json, text: draft };
  }
  const { saved } = checkpointSession({
    owner,
    transcript: session.path,
    configDir,
    trigger: await isAsked(owner) ? "watcher" : "manual",
    usagePercent: percent,
    retentionDays: config.retention_days,
    now: Date.now,
    ...notes,
  });
  if (saved === null) throw new Error("Cannot save checkpoint: nothing was written");
  const lines = [
    `Checkpoint ${saved.id} saved${
      saved.verified ? " and verified" : ", not verified"
    }: ${saved.summary}`,
    saved.path,
    ...(saved.warning === undefined ? [] : [saved.warning]),
    `Continue from it with: trimtab restore ${saved.id}`,
  ];
  return { json: saved, text: lines.join("\n") };
}

/** Whether the session was asked for this on the blackboard. */
async function isAsked(owner: StateOwner): Promise<boolean> {
  if (!hasBlackboard(owner.projectDir)) return false;
  const { openTriggers } = await import("../src/watch/blackboard.ts");
  return openTriggers(owner, Date.now()).length > 0;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
