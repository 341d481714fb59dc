import { verify } from "../mod.ts";
import { command, EXIT } from "../cli/command.ts";

export const SPEC = {
  name: "verify",
  positionals: "FILE",
  notes: [
    "FILE is a path, the id of a checkpoint of this project, or `latest`. Exits with 1 if the",
    "checkpoint is missing or has a problem.",
  ],
};

export const run = command(SPEC, async (_options, file = "") => {
  const { path, valid, problems, verified } = await verify({ file });
  const lines = valid
    ? [`${path} is a complete checkpoint${verified ? "" : ", not marked as verified"}.`]
    : [`${path} is not a complete checkpoint:`, ...problems.map((problem) => `- ${problem}`)];
  const exitCode = valid ? EXIT.done : EXIT.failed;
  return { json: { path, valid, problems }, text: lines.join("\n"), exitCode };
});

if (import.meta.main) Deno.exit(await run(Deno.args));
