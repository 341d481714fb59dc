/** `trimtab rehydrate`: prints a snapshot at a level of detail. */

import { rehydratedText, REHYDRATION_LEVELS } from "../src/saved/snapshot/rehydrated_text.ts";
import { requireLevel } from "../src/designs/context_rehydrator.ts";
import { readSnapshot } from "../src/saved/snapshot/read.ts";
import { estimateTextTokens } from "../src/transcript/tokens/tokens.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import {
  fenced,
  namedSnapshot,
  noticeOn,
  snapshotFor,
  TRUST_OPTION,
  withNotice,
} from "../cli/trust.ts";
import { locateProject } from "../src/verbs/place.ts";
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
    help: "essential, standard (taken when left out) or comprehensive",
  }, TRUST_OPTION],
  notes: ["ID is an id, its first characters, a name or a path; left out, the newest snapshot."],
};

/** What is printed goes to the model: as much as a hook restores. */
const MAX_CHARS = 9_000;

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(REHYDRATE_SPEC, argv, rehydrate);
}

function rehydrate(args: Arguments): CommandOutput {
  const level = textOf(args, "level") ?? "standard";
  requireLevel(level);
  const place = locateProject();
  const [wanted = "latest"] = args.positionals;
  const path = snapshotFor(wanted, place);
  const notice = noticeOn(namedSnapshot(path, place), args);
  const snapshot = readSnapshot(path);
  const context = rehydratedText(snapshot, level, MAX_CHARS);
  const { snapshot_id } = snapshot;
  const token_count = Math.ceil(estimateTextTokens(context));
  return {
    json: { snapshot_id, level, context, token_count },
    text: withNotice(notice, fenced(`snapshot ${snapshot_id}`, context)),
  };
}

if (import.meta.main) Deno.exit(await run(Deno.args));
