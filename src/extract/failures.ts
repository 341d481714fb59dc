/** Collects commands and calls that failed and have not succeeded since. */

import { lastPart } from "../core/last_part.ts";
import { setNewest } from "../core/newest.ts";
import { asString } from "../transcript/entry.ts";
import { editedFile } from "../inject/edits.ts";
import {
  commandHead,
  coreOfCommand,
  failedCommand,
  isCheck,
  isElsewhere,
  isProbe,
  isShellSlip,
  type SimpleCommand,
  simpleCommands,
} from "../core/shell_commands.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { outcomeOf } from "../inject/outcome.ts";
import { failureLines, REJECTED_CALLS } from "../inject/telling_lines.ts";
import type { Collector, FinishedCall, Issue } from "../core/work_state.ts";

const MAX_FAILURES = 200;

const MAX_COMMAND_CHARS = 160;
const MAX_OUTPUT_CHARS = 240;

const MAX_SLIP_CHARS = 400;

/** Marks of refusals and slips, which are not problems of the work. */
const NO_PROBLEMS = [
  ...REJECTED_CALLS,
  "The user doesn't want to",
  "Sibling tool call errored",
  "[Request interrupted",
  "Permission ",
  "Unknown skill",
  "exceeds maximum allowed",
];

/** Matches the result of a command that never ran properly, such as `Exit code 127`. */
const MISUSE =
  /^(?:Error: )?Exit code (?:127\b|\d+\s+(?:[\w./-]+: )?(?:error: |fatal: )?(?:unknown|unrecognized|invalid|unexpected|illegal) (?:option|flag|argument|switch|command|subcommand)s?\b)/i;

/** A missing program or package is a problem of the machine, not of the work. */
const MISSING =
  /^(?:ModuleNotFoundError|ImportError): No module named|: No module named \w+$|: command not found$/m;

/** After one of these commands, earlier failures count as resolved or accepted. */
const FINISHING_COMMANDS = new Set(["git commit", "git push"]);

/** Failures of these tools are part of exploring. */
const LOOK_TOOLS = new Set(["Read", "Grep", "Glob", "LS", "ToolSearch", "Skill", "TaskOutput"]);

/** Commands that can change a file they name. */
const FILE_CHANGING_COMMAND = />|\b(?:sed -i|perl -\w*i|tee|mv|cp|rm|patch|python3?|git apply)\b/;

const NO_OUTPUT = "no output";

interface Failure {
  readonly issue: Issue;
  readonly core: string;
  readonly head: string;
  readonly heads: readonly string[];
  /** Folder the command ran in; empty if it is inside the session's folder. */
  readonly tree: string;
  /** The error without its numbers; empty if unknown, and for tools other than Bash. */
  readonly error: string;
}

export class FailureCollector implements Collector {
  readonly #failures = new Map<string, Failure>();

  call(call: FinishedCall): void {
    const command = call.name === "Bash" ? asString(call.input.command) : undefined;
    if (command !== undefined) return this.#command(command, call);
    const key = `${call.name} ${editedFile(call) ?? ""}`;
    if (!call.isError) {
      const file = editedFile(call);
      for (const [known, { core }] of this.#failures) {
        if (known === key || (file !== undefined && core === file)) this.#failures.delete(known);
      }
      return;
    }
    if (LOOK_TOOLS.has(call.name) || NO_PROBLEMS.some((one) => call.result.includes(one))) return;
    const file = editedFile(call);
    const subject = file === undefined ? call.name : `${call.name} of ${file}`;
    const issue = `${excerptLine(subject, MAX_COMMAND_CHARS)}: ${tellingLine(call.result)}`;
    this.#add(key, {
      issue: { issue, kind: "tool", from: call.from },
      core: file ?? key,
      head: "",
      heads: [],
      tree: "",
      error: "",
    });
  }

  /** Lists failures, newest first; keeps only the newest of several with the same error. */
  finish(): Issue[] {
    const seen = new Set<string>();
    return [...this.#failures.values()].reverse().filter(({ error }) => {
      const isNew = error === "" || !seen.has(error);
      seen.add(error);
      return isNew;
    }).map(({ issue }) => issue);
  }

  #command(line: string, call: FinishedCall): void {
    const { unrun, isFailed, isUnseen, runs } = outcomeOf(line, call);
    if (unrun !== undefined || isUnseen) return;
    for (const tree of new Set(runs.map(treeOf))) {
      this.#resolvePassed(runs.filter((one) => !one.isFailed && treeOf(one) === tree), tree);
    }
    if (!isFailed) return this.#resolveEdits(line);
    const result = call.result.slice(0, MAX_SLIP_CHARS).replace(/^\s*<tool_use_error>\s*/, "");
    const core = coreOfCommand(failedCommand(line, call.result));
    if (NO_PROBLEMS.some((one) => result.startsWith(one)) || isProbe(core)) return;
    if (MISUSE.test(result) || MISSING.test(call.result) || isShellSlip(call.result)) return;
    const tree = treeOf(runs.find((one) => one.isFailed) ?? { folder: "" });
    const entered = tree === "" ? "" : `cd ${tree} && `;
    const words = excerptLine(entered + core, MAX_COMMAND_CHARS);
    const error = tellingLine(call.result);
    const hasMessage = error !== NO_OUTPUT && !/^error\W*$/i.test(error);
    // A failure without a message helps only if a check failed, which can be run again.
    if (!hasMessage && !isCheck(core)) return;
    this.#add(entered + core, {
      issue: {
        issue: `\`${words.replaceAll("`", "'")}\` fails: ${error}`,
        kind: "command",
        from: call.from,
      },
      core,
      head: commandHead(core),
      heads: simpleCommands(core).map((one) => one.head),
      tree,
      error: hasMessage ? error.replaceAll(/\d+(?:\.\d+)?/g, "#") : "",
    });
  }

  /**
   * Resolves failures after commands passed. A passing command resolves its own earlier failure in the same
   * tree; a commit or push resolves all command failures there.
   */
  #resolvePassed(passed: readonly SimpleCommand[], tree: string): void {
    const heads = new Set(passed.map((one) => one.head));
    const isFinished = passed.some(({ head, words }) =>
      FINISHING_COMMANDS.has(head) && !words.includes("--dry-run")
    );
    const cores = passed.map(({ words }) => coreOfCommand(words));
    for (const [key, failure] of this.#failures) {
      if (failure.tree !== tree) continue;
      const isDone = failure.heads.length > 0 && failure.heads.every((one) => heads.has(one));
      const isPassed = isFinished && failure.issue.kind === "command";
      const isResolved = cores.some((core) => resolves(core, commandHead(core), failure));
      if (isPassed || isDone || isResolved) this.#failures.delete(key);
    }
  }

  /** Resolves failed edits of files that the command may have changed instead. */
  #resolveEdits(line: string): void {
    if (!FILE_CHANGING_COMMAND.test(line)) return;
    for (const [key, { issue, core }] of this.#failures) {
      const name = lastPart(core);
      if (issue.kind === "tool" && name !== "" && line.includes(name)) this.#failures.delete(key);
    }
  }

  #add(key: string, failure: Failure): void {
    setNewest(this.#failures, key, failure, MAX_FAILURES);
  }
}

function treeOf({ folder }: Pick<SimpleCommand, "folder">): string {
  return isElsewhere(folder) ? folder : "";
}

/** Returns whether a passing command resolves a failure. A check with fewer arguments covers more. */
function resolves(core: string, head: string, failure: Failure): boolean {
  if (core === failure.core) return true;
  if (head === "" || head !== failure.head) return false;
  return !isCheck(failure.core) || core.length < failure.core.length;
}

function tellingLine(result: string): string {
  const [error = NO_OUTPUT] = failureLines(result, 1);
  return excerptLine(error, MAX_OUTPUT_CHARS);
}
