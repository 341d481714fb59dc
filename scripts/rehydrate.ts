/** `trimtab rehydrate`: prints a snapshot at a level of detail. */

import { rehydrate } from "../mod.ts";
import { REHYDRATION_LEVELS, requireLevel } from "../src/saved/layout/rehydrated.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { fenced, isTrusting, noticeOn, TRUST_OPTION, withNotice } from "../cli/trust.ts";
import { type Arguments, type CommandSpec, textOf } from "../cli/spec.ts";

export const REHYDRATE_SPEC: CommandSpec = {
  name: "rehydrate",
  summary: "Print a snapshot at a level of detail.",
  positionals: "[ID]",
  positionalCount: [0, 1],
  options: [{
    name: "level",
    type: "text",
    value: "LEVEL",
    choices: REHYDRATION_LEVELS,
    help: "essential, standard or comprehensive (standard)",
  }, TRUST_OPTION],
  notes: ["ID is an id, its first characters, a name or a path. Default: the newest snapshot."],
};

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(REHYDRATE_SPEC, argv, answer);
}

async function answer(args: Arguments): Promise<CommandOutput> {
  const level = textOf(args, "level") ?? "standard";
  requireLevel(level);
  const json = await rehydrate({ id: args.positionals[0], level, trust: isTrusting(args) });
  const source = `snapshot ${json.snapshot_id}`;
  const notice = noticeOn(source, json.is_ours, args);
  return { json, text: withNotice(notice, fenced(source, json.context)) };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
