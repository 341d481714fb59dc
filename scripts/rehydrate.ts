import { rehydrate } from "../mod.ts";
import { REHYDRATION_LEVELS } from "../src/saved/views/rehydrated.ts";
import { command } from "../cli/command.ts";
import { fenced, isTrusting, TRUST_OPTION, withNotice } from "../cli/trust.ts";
import { choice } from "../cli/spec.ts";

export const SPEC = {
  name: "rehydrate",
  positionals: "[ID]",
  options: [
    {
      ...choice("level", REHYDRATION_LEVELS, "essential, standard or comprehensive (standard)"),
      value: "LEVEL",
    },
    TRUST_OPTION,
  ],
  notes: ["ID is an id, its first characters, a name or a path. Default: the newest snapshot."],
};

export const run = command(SPEC, async ({ level, ...options }, id) => {
  const json = await rehydrate({ id, level, trust: isTrusting(options) });
  const source = `snapshot ${json.snapshot_id}`;
  const text = fenced(source, json.context);
  return { json, text: withNotice(text, { source, isOwn: json.is_ours, skill: options.skill }) };
});

if (import.meta.main) Deno.exit(await run(Deno.args));
