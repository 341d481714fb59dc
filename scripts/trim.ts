/** `trimtab trim`: writes a smaller copy of a session under a new id. */

import type { TrimResult } from "../src/verbs/trim.ts";
import { command, type CommandOutput } from "../cli/command.ts";
import { type Arguments, flagOf, TRIM_SPEC } from "../cli/spec.ts";
import { refuseInPlace, trimChoices } from "../cli/trim.ts";

export { TRIM_SPEC };

export const run = command(TRIM_SPEC, answer);

async function answer(args: Arguments): Promise<CommandOutput> {
  refuseInPlace(args);
  // Does not import mod.ts, because loading the modules of all verbs takes as long as a small trim.
  const { trim } = await import("../src/verbs/trim.ts");
  const json = await trim({
    session: args.positionals[0],
    ...trimChoices(args),
    explain: flagOf(args, "explain"),
    dryRun: flagOf(args, "dry-run"),
  });
  return { json, text: flagOf(args, "json") ? "" : await describe(json) };
}

async function describe(result: TrimResult): Promise<string> {
  const { describeCopy } = await import("../src/trim/report_text.ts");
  const words = describeCopy(result);
  if (result.output === null || result.dry_run) return words;
  const { findEpisodicMemory, startEpisodicMemorySync } = await import(
    "../src/verbs/episodic_memory.ts"
  );
  const command = findEpisodicMemory();
  // Does not mention episodic-memory if it is not installed.
  return command === null ? words : `${words}\n${startEpisodicMemorySync(command)}`;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
