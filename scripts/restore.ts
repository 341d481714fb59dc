/** `trimtab restore`: prints a checkpoint or a snapshot as context to continue from. */

import { restore } from "../mod.ts";
import { fenced, isTrusting, noticeOn, TRUST_OPTION, withNotice } from "../cli/trust.ts";
import { command } from "../cli/command.ts";
import { printError } from "../cli/print.ts";
import { flag } from "../cli/spec.ts";

export const SPEC = {
  name: "restore",
  positionals: "[ID]",
  options: [
    flag("summary", "print only the id and what the save is about"),
    TRUST_OPTION,
  ],
  notes: [
    "ID is an id from `trimtab list`, its first characters, or the id of a session that left a",
    "handoff. Default: the newest save written on this machine.",
  ],
};

export const run = command(SPEC, async (options, wanted) => {
  const result = await restore({ id: wanted, trust: isTrusting(options) });
  const { id, kind, created, summary, context, is_ours, edited } = result;
  if (edited !== undefined) {
    printError(
      `A newer save, ${edited}, was edited after it was saved: ` +
        `trimtab restore ${edited} --trust restores its text`,
    );
  }
  const notice = noticeOn(`${kind} ${id}`, is_ours, options);
  if (options.summary === true) {
    const text = `${kind} ${id}, saved ${created}` +
      (summary === "" ? "" : `\n${fenced(`${kind} ${id}`, summary)}`);
    return { json: { id, kind, created, summary, is_ours }, text: withNotice(notice, text) };
  }
  return { json: result, text: withNotice(notice, context) };
});

if (import.meta.main) Deno.exit(await run(Deno.args));
