/** `trimtab rescue`: writes a repaired copy of a session that no longer resumes. */

import { rescue } from "../mod.ts";
import { describeRescue } from "../src/doctor/repair/text.ts";
import { command, type CommandOutput } from "../cli/command.ts";
import { type Arguments, type CommandSpec, flag, flagOf } from "../cli/spec.ts";

export const RESCUE_SPEC: CommandSpec = {
  name: "rescue",
  positionals: "SESSION",
  options: [
    flag("dry-run", "show what would change, write nothing"),
    flag("drop-thinking", "drop all thinking, if the API rejects its signatures"),
  ],
  notes: [
    "SESSION is an id, its first 8 characters, or a path. It is never changed. A session without",
    "faults is not copied.",
  ],
};

export const run = command(RESCUE_SPEC, answer);

async function answer(args: Arguments): Promise<CommandOutput> {
  const [session = ""] = args.positionals;
  const result = await rescue({
    session,
    dryRun: flagOf(args, "dry-run"),
    dropThinking: flagOf(args, "drop-thinking"),
  });
  return { json: result, text: describeRescue(result) };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
