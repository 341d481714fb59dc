/** Collects the changes that a session stashed in git and did not restore. */

import { type GitCommand, gitCommands } from "../core/git_commands.ts";
import { pushNewest } from "../core/newest.ts";
import type { Collector, FinishedCall } from "../core/work_state.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { commandOf } from "../inject/outcome.ts";

const MAX_STASHES = 20;

const MAX_LABEL_CHARS = 120;

const MAX_SEARCHED_CHARS = 64 * 1024;

const ACTION =
  /^\s*(?:(push|save|pop|apply|drop|branch|clear|list|show|create|store)(?![\w-]))?([^]*)/;

const ENTRY = /stash@\{(\d{1,3})\}/;

const MESSAGE = /\s(?:-\w*m|--message)[= ]\s*(?:"([^"]+)"|'([^']+)'|(\S+))/;

const SAVED = /^Saved working directory and index state (.+)$/m;

/** Matches git's output if there was nothing to stash. */
export const NOTHING_STASHED = /^No local changes to save/m;

const RESTORED = /^Dropped /m;

/** Matches git's report that it restored or dropped no entry. A filter can hide the exit code. */
const NOT_RESTORED =
  /^(?:The stash entry is kept|No stash entries found|Aborting$|error: |fatal: )/m;

export class StashCollector implements Collector {
  /** Oldest first. */
  readonly #stashes: string[] = [];

  userRan(call: FinishedCall): void {
    this.call(call);
  }

  call(call: FinishedCall): void {
    const { result, isError } = call;
    const output = result.slice(0, MAX_SEARCHED_CHARS);
    for (const command of gitCommands(commandOf(call))) {
      if (command.name !== "stash" || command.folder !== "") continue;
      const { action, options } = stashOf(command);
      const isRemoved = RESTORED.test(output) || (!isError && !NOT_RESTORED.test(output));
      if (action === "push" || action === "save") {
        // If the line failed, the stash may have been saved before a later command failed.
        const isSaved = SAVED.test(output) || (!isError && !NOTHING_STASHED.test(output));
        if (isSaved) pushNewest(this.#stashes, labelOf(options, output), MAX_STASHES);
      } else if (action === "clear") {
        this.#stashes.length = 0;
      } else if (ENTRY_REMOVERS.has(action) && isRemoved) {
        const at = this.#stashes.length - 1 - Number(ENTRY.exec(options)?.[1] ?? 0);
        if (at >= 0) this.#stashes.splice(at, 1);
      }
    }
  }

  finish(): readonly string[] {
    return this.#stashes;
  }
}

/**
 * Whether a command stashes the work (`true`) or restores it (`false`); `undefined` if it does neither.
 * `result` is the command's output.
 */
export function stashesWork(command: string, result: string): boolean | undefined {
  const stash = gitCommands(command).find(({ name }) => name === "stash");
  if (stash === undefined) return undefined;
  const { action } = stashOf(stash);
  if (action === "pop" || action === "apply") return false;
  const isSaved = (action === "push" || action === "save") && !NOTHING_STASHED.test(result);
  return isSaved ? true : undefined;
}

function stashOf({ words }: GitCommand): { readonly action: string; readonly options: string } {
  const [, action = "push", options = ""] = ACTION.exec(words) ?? [];
  return { action, options };
}

/** Subcommands that restore or drop an entry. `apply` keeps the entry, but restores its changes. */
const ENTRY_REMOVERS: ReadonlySet<string> = new Set(["pop", "apply", "drop", "branch"]);

function labelOf(options: string, output: string): string {
  const [, ...messages] = MESSAGE.exec(options) ?? [];
  const label = messages.find((one) => one !== undefined) ?? SAVED.exec(output)?.[1] ?? "git stash";
  return excerptLine(label, MAX_LABEL_CHARS);
}
