import { rescue } from "../mod.ts";
import { describeRescue } from "../src/doctor/repair/text.ts";
import { command } from "../cli/command.ts";
import { flag } from "../cli/spec.ts";

export const SPEC = {
  name: "rescue",
  positionals: "SESSION",
  options: [
    flag("dry-run", "show what would change, write nothing"),
    flag("drop-thinking", "drop all thinking, if the API rejects its signatures"),
  ],
  notes: [
    "SESSION is an id, its first 8 characters, or a path. It is never changed. A session without",
    "defects is not copied.",
  ],
};

export const run = command(SPEC, async ({ dryRun, dropThinking }, session = "") => {
  const result = await rescue({ session, dryRun, dropThinking });
  return { json: result, text: describeRescue(result) };
});

if (import.meta.main) Deno.exit(await run(Deno.args));
