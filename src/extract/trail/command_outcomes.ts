/** Commands that were run, each with how it ended last. */

import { asString } from "../../transcript/entry.ts";
import { excerptLine } from "../excerpt.ts";
import { reportsFailure, simpleCommands } from "../shell_commands.ts";
import { redactSecrets } from "../../secrets/redact.ts";
import { notRun, troubleLines } from "./telling_lines.ts";
import type { FinishedCall, Said } from "../work_state.ts";

/** No more commands are held; those run last stay. */
const MAX_COMMANDS = 200;

const MAX_TOLD = 24;

/** The most UTF-16 code units of a command, and of what went wrong. */
const MAX_COMMAND_CHARS = 150;
const MAX_DONE_CHARS = 80;
const MAX_TROUBLE_CHARS = 200;

/** No more of a line is looked at, in UTF-16 code units. */
const MAX_LINE_CHARS = 4_096;

const MAX_TELLING_LINES = 2;

/** A merge that stops at a conflict, which `|| true` behind it would hide. */
const MERGE = /^git (?:merge|rebase|cherry-pick|pull|revert|stash)\b/;
const CONFLICT = /^CONFLICT \(/m;

interface Outcome {
  readonly words: string;
  readonly count: number;
  readonly isFailed: boolean;
  readonly isCheck: boolean;
  readonly trouble: readonly string[];
  readonly order: number;
  readonly from: Said["from"];
}

export class CommandCollector {
  readonly #known = new Map<string, Outcome>();
  #order = 0;

  call(call: FinishedCall): void {
    const line = call.name === "Bash" ? asString(call.input.command) : undefined;
    if (line === undefined) return;
    // What the user refused is told of among the refusals.
    if (call.isError && notRun(call.result) !== undefined) return;
    const all = simpleCommands(redactSecrets(line.slice(0, MAX_LINE_CHARS)));
    const hasCheck = all.some((one) => one.isCheck);
    const isReported = (hasCheck && reportsFailure(line, call.result)) ||
      (all.length === 1 && MERGE.test(all[0]?.head ?? "") && CONFLICT.test(call.result));
    all.forEach(({ head, words, isCheck }, at) => {
      // The check in a failed chain is taken for the failing command, else the last one.
      const isToBlame = hasCheck ? isCheck : at === all.length - 1;
      const isFailed = isToBlame && (call.isError || isReported);
      const trouble = isFailed ? troubleLines(call.result, MAX_TELLING_LINES) : [];
      const earlier = this.#known.get(head);
      const count = earlier?.words === words ? earlier.count + 1 : 1;
      this.#add(head, { words, count, isFailed, isCheck, trouble, from: call.from });
    });
  }

  /** Ends the collection: what failed and checks first, of each the newest first. */
  finish(): Said[] {
    const rank = (one: Outcome): number => one.isFailed || one.isCheck ? 0 : 1;
    return [...this.#known.values()]
      .sort((a, b) => rank(a) - rank(b) || b.order - a.order)
      .slice(0, MAX_TOLD)
      .map((one) => ({ text: lineOf(one), from: one.from }));
  }

  #add(head: string, outcome: Omit<Outcome, "order">): void {
    this.#known.delete(head);
    this.#known.set(head, { ...outcome, order: this.#order++ });
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MAX_COMMANDS) break;
      this.#known.delete(oldest);
    }
  }
}

function lineOf({ words, count, isFailed, isCheck, trouble }: Outcome): string {
  // What went well needs no more than to be known again.
  const most = isFailed || isCheck ? MAX_COMMAND_CHARS : MAX_DONE_CHARS;
  const command = `\`${excerptLine(words, most).replaceAll("`", "'")}\``;
  const times = count > 1 ? ` ${count} times` : "";
  if (!isFailed) return `${command}${times} ok`;
  const told = excerptLine(trouble.join(" | "), MAX_TROUBLE_CHARS);
  return `${command}${times} failed${told === "" ? "" : `: ${told}`}`;
}
