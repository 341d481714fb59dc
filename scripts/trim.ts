/** `trimtab trim`: writes a smaller copy of a session under a new id. */

import { readSessionState } from "../src/store/state.ts";
import { gaugeSession } from "../src/pressure/session_pressure.ts";
import { describeTrim } from "../src/trim/report_text.ts";
import { describeVain, trimUnlessVain } from "../src/trim/vain.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { findEpisodicMemory, startEpisodicMemorySync } from "../src/lineage/episodic_memory.ts";
import { noteTrim } from "../cli/lineage.ts";
import { loadCommandConfig } from "../src/verbs/config.ts";
import { progressOnStderr } from "../cli/progress.ts";
import { locateSession } from "../src/verbs/place.ts";
import { type Arguments, flagOf, TRIM_SPEC, UsageError } from "../cli/spec.ts";
import { noteDryRun, trimSettings } from "../cli/trim.ts";

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(TRIM_SPEC, argv, trim);
}

async function trim(args: Arguments): Promise<CommandOutput> {
  if (flagOf(args, "undo")) {
    throw new UsageError("Cannot run trim: --undo is for /trim; a copy leaves its session whole");
  }
  const place = locateSession(args.positionals[0]);
  const { session, projectDir } = place;
  const { context } = await loadCommandConfig(place);
  const owner = { projectDir, configDir: place.configDir, sessionId: session.id };
  const state = readSessionState(owner);
  const onProgress = progressOnStderr("Trimming");
  const result = trimUnlessVain({
    session,
    gauge: gaugeSession({ transcript: session.path, owner, config: context }),
    ...trimSettings(args, context),
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  if (result.output === null) return { json: result, text: describeVain(result) };
  noteTrim(projectDir, result);
  if (result.dry_run) await noteDryRun(place, { config: context, state }, result.tokens.before);
  const command = result.dry_run ? null : findEpisodicMemory();
  // Who has not got it need not hear of it.
  const memory = command === null ? "" : `\n${startEpisodicMemorySync(command)}`;
  return { json: result, text: describeTrim(result) + memory };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
