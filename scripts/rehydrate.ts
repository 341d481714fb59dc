/** `trimtab rehydrate`: prints a snapshot at a level of detail. */

import { rehydrate } from "../mod.ts";
import { REHYDRATION_LEVELS, requireLevel } from "../src/saved/views/rehydrated.ts";
import { command, type CommandOutput } from "../cli/command.ts";
import { fenced, isTrusting, noticeOn, TRUST_OPTION, withNotice } from "../cli/trust.ts";
import { type Arguments, choice, type CommandSpec, textOf } from "../cli/spec.ts";

export const REHYDRATE_SPEC: CommandSpec = {
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

export const run = command(REHYDRATE_SPEC, answer);

async function answer(args: Arguments): Promise<CommandOutput> {
  const level = textOf(args, "level") ?? "standard";
  requireLevel(level);
  const json = await rehydrate({ id: args.positionals[0], level, trust: isTrusting(args) });
  const source = `snapshot ${json.snapshot_id}`;
  const notice = noticeOn(source, json.is_ours, args);
  return { json, text: withNotice(notice, fenced(source, json.context)) };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
