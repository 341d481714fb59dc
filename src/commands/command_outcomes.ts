import { isInspection, STATIC_CHECK } from "../core/command_names.ts";
import { setNewest } from "../core/newest.ts";
import { asString } from "../transcript/entry.ts";
import { isNeverCommitted, revertedBy } from "../core/shell_files.ts";
import { EditLog } from "./edit_log.ts";
import { filesEditedBy, MAX_NAMED_FILES } from "../inject/edits.ts";
import { isCommit, isPush, madeCommit, madePush } from "../changes/commits.ts";
import { agentEdits, treeMove } from "../changes/tree_moves.ts";
import { excerptLine, inBackquotes } from "../inject/excerpt.ts";
import {
  isApiWrite,
  isElsewhere,
  isExperiment,
  isOwnCommand,
  isTemporaryPath,
  isUsageError,
  SEARCH,
  simpleCommands,
} from "../core/shell_commands.ts";
import { filterOf, taskOf, withoutFolder } from "./check_paths.ts";
import {
  commandLine,
  explanationOf,
  LINT,
  MAX_COMMAND_CHARS,
  MAX_DONE_CHARS,
  MAX_ERROR_CHARS,
  successAfter,
  targetOf,
  withoutBody,
} from "./command_line.ts";
import { explanationIn, saysExpected, saysWrong } from "./explanation.ts";
import { NOTHING_STASHED, stashesWork } from "../changes/stashes.ts";
import {
  isCommitOrPush,
  isProblem,
  isProgramMissing,
  isWrongCall,
  type KnownRun,
  lastFailure,
  programOf,
  resolves,
  UNSEEN,
} from "./known_run.ts";
import { checksListedIn } from "./listed_checks.ts";
import { OpenPlan } from "./open_plan.ts";
import { commandOf, type Outcome, outcomeOf, type RunOutcome } from "../inject/outcome.ts";
import { AGENT_EDITS, OTHER_CAUSE } from "../inject/step_words.ts";
import { failureLines, firstLines } from "../inject/telling_lines.ts";
import type { FinishedCall, Issue, Said } from "../core/work_state.ts";

const MAX_COMMANDS = 200;
const MAX_LISTED = 24;
const MAX_EARLIER_CHARS = 90;

/** Maximum number of calls between a failure and the message that explains it. */
const MAX_CALLS_SINCE_FAILURE = 2;

const BY_AGENT = "; run by a subagent";

/** Matches the client's settings, which no check covers. */
const SETTINGS = /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/;

/** Matches commands that look for problems. Their failures are outdated after `SETTLING_PROMPTS` prompts. */
const DIAGNOSIS = /\b(?:fsck|doctor|diagnose|status)\b/;
const SETTLING_PROMPTS = 2;

/** More lines are read than shown, because errors in files edited later move to the end. */
const MAX_SEEN_LINES = 12;

/** Matches commands that also fail while a check is still running. */
const CI_QUERY = /^gh (?:pr checks|run watch)\b/;

const GH_ERROR = /^gh: /m;

/** Matches an option with which a command only prints information and does no work. */
const HELP_OPTION = / --(?:help|version)(?: |$)/;

const STASH = /^git stash\b/;

/** Matches a command that runs the project's code. Edits can change the outcome of the command. */
const RUNS_PROJECT =
  /^(?:go run|cargo run|deno run|node|bun run|python3?|uv run|ruby|npx tsx|\.\/\S+) /;

const FILE = /[\w./@-]+\.[a-z]{1,4}(?=\s|$)/g;

/** A change to the working tree that the session did not make by editing a file, such as a checkout. */
interface Move {
  readonly words: string;
  /** The number of runs before the move. */
  readonly order: number;
}

export class CommandCollector {
  readonly #known = new Map<string, KnownRun>();
  readonly #edits = new EditLog();
  /**
   * Key of the newest command that failed, or whose outcome was not shown, since the assistant's last message;
   * empty if there is none.
   */
  #failing = "";
  #callsSince = 0;
  /** Whether the work is stashed and nothing has been edited since. */
  #isStashed = false;
  #order = 0;
  #prompts = 0;
  #moved: Move = { words: "", order: 0 };
  #movedBefore: Move | undefined;
  readonly #plan = new OpenPlan();
  #planned = 0;
  /** Checks in the newest file read that lists any. */
  #listed: readonly Said[] = [];

  prompt(): void {
    this.#prompts++;
    if (this.#isPlanStarted) this.#plan.prompt();
  }

  get isPlanCarriedOut(): boolean {
    return this.#isPlanStarted && this.#plan.isCarriedOut;
  }

  get #isPlanStarted(): boolean {
    return this.#edits.count > this.#planned;
  }

  /** The first message after a failure may explain the failure. */
  said(text: string): void {
    this.#plan.said(text);
    const known = this.#known.get(this.#failing);
    const why = known === undefined ? "" : explanationIn(text);
    if (known !== undefined && why !== "" && (known.isFailed || saysWrong(why))) {
      this.#known.set(this.#failing, { ...known, why });
    }
    this.#failing = "";
  }

  folder(path: string): void {
    this.#edits.folder(path);
  }

  plan(text: string, from: Said["from"], isDraft = false): void {
    this.#plan.plan(text, from, isDraft);
    this.#planned = this.#edits.count;
  }

  call(call: FinishedCall): void {
    const line = call.name === "Bash" ? asString(call.input.command) : undefined;
    const outcome = outcomeOf(line ?? "", call);
    this.#plan.ran(line ?? "");
    // The next message does not explain an earlier failure: it is about the newest command or, after a
    // refused call, answers the user.
    const isNewer = (line !== undefined && !outcome.isFailed) || outcome.unrun !== undefined;
    if (++this.#callsSince > MAX_CALLS_SINCE_FAILURE || isNewer) this.#failing = "";
    if (agentEdits(call) > 0) this.#moved = this.#moveBy(AGENT_EDITS);
    for (const path of filesEditedBy(call).filter((one) => !isNeverCommitted(one))) {
      if (!SETTINGS.test(path)) this.#edits.add(path);
      this.#plan.edited(path);
      this.#isStashed = false;
    }
    for (const path of line === undefined || call.isError ? [] : revertedBy(line)) {
      this.#edits.revert(path);
    }
    if (line === undefined) {
      const listed = checksListedIn(call);
      if (listed.length > 0) this.#listed = listed;
      return;
    }
    if (isOwnCommand(line)) return;
    for (const { head } of outcome.unrun === "refused" ? simpleCommands(line) : []) {
      this.#plan.drop(head);
    }
    // If a shell or filter received wrong arguments, the result is not the command's output.
    if (isUsageError(call.result)) return;
    // Refused commands, which have no runs, are listed among the refusals.
    for (const run of outcome.runs) {
      const isOther = isElsewhere(run.folder);
      const { result } = call;
      const move = isOther ? undefined : treeMove(run.words, { ...run, result });
      if (move !== undefined) this.#moved = this.#moveBy(`\`${move}\``);
      const isStashed = isOther ? undefined : stashesWork(run.words, result);
      if (isStashed !== undefined) {
        // A command that restores the work counts even if it fails, because a conflict makes it fail.
        if (!run.isFailed || !isStashed) this.#stash(isStashed, run.words);
        // A successful `git stash` is not listed, because stashed work is reported separately.
        if (!run.isFailed) continue;
      }
      // A check that runs while the work is stashed does not cover the work.
      if (this.#isStashed && run.isCheck) continue;
      if (!isTemporaryPath(run.folder)) this.#ran(run, call, outcome);
    }
  }

  userRan(call: FinishedCall): void {
    const move = treeMove(commandOf(call), { result: call.result, isFailed: false });
    if (move !== undefined) this.#moved = this.#moveBy(`\`${move}\``);
  }

  #moveBy(words: string): Move {
    return { words, order: this.#order };
  }

  /** If stashed work is restored before any edit, the tree is back in the state that earlier checks cover. */
  #stash(isStashed: boolean, words: string): void {
    if (isStashed) this.#movedBefore = this.#moved;
    const before = isStashed || !this.#isStashed ? undefined : this.#movedBefore;
    this.#moved = before ?? this.#moveBy(inBackquotes(words, MAX_DONE_CHARS));
    this.#isStashed = isStashed;
  }

  #ran(run: RunOutcome, call: FinishedCall, outcome: Outcome): void {
    const { result, from, isSidechain: isByAgent } = call;
    const { isFailed, folder } = run;
    const asksForHelp = HELP_OPTION.test(run.words);
    const isCheck = run.isCheck && !asksForHelp;
    const entered = folder === "" ? "" : `cd ${folder} && `;
    const isWrite = isApiWrite(run.words);
    // Writes to the same kind of endpoint are counted together, although their ids and texts differ.
    const words = entered + (isWrite ? withoutBody(run.words) : run.words);
    // Keeps `--help` runs apart, because they do no work.
    const head = isWrite ? targetOf(run.words) : asksForHelp ? words : entered + run.head;
    // The key contains the filter, because a run of other tests does not replace a failure.
    const key = head + filterOf(words) + (isByAgent ? BY_AGENT : "");
    if (STASH.test(run.words) && NOTHING_STASHED.test(result)) return;
    // Ignores a subagent's other commands, which only serve its own investigation.
    if (isByAgent && !isCheck) return;
    // A failed experiment or query is a result, not a problem.
    if (isFailed && (isExperiment(run.words) || CI_QUERY.test(run.words))) return;
    // Before `||`, `;` or a pipe, a missing program does not change the exit code.
    if (!isFailed && isProgramMissing(run.words, result)) {
      return this.#forget((one) => programOf(one.words) === programOf(words));
    }
    const isHidden = !isFailed && run.evidence !== "exit code";
    const first = isHidden && !asksForHelp && outcome.runs.length === 1
      ? firstLines(result, 1)
      : [];
    if (isWrongCall({ words: run.words, errors: first })) {
      return this.#forget((one) => one.words === words);
    }
    if (!asksForHelp) this.#plan.drop(run.head);
    const isCommitted = !isFailed && isCommit(run.words);
    // A filter or a later command may hide that the commit or push failed.
    const line = commandOf(call);
    const isUnsure = !call.isError && ((isCommitted && !madeCommit(line, call)) ||
      (isPush(run.words) && !madePush(line, result)));
    if (isCommitted && !isUnsure) this.#plan.committed();
    if (isFailed && asksForHelp) return;
    const earlier = this.#known.get(key);
    const showsOutcome = isCheck || isCommitOrPush(run) || (isWrite && !GH_ERROR.test(result));
    const isOutcomeUnknown = run.isOutcomeUnknown || isUnsure || (isHidden && !showsOutcome);
    const shown = isCheck && run.isUnseen ? UNSEEN : isOutcomeUnknown ? "ran" : "ok";
    const end = isCheck && outcome.ranNoTest && !STATIC_CHECK.test(taskOf(run.words))
      ? "ran no test"
      : shown;
    const isSame = earlier !== undefined && (isWrite || earlier.words === words) &&
      earlier.isFailed === isFailed &&
      earlier.end === end;
    const errors = isFailed ? failureLines(run.output, MAX_SEEN_LINES) : [];
    // A search fails without output if it finds nothing.
    if (isFailed && !isCheck && errors.length === 0 && SEARCH.test(run.words)) return;
    if (isFailed || end === UNSEEN) {
      this.#failing = key;
      this.#callsSince = 0;
    }
    // Without an edit in between, keeps the longer error, because a filter cut the shorter one.
    const keepsEarlierErrors = isFailed && earlier?.isFailed === true &&
      earlier.edits === this.#edits.count && earlier.errors.join().length > errors.join().length;
    const failure = (isCheck || isWrite) && !isFailed
      ? this.#resolvedFailure(words, result, earlier)
      : "";
    const isSameRequest = earlier?.prompts === this.#prompts;
    // A failure from an earlier request is reported for this request only if it was open when this request began.
    const isSettled = lastFailure(earlier) === undefined &&
      (!isSameRequest || earlier.inRequest.failure === "");
    const requestCount = isSame && isSameRequest ? earlier.inRequest.count + 1 : 1;
    const known: KnownRun = {
      head,
      words: keepsEarlierErrors ? earlier.words : words,
      tree: isElsewhere(folder) ? folder : "",
      count: isSame ? earlier.count + 1 : 1,
      isFailed,
      isCheck,
      end,
      errors: keepsEarlierErrors ? earlier.errors : errors,
      earlierFailure: failure,
      inRequest: { count: requestCount, failure: isSettled ? "" : failure },
      failure: isFailed ? undefined : lastFailure(earlier),
      why: "",
      isByAgent,
      edits: this.#edits.count,
      order: this.#order++,
      prompts: this.#prompts,
      from,
    };
    setNewest(this.#known, key, known, MAX_COMMANDS);
    this.#edits.ranIn(known.tree);
    if (!isFailed && end === "ok") this.#plan.passed(known);
  }

  /**
   * Open parts of the plan come first, then failures and checks, then other commands, and last the commands
   * that only inspect. Among commands of the same kind, the newest comes first.
   */
  finish(): Said[] {
    const isQuery = (words: string): boolean => HELP_OPTION.test(words) || isInspection(words);
    const rank = ({ isFailed, isCheck, words }: KnownRun): number =>
      isFailed || isCheck ? 0 : isQuery(withoutFolder(words)) ? 2 : 1;
    const passed = this.#passed();
    const all = [...this.#known.values()].map((one) => this.#sinceRequest(one));
    // A subagent's run does not replace a run of the main conversation.
    const newestOf = ({ head, isByAgent }: KnownRun): number =>
      all.findLast((one) => one.head === head && (isByAgent || !one.isByAgent))?.order ?? 0;
    const checkAfter = (one: KnownRun): KnownRun | undefined =>
      passed.findLast((other) =>
        (one.isFailed || one.isByAgent || !other.isByAgent) && resolves(other, one)
      );
    // A single passed run shows how to run the tests. A later run with a wider selection includes it.
    const isRepeated = (one: KnownRun): boolean =>
      !one.isFailed && one.earlierFailure === "" &&
      (one.order < newestOf(one) || (one.isCheck && checkAfter(one) !== undefined));
    const commitsAndPushes = new Map(passed.filter(isCommitOrPush).map((one) => [one.tree, one]));
    const unrun = this.#plan.finish(this.#isPlanStarted);
    const ran = all
      .filter((one) => !this.#isOutdated(one) && !isRepeated(one))
      .sort((a, b) => rank(a) - rank(b) || b.order - a.order)
      .slice(0, MAX_LISTED)
      .map((one) => {
        const check = checkAfter(one);
        const line = commandLine(one, {
          edited: this.#edits.names,
          isSettled: check !== undefined,
        });
        return {
          text: line + (one.isByAgent ? BY_AGENT : "") + this.#editsSince(one) +
            successAfter(one, check, commitsAndPushes.get(one.tree)),
          from: one.from,
        };
      });
    const isNeeded = this.#edits.count > 0 && !all.some(({ isCheck }) => isCheck);
    return [...unrun, ...ran, ...(isNeeded ? this.#listed : [])];
  }

  /** Leaves out a command's earlier runs and failures if the command ran for the newest request. */
  #sinceRequest(one: KnownRun): KnownRun {
    const { count, failure } = one.inRequest;
    return one.prompts === this.#prompts ? { ...one, count, earlierFailure: failure } : one;
  }

  failures(): Issue[] {
    const passed = this.#passed();
    const isResolved = (failure: KnownRun): boolean =>
      passed.some((one) =>
        isCommitOrPush(one)
          ? one.order > failure.order && one.tree === failure.tree
          : resolves(one, failure)
      );
    return [...this.#known.values()]
      .filter((one) => one.isFailed && isProblem(one) && !isResolved(one))
      .sort((a, b) => b.order - a.order).map((one) => ({
        issue: `${inBackquotes(one.words, MAX_COMMAND_CHARS)} fails: ` +
          excerptLine(one.errors[0] ?? "no output", MAX_ERROR_CHARS),
        kind: "command",
        from: one.from,
      }));
  }

  #isOutdated({ isFailed, words, errors, prompts }: KnownRun): boolean {
    const isOld = this.#prompts - prompts >= SETTLING_PROMPTS;
    return isFailed && (isWrongCall({ words, errors }) || (isOld && DIAGNOSIS.test(words)));
  }

  #passed(): KnownRun[] {
    return [...this.#known.values()].filter(({ isFailed, end }) => !isFailed && end === "ok");
  }

  /** Describes edits and other changes to the tree after a run, which the outcome of the run does not cover. */
  #editsSince({ isCheck, edits, order, words, tree }: KnownRun): string {
    if (!isCheck && !RUNS_PROJECT.test(words)) return "";
    const files = LINT.test(taskOf(words)) ? words.match(FILE) ?? [] : [];
    return this.#edits.since(edits, tree, files) +
      (order < this.#moved.order ? `; before ${this.#moved.words}` : "");
  }

  #resolvedFailure(words: string, result: string, earlier: KnownRun | undefined): string {
    if (earlier === undefined || filterOf(earlier.words) !== filterOf(words)) return "";
    const failure = lastFailure(earlier);
    if (failure === undefined) {
      // After a different command, "it" would refer to the wrong command.
      return earlier.words === words ? earlier.earlierFailure : earlier.earlierFailure
        .replace(/^it(?= failed)/, () => inBackquotes(earlier.words, MAX_DONE_CHARS));
    }
    // Edits do not affect requests to GitHub.
    const isWrite = isApiWrite(words);
    const files = isWrite
      ? []
      : [...new Set(this.#edits.names.slice(failure.edits))].slice(-MAX_NAMED_FILES);
    const [cause = ""] = failure.errors;
    // A warning that the passing run also prints did not cause the failure.
    const isWarning = result.includes(cause.replace(/[^\p{L}\p{N}]+$/u, ""));
    const error = isWarning ? "" : excerptLine(cause, MAX_EARLIER_CHARS);
    const isHarmless = isWrongCall(failure) || saysExpected(failure.why);
    if (isHarmless || (error === "" && files.length === 0)) return "";
    const failed = failure.words === words ? "it" : inBackquotes(failure.words, MAX_DONE_CHARS);
    return `${failed} failed` + (error === "" ? "" : ` (${error})`) +
      (files.length > 0 ? ` and edits of ${files.join(", ")}` : "") +
      // The command has passed since, so an explanation that blames something other than the session's
      // changes was wrong.
      (OTHER_CAUSE.test(failure.why) ? "" : explanationOf(failure));
  }

  /** Drops runs that did nothing, such as those of a missing program. */
  #forget(isSame: (run: KnownRun) => boolean): void {
    for (const [key, known] of this.#known) if (isSame(known)) this.#known.delete(key);
  }
}
