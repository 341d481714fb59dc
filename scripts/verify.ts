/** `trimtab verify`: checks that a checkpoint exists and is complete. */

import { verify } from "../mod.ts";
import { command, type CommandOutput, EXIT } from "../cli/command.ts";
import type { Arguments, CommandSpec } from "../cli/spec.ts";

export const VERIFY_SPEC: CommandSpec = {
  name: "verify",
  summary: "Check that a checkpoint exists, is complete and indexed.",
  positionals: "FILE",
  options: [],
  notes: [
    "FILE is a path, the id of a checkpoint of this project, or `latest`. It adds a complete",
    "checkpoint to the index if it is missing there, and exits 1 if something is wrong.",
  ],
};

export const run = command(VERIFY_SPEC, answer);

async function answer(args: Arguments): Promise<CommandOutput> {
  const [file = ""] = args.positionals;
  const { path, valid, problems, verified, index } = await verify({ file });
  const text = valid
    ? `${path} is a complete checkpoint${verified ? "" : ", not marked as verified"}. ${index}`
    : [`${path} is not a complete checkpoint:`, ...problems.map((problem) => `- ${problem}`)].join(
      "\n",
    );
  const json = { path, valid, problems };
  return { json, text: text.trimEnd(), exitCode: valid ? EXIT.done : EXIT.failed };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
