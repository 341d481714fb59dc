import { prompt } from "../mod.ts";
import { command } from "../cli/command.ts";
import { readInput } from "../cli/input.ts";
import { valued } from "../cli/spec.ts";

export const SPEC = {
  name: "prompt",
  options: [
    valued("task-ref", "text", "REF", "print a worker's full prompt for this task"),
    valued("gh-cli", "text", "COMMAND", "the command for issues (gh)"),
    valued("guidelines", "text", "FILE", "the project's rules for workers; - reads stdin"),
  ],
  needs: { "gh-cli": ["task-ref"], guidelines: ["task-ref"] },
  notes: ["The text includes the thresholds of this project."],
};

export const run = command(SPEC, async ({ taskRef, ghCli, guidelines }) => {
  const workerGuidelines = guidelines === undefined
    ? undefined
    : readInput(guidelines, "guidelines");
  const json = await prompt({ taskRef, ghCli, workerGuidelines });
  return { json, text: json.text };
}, [TypeError]);

if (import.meta.main) Deno.exit(await run(Deno.args));
