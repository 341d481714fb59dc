import { ERROR_WORD } from "../core/chain_ends.ts";
import { commandWords, type GitCommand, gitCommands } from "../core/git_commands.ts";
import { pushNewest } from "../core/newest.ts";
import { isQuestion } from "../core/questions.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { sentencesOf } from "../inject/prose.ts";
import { commandOf } from "../inject/outcome.ts";
import { HALTED_OUTPUT } from "./tree_moves.ts";
import type { Collector, Commit, FinishedCall, Origin, Trail } from "../core/work_state.ts";

const MAX_COMMITS = 100;

const MAX_SUBJECT_CHARS = 200;

const MAX_SEARCHED_CHARS = 64 * 1024;

/** Matches the line that git prints for a commit, such as `[main (root-commit) 1a2b3c4] Subject`. */
export const COMMIT_OUTPUT = /^\[([^\]\s]+)(?: [^\]\n]{1,300})? ([0-9a-f]{7,40})\] (.*)$/gm;

/** Matches a message in `-m "..."`, `-am '...'` or `-F -` before a here-document. */
const MESSAGE = /\s(?:-\w*m\s*|--message[=\s]\s*|-\w*F\s*-\s*)(?:"((?:[^"\\]|\\[^])+)"|'([^']+)')/g;

const CHANGED_FILES = /(?:^|\s)\d+ files? changed\b/;

const QUIET_OPTION = /\s(?:-[^\Wmq]*q\w*|--quiet)(?!\S)/;

const FAILURE = new RegExp(
  String.raw`\b(?:nothing (?:added )?to commit|no changes added)\b|${ERROR_WORD.source}`,
);

const LOG_LINE = /^([0-9a-f]{7,40}) (?:\([^)\n]+\) )?(.+)$/gm;

/** Matches a paragraph that does not state a reason: a list, a trailer or a tool's signature. */
const NOT_A_REASON =
  /^(?:[-*•]|\d+[.)]\s|[A-Z][\w-]+-[Bb]y:|\S* ?Generated with\b|[A-Z][\w-]+:\s\S+$)/u;

const MAX_PARAGRAPHS = 8;

const MAX_MESSAGE_CHARS = 16 * 1024;

const MAX_WHY_CHARS = 400;

/** Whether a command line runs `git commit` without `--dry-run`. Ignores commits in temporary folders. */
export function isCommit(line: string): boolean {
  return gitCommands(line).some(makesCommit);
}

function makesCommit({ name, options }: GitCommand): boolean {
  return name === "commit" && !/\s--dry-run(?!\S)/.test(options);
}

export function isPush(line: string): boolean {
  return gitCommands(line).some(pushes);
}

/** Whether a command pushes a branch, not only tags. */
function pushes({ name, options }: GitCommand): boolean {
  if (name !== "push" || /\s(?:--dry-run|-n|--delete|-d)(?!\S)/.test(options)) return false;
  const [, branch] = options.match(/(?<=\s)[^\s-]\S*/g) ?? [];
  return branch !== undefined || !/\s--tags(?!\S)/.test(options);
}

/** Matches git's output for a failed push. A filter or a later command may hide the exit code. */
const NOT_PUSHED = /(?:^|\|) *(?:! \[|(?:error|fatal|hint): )/m;

/** Whether the command line of a shell call pushed a branch. Expects a call that did not fail. */
export function madePush(line: string, output: string): boolean {
  return gitCommands(line, output).some((command) => isPushed(command, output));
}

function isPushed(command: GitCommand, output: string): boolean {
  return pushes(command) && (command.evidence === "exit code" || !NOT_PUSHED.test(output));
}

/** Matches `git status` on a branch without commits to push, and captures the branch. */
const UP_TO_DATE = /^On branch (\S+)\nYour branch is up to date with '/m;

/** Captures the branch that a rebase changed. */
const REBASED =
  /^(?:Rebasing \(\d+\/\d+\)\s*)*Successfully rebased(?: and updated refs\/heads\/(\S+)\.)?/m;

const MERGED = /^Merge made by /m;
const MERGING = /^(?:merge|pull)$/;

/** Matches a reset that drops the newest commits, such as `git reset HEAD~2`. */
const RESET_COMMITS = /^\s+(?:--\w+\s+)?HEAD(?:~([1-9]\d?)|~|\^)(?:\s+--\w+)?$/;

/** Captures the commit or branch that replaces the branch's commits, such as `origin/main`. */
const RESET_TO_OTHER = /\s--hard\s+(?!HEAD\b)(\S+)/;

const DISCARDING_RESET = /^\s+--(?:hard|merge)\b/;

const OPERATIONS = new Set(["merge", "rebase", "cherry-pick", "revert", "pull", "am"]);

/** Matches operations that can make several commits, so a single commit does not complete them. */
const MULTI_COMMIT_OPERATION = /\s(?:rebase|am)\b/;

const FOLLOW_UP_OPTION = /\s--(?:abort|continue|quit|skip)\b/;

/** Matches options that only print information or change an operation's plan. */
const QUERY_OPTION = /\s(?:--show-current-patch|--edit-todo|--help)(?![\w-])/;

/** Matches a message that says an operation is over, such as "I finished the rebase". */
const SAYS_FINISHED =
  /\b(?:continued|finished|completed|aborted|resolved|(?:I|we) did) (?:the |that |this |my )?(?:interactive )?(?:merge|rebase|cherry-pick|revert)\b|\b(?:merge|rebase|cherry-pick|revert) (?:is |was |has )?(?:been )?(?:now )?(?:done|over|complete|completed|finished|aborted|succeeded|successful)\b/i;

const CONDITION = /\b(?:when|once|after|if|unless|until|before|as soon as)\b/i;

/** Appended to the name of a halted operation if git reports that all conflicts are fixed. */
export const CONFLICTS_FIXED = ", all conflicts fixed";

const STATUS_HALTED =
  /^(?:You have unmerged paths|All conflicts fixed but you are still merging|You are currently \w+ing\b|(?:interactive )?rebase in progress)/m;

/** Matches `git status` output. Unless {@linkcode STATUS_HALTED} matches, no operation is in progress. */
const STATUS_HEAD = /^(?:On branch |HEAD detached |nothing to commit)/m;

const MAX_OPERATION_CHARS = 120;

type Printed = Readonly<Record<"branch" | "hash" | "subject", string>>;

type LineEnd = Pick<FinishedCall, "result" | "isError">;

interface FoundCommit {
  readonly hash: string | undefined;
  readonly subject: string;
  readonly why: string;
  readonly folder: string;
  readonly branch: string;
}

export class CommitCollector implements Collector {
  #commits: Commit[] = [];
  /** The number of commits in the session's own repository that were not pushed. */
  #unpushed = 0;
  /** The branch of the newest commit in the session's own repository; empty if git did not print it. */
  #branch = "";
  #halted = "";

  prompt(text: string): void {
    const isOver = this.#halted !== "" &&
      sentencesOf(text).some((one) =>
        SAYS_FINISHED.test(one) && !isQuestion(one) && !CONDITION.test(one)
      );
    if (isOver) this.#halted = "";
  }

  userRan(call: FinishedCall): void {
    this.call(call);
  }

  call(call: FinishedCall): void {
    const output = call.result.slice(0, MAX_SEARCHED_CHARS);
    const commands = gitCommands(commandOf(call), output);
    const own = commands.filter(({ folder }) => folder === "");
    this.#operation(own, output, call.isError);
    const made = madeCommits(commands, { result: output, isError: call.isError });
    for (const command of commands) {
      const { name, options, folder } = command;
      const printed = made.get(command);
      if (printed !== undefined) this.#commit(command, { printed, output, from: call.from });
      if (call.isError) continue;
      if (name === "reset") {
        const undone = RESET_COMMITS.exec(options);
        if (undone !== null) this.#removeNewest(Number(undone[1] ?? 1), folder);
        const [, other] = RESET_TO_OTHER.exec(options) ?? [];
        if (other !== undefined) this.#resetTo(other, folder);
      }
      if (name === "rebase" && folder === "") this.#forgetHashes(output);
      if (OPERATIONS.has(name) && FOLLOW_UP_OPTION.test(options)) this.#rewrite(output);
      if (MERGING.test(name) && folder === "" && MERGED.test(output)) this.#unpushed++;
      if (isPushed(command, output) && folder === "") this.#unpushed = 0;
    }
    // An up-to-date branch has nothing to push: the user may have pushed outside the session.
    const isOwnRepository = !call.isError && own.length > 0 && own.length === commands.length;
    const branch = isOwnRepository ? UP_TO_DATE.exec(output)?.[1] : undefined;
    if (branch !== undefined && ["", branch].includes(this.#branch)) this.#unpushed = 0;
  }

  pending(): Pick<Trail, "unpushed" | "halted"> {
    return { unpushed: this.#unpushed, halted: this.#halted };
  }

  finish(): Commit[] {
    return this.#commits.toReversed();
  }

  #operation(commands: readonly GitCommand[], output: string, isError: boolean): void {
    const operation = commands.find(({ name, options }) =>
      OPERATIONS.has(name) && !QUERY_OPTION.test(options)
    );
    if (HALTED_OUTPUT.test(output)) {
      if (operation === undefined || FOLLOW_UP_OPTION.test(operation.options)) return;
      this.#halted = excerptLine(commandWords(operation), MAX_OPERATION_CHARS);
      return;
    }
    const isStatus = commands.some(({ name }) => name === "status");
    if (isStatus && STATUS_HALTED.test(output)) {
      const known = this.#halted.replace(CONFLICTS_FIXED, "") ||
        (/rebas/i.test(output) ? "git rebase" : "git merge");
      this.#halted = known + (/^All conflicts fixed/m.test(output) ? CONFLICTS_FIXED : "");
      return;
    }
    const isEnded = operation !== undefined || (isStatus && STATUS_HEAD.test(output)) ||
      // A rebase continues after a commit.
      (commands.some((one) =>
        makesCommit(one) || (one.name === "reset" && DISCARDING_RESET.test(one.options))
      ) &&
        !MULTI_COMMIT_OPERATION.test(this.#halted));
    if (isEnded && !isError) this.#halted = "";
  }

  #commit(
    command: GitCommand,
    { printed, output, from }: {
      readonly printed: readonly Printed[];
      readonly output: string;
      readonly from: Origin;
    },
  ): void {
    const { folder, options } = command;
    const [amended] = /\s--amend\b/.test(options) ? this.#removeNewest(1, folder) : [];
    const message = messageOf(command);
    const why = printed.length > 1 ? "" : bodyOf(message);
    const [last] = printed.slice(-1);
    const branch = last?.branch === "detached" ? "" : last?.branch ?? "";
    if (folder === "") this.#branch = branch;
    for (const { hash, subject } of printed) {
      this.#add({ hash, subject, why, folder, branch }, from);
    }
    if (printed.length > 0) return;
    // Reads the message from the command, because git's output was suppressed or piped.
    const subject = message.split("\n", 1)[0] || amended?.message;
    if (subject === undefined) return;
    const hash = [...output.matchAll(LOG_LINE)].find(([, , title]) => title === subject)?.[1];
    this.#add({ hash, subject, why, folder, branch }, from);
  }

  /** Drops the commits after `commit`. If the session did not make `commit`, drops the unpushed commits. */
  #resetTo(commit: string, repository: string): void {
    const own = this.#commits.filter(({ folder = "" }) => folder === repository);
    const isNamed = (hash: string): boolean => commit.startsWith(hash) || hash.startsWith(commit);
    const at = own.findIndex(({ hash }) => hash !== "" && isNamed(hash));
    this.#removeNewest(at < 0 ? this.#unpushed : own.length - 1 - at, repository);
  }

  /** Forgets the hashes of the session's commits on the branch, which a rebase replaces. */
  #forgetHashes(output: string): void {
    const rebased = REBASED.exec(output);
    if (rebased === null) return;
    this.#commits = this.#commits.map((one) =>
      one.folder === undefined && [undefined, rebased[1] ?? one.branch].includes(one.branch)
        ? { ...one, hash: "" }
        : one
    );
  }

  /** Updates the hashes of commits that a continued rebase recreated. */
  #rewrite(output: string): void {
    for (const { hash, subject } of printedIn(output)) {
      this.#commits = this.#commits.map((one) => one.message === subject ? { ...one, hash } : one);
    }
  }

  #removeNewest(count: number, repository: string): Commit[] {
    if (repository === "") this.#unpushed = Math.max(0, this.#unpushed - count);
    const own = this.#commits.filter(({ folder = "" }) => folder === repository);
    const undone = own.slice(Math.max(0, own.length - count));
    this.#commits = this.#commits.filter((one) => !undone.includes(one));
    return undone;
  }

  #add({ hash = "", subject, why, folder, branch }: FoundCommit, from: Origin): void {
    const message = excerptLine(subject, MAX_SUBJECT_CHARS);
    if (folder === "") this.#unpushed++;
    const known = {
      ...(why === "" ? {} : { why }),
      ...(folder === "" ? {} : { folder }),
      ...(branch === "" ? {} : { branch }),
    };
    pushNewest(this.#commits, { hash, message, ...known, from }, MAX_COMMITS);
  }
}

function printedIn(output: string): Printed[] {
  return [...output.matchAll(COMMIT_OUTPUT)]
    .map(([, branch = "", hash = "", subject = ""]) => ({ branch, hash, subject }));
}

export function madeCommit(line: string, end: LineEnd): boolean {
  return madeCommits(gitCommands(line, end.result), end).size > 0;
}

/** Returns the commands that made commits, each with the commits that git printed for the command. */
export function madeCommits(
  commands: readonly GitCommand[],
  { result, isError }: LineEnd,
): ReadonlyMap<GitCommand, readonly Printed[]> {
  const commits = commands.filter(makesCommit);
  const printed = printedIn(result);
  if (printed.length === 0) {
    const made = isError ? [] : commits.filter((one) => isMade(one, result));
    return new Map(made.map((one) => [one, []]));
  }
  const isQuiet = ({ options }: GitCommand): boolean => !isError && QUIET_OPTION.test(options);
  const printing = commits.length === printed.length
    ? commits
    : commits.filter((one) => !isQuiet(one));
  // If the numbers differ, as for a command in a loop, the first command gets all printed commits.
  if (printed.length !== printing.length) {
    return new Map(commits.slice(0, 1).map((one) => [one, printed]));
  }
  return new Map(commits.map((one) => {
    const at = printing.indexOf(one);
    return [one, at < 0 ? [] : printed.slice(at, at + 1)];
  }));
}

/**
 * Whether a commit was made although git printed no line for it. A filter or a later command can hide a
 * failure.
 */
function isMade({ evidence, options }: GitCommand, output: string): boolean {
  if (evidence === "exit code" || output.trim() === "" || CHANGED_FILES.test(output)) return true;
  return QUIET_OPTION.test(options) && !FAILURE.test(output);
}

function messageOf({ words }: GitCommand): string {
  return [...words.slice(0, MAX_MESSAGE_CHARS).matchAll(MESSAGE)]
    .map(([, text, plain = text ?? ""]) => text?.replaceAll(/\\(["\\`$<])/g, "$1") ?? plain)
    .join("\n\n").trim();
}

function bodyOf(message: string): string {
  const [, ...paragraphs] = message.split(/\n\s*\n/, MAX_PARAGRAPHS);
  const prose = paragraphs.map((one) => one.trim().split(/\n\s*[-*•]\s/, 1)[0] ?? "")
    .find((one) => one !== "" && !one.endsWith(":") && !NOT_A_REASON.test(one));
  return excerptLine(prose ?? "", MAX_WHY_CHARS);
}
