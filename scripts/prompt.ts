/** `trimtab prompt`: prints a worker's guidelines for its context window. */

import { prompt } from "../mod.ts";
import { command, type CommandOutput } from "../cli/command.ts";
import { readInput } from "../cli/input.ts";
import { type Arguments, type CommandSpec, textOf, UsageError, valued } from "../cli/spec.ts";

export const PROMPT_SPEC: CommandSpec = {
  name: "prompt",
  positionals: "",
  options: [
    valued("task-ref", "text", "REF", "the whole prompt, for this task"),
    valued("gh-cli", "text", "COMMAND", "the command for issues (gh)"),
    valued("guidelines", "text", "FILE", "the project's rules for workers; - reads stdin"),
  ],
  notes: ["The text includes the thresholds of this project."],
};

export const run = command(PROMPT_SPEC, answer, [TypeError]);

async function answer(args: Arguments): Promise<CommandOutput> {
  const taskRef = textOf(args, "task-ref");
  const guidelines = textOf(args, "guidelines");
  for (const name of ["gh-cli", "guidelines"]) {
    if (taskRef !== undefined || textOf(args, name) === undefined) continue;
    throw new UsageError(`Cannot run prompt: --${name} requires --task-ref`);
  }
  const workerGuidelines = guidelines === undefined
    ? undefined
    : readInput(guidelines, "guidelines");
  const json = await prompt({ taskRef, ghCli: textOf(args, "gh-cli"), workerGuidelines });
  return { json, text: json.text };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
