import { restore } from "../mod.ts";
import { fenced, isTrusting, TRUST_OPTION, withNotice } from "../cli/trust.ts";
import { command } from "../cli/command.ts";
import { printError } from "../cli/print.ts";
import { flag } from "../cli/spec.ts";

export const SPEC = {
  name: "restore",
  positionals: "[ID]",
  options: [flag("summary", "print only the id and what the save is about"), TRUST_OPTION],
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
  const source = `${kind} ${id}`;
  const withOrigin = (text: string): string =>
    withNotice(text, { source, isOwn: is_ours, skill: options.skill });
  if (options.summary !== true) return { json: result, text: withOrigin(context) };
  const about = summary === "" ? "" : `\n${fenced(source, summary)}`;
  const text = `${source}, saved ${created}${about}`;
  return { json: { id, kind, created, summary, is_ours }, text: withOrigin(text) };
});

if (import.meta.main) Deno.exit(await run(Deno.args));
