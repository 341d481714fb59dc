import { freshStart } from "../mod.ts";
import { NO_SNAPSHOT } from "../src/saved/views/rehydrated.ts";
import { command } from "../cli/command.ts";
import { fenced, isTrusting, TRUST_OPTION, withNotice } from "../cli/trust.ts";

export const SPEC = {
  name: "fresh-start",
  positionals: "[ID]",
  options: [TRUST_OPTION],
  notes: [
    "ID is an id, its first characters, a name or a path. Default: the newest snapshot, else the",
    "newest checkpoint.",
  ],
};

export const run = command(SPEC, async (options, id) => {
  const json = await freshStart({ id, trust: isTrusting(options) });
  const { snapshot_id, prompt, instructions, checkpoint, is_ours } = json;
  if (snapshot_id === null) {
    const text = checkpoint === null
      ? NO_SNAPSHOT
      : `This machine has saved no snapshot. The newest checkpoint:\n\n${checkpoint}`;
    return { json, text };
  }
  const source = `snapshot ${snapshot_id}`;
  const text = fenced(source, `${prompt}\n\n${instructions}`);
  return { json, text: withNotice(text, { source, isOwn: is_ours, skill: options.skill }) };
});

if (import.meta.main) Deno.exit(await run(Deno.args));
