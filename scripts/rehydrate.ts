/** `trimtab rehydrate`: prints a snapshot at a level of detail. */

import { rehydrate } from "../mod.ts";
import { REHYDRATION_LEVELS } from "../src/saved/views/rehydrated.ts";
import { command } from "../cli/command.ts";
import { fenced, isTrusting, noticeOn, TRUST_OPTION, withNotice } from "../cli/trust.ts";
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
  const notice = noticeOn(source, json.is_ours, options);
  return { json, text: withNotice(notice, fenced(source, json.context)) };
});

if (import.meta.main) Deno.exit(await run(Deno.args));
