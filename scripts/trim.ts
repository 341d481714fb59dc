import type { TrimResult } from "../src/verbs/trim.ts";
import { command } from "../cli/command.ts";
import { TRIM_SPEC as SPEC } from "../cli/spec.ts";
import { refuseInPlaceOptions, trimChoices } from "../cli/trim.ts";

export { SPEC };

export const run = command(SPEC, async (options, session) => {
  refuseInPlaceOptions(options);
  // Does not import mod.ts, because loading the modules of all verbs takes as long as a small trim.
  const { trim } = await import("../src/verbs/trim.ts");
  const { explain, dryRun, json: isJson = false } = options;
  const json = await trim({ session, ...trimChoices(options), explain, dryRun });
  return { json, text: isJson ? "" : await describe(json) };
});

async function describe(result: TrimResult): Promise<string> {
  const { describeCopy } = await import("../src/trim/report_text.ts");
  const report = describeCopy(result);
  if (result.output === null || result.dry_run) return report;
  const { findEpisodicMemory, startEpisodicMemorySync } = await import(
    "../src/verbs/episodic_memory.ts"
  );
  const command = findEpisodicMemory();
  return command === null ? report : `${report}\n${startEpisodicMemorySync(command)}`;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
