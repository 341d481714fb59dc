import { entersTemporary, otherRepository } from "../core/shell_commands.ts";
import { pushNewest } from "../core/newest.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { commandOf } from "../inject/outcome.ts";
import type { Collector, Commit, FinishedCall, Trail } from "../core/work_state.ts";

const MAX_COMMITS = 100;

const MAX_SUBJECT_CHARS = 200;

const MAX_SEARCHED_CHARS = 64 * 1024;

/** Matches `git commit`, even with options before the subcommand, as in `git -C dir commit`. */
const COMMIT_COMMAND = /\bgit\b(?:\s+-[cC]\s+\S+|\s+--?[\w-]+(?:=\S+)?)*\s+commit\b/;

/** Matches the line that git prints for a commit, such as `[main (root-commit) 1a2b3c4] Subject`. */
export const COMMIT_OUTPUT = /^\[[^\]\n]{1,300} ([0-9a-f]{7,40})\] (.*)$/gm;

/** Matches the first line of a message in `-m "..."`, `-am '...'` or a here-document. */
const COMMIT_MESSAGE =
  /\s-\w*(?:m\s*(?:"\$\(cat <<-?\s*['"]?\w+['"]?\s*\n([^\n]+)|"((?:[^"\\\n]|\\.)+)|'([^'\n]+))|F\s*-\s*<<-?\s*['"]?\w+['"]?[^\n]*\n([^\n]+))/;

const LOG_LINE = /^([0-9a-f]{7,40}) (?:\([^)\n]+\) )?(.+)$/gm;

/** Matches a whole message, in a here-document or in double quotes. */
const WHOLE_MESSAGE =
  /\s-\w*[mF]\s*(?:-\s*<<-?\s*['"]?(\w+)['"]?[^\n]*\n([^]*?)\n\s*\1\b|"\$\(cat <<-?\s*['"]?(\w+)['"]?[^\n]*\n([^]*?)\n\s*\3\b|"((?:[^"\\]|\\[^])+)")/;

/** Matches a paragraph that states no reason: a list, a trailer or a tool's signature. */
const NO_PROSE =
  /^(?:[-*•]|\d+[.)]\s|[A-Z][\w-]+-[Bb]y:|\S* ?Generated with\b|[A-Z][\w-]+:\s\S+$)/u;

const MAX_PARAGRAPHS = 8;

const MAX_MESSAGE_CHARS = 16 * 1024;

const MAX_WHY_CHARS = 400;

function isScratch(command: string): boolean {
  return /\bgit init\b/.test(command) || entersTemporary(command);
}

/** Whether a command contains `git commit` without `--dry-run`, and uses no scratch repository. */
export function isCommit(command: string): boolean {
  return COMMIT_COMMAND.test(command) && !isScratch(command) && !/\s--dry-run\b/.test(command);
}

const PUSH = /\bgit\b(?:\s+-[cC]\s+\S+)*\s+push\b/;

export function isPush(command: string): boolean {
  return PUSH.test(command) && !/\s--dry-run\b/.test(command);
}

const UP_TO_DATE = /^Your branch is up to date with 'origin\//m;

/** Matches a reset that drops the newest commits, such as `git reset HEAD~2`. */
const RESET_COMMITS =
  /\bgit\s+reset\s(?:--\w+\s+)?HEAD(?:~([1-9]\d?)|~|\^)(?:\s+--\w+)?\s*(?:$|[|;&\n])/;

/** Matches a reset that replaces the branch's commits, such as `git reset --hard origin/main`. */
const RESET_TO_REMOTE = /\bgit\s+reset\s+--hard\s+(?:(?:origin|upstream)\/|@\{u)/;

/** Matches a git operation that can stop halfway, such as `git merge main`. */
const OPERATION =
  /\bgit\b(?:\s+-[cC]\s+\S+)*\s+(merge|rebase|cherry-pick|revert|pull|am)(?!\S)([^;&|\n>]*)/;

/** These operations consist of several commits, so a single commit does not complete them. */
const MULTI_COMMIT_OPERATION = /\s(?:rebase|am)\b/;

const FOLLOW_UP_OPTION = /\s--(?:abort|continue|quit|skip)\b/;

const HALTED_OUTPUT =
  /^(?:CONFLICT \(|Automatic merge (?:failed|went well; stopped)|(?:error: )?could not apply )/m;

/** Matches a message that says an operation is over, such as "I finished the rebase". */
const SAID_OVER =
  /\b(?:continued|finished|completed|aborted|resolved|did) (?:the |that |this |my )?(?:interactive )?(?:merge|rebase|cherry-pick|revert)\b|\b(?:merge|rebase|cherry-pick|revert) (?:is |was |has )?(?:been )?(?:now )?(?:done|over|complete|completed|finished|aborted|succeeded|successful)\b/i;

/** Ends the name of a halted operation whose conflicts git reports as fixed. */
export const CONFLICTS_FIXED = ", all conflicts fixed";

const STATUS = /\bgit\b(?:\s+-[cC]\s+\S+)*\s+status\b/;

/** Output of `git status` while an operation is stopped halfway. */
const STATUS_HALTED =
  /^(?:You have unmerged paths|All conflicts fixed but you are still merging|You are currently \w+ing\b|(?:interactive )?rebase in progress)/m;

/** Matches `git status` output, which would report an operation in progress. */
const STATUS_HEAD = /^(?:On branch |HEAD detached |nothing to commit)/m;

const DISCARDING_RESET = /\bgit\b(?:\s+-[cC]\s+\S+)*\s+reset\s+--(?:hard|merge)\b/;

const MAX_OPERATION_CHARS = 120;

interface FoundCommit {
  readonly hash: string | undefined;
  readonly subject: string;
  readonly why: string;
  readonly folder: string;
}

export class CommitCollector implements Collector {
  #commits: Commit[] = [];
  /** The number of commits in the session's own repository that were not pushed. */
  #unpushed = 0;
  #halted = "";

  prompt(text: string): void {
    if (this.#halted !== "" && SAID_OVER.test(text)) this.#halted = "";
  }

  call(call: FinishedCall): void {
    const command = commandOf(call).slice(0, MAX_SEARCHED_CHARS);
    if (command === "") return;
    this.#operation(command, call);
    if (call.isError) return;
    const folder = otherRepository(command);
    const undone = RESET_COMMITS.exec(command);
    if (undone !== null) this.#removeNewest(Number(undone[1] ?? 1), folder);
    if (isCommit(command)) this.#commit(command, call, folder);
    else if (FOLLOW_UP_OPTION.test(command)) this.#rewrite(call.result);
    if (folder !== "") return;
    if (RESET_TO_REMOTE.test(command)) this.#removeNewest(this.#unpushed, folder);
    // An up-to-date branch has nothing to push: the user may have pushed outside the session.
    if (isPush(command) || UP_TO_DATE.test(call.result.slice(0, MAX_SEARCHED_CHARS))) {
      this.#unpushed = 0;
    }
  }

  pending(): Pick<Trail, "unpushed" | "halted"> {
    return { unpushed: this.#unpushed, halted: this.#halted };
  }

  finish(): Commit[] {
    return this.#commits.toReversed();
  }

  #operation(command: string, { result, isError }: FinishedCall): void {
    if (isScratch(command)) return;
    const output = result.slice(0, MAX_SEARCHED_CHARS);
    const [operation = "", , options = ""] = OPERATION.exec(command) ?? [];
    if (HALTED_OUTPUT.test(output)) {
      if (operation === "" || FOLLOW_UP_OPTION.test(options)) return;
      this.#halted = excerptLine(operation.replace(/\s\d?$/, ""), MAX_OPERATION_CHARS);
      return;
    }
    if (STATUS.test(command) && STATUS_HALTED.test(output)) {
      const known = this.#halted.replace(CONFLICTS_FIXED, "") ||
        (/rebas/i.test(output) ? "git rebase" : "git merge");
      this.#halted = known + (/^All conflicts fixed/m.test(output) ? CONFLICTS_FIXED : "");
      return;
    }
    const isEnded = operation !== "" ||
      // A rebase continues after a commit.
      ((isCommit(command) || DISCARDING_RESET.test(command)) &&
        !MULTI_COMMIT_OPERATION.test(this.#halted)) ||
      (STATUS.test(command) && STATUS_HEAD.test(output) && !STATUS_HALTED.test(output));
    if (isEnded && !isError) this.#halted = "";
  }

  #commit(command: string, call: FinishedCall, folder: string): void {
    const [amended] = /\s--amend\b/.test(command) ? this.#removeNewest(1, folder) : [];
    const output = call.result.slice(0, MAX_SEARCHED_CHARS);
    const printed = [...output.matchAll(COMMIT_OUTPUT)];
    const why = printed.length > 1 ? "" : bodyOf(command);
    for (const [, hash, subject = ""] of printed) this.#add({ hash, subject, why, folder }, call);
    if (printed.length > 0) return;
    // Reads the message from the command, because git's output was suppressed or piped.
    const [, ...groups] = COMMIT_MESSAGE.exec(command) ?? [];
    const subject = groups.find((group) => group !== undefined) ?? amended?.message;
    if (subject === undefined) return;
    const hash = [...output.matchAll(LOG_LINE)].find(([, , title]) => title === subject)?.[1];
    this.#add({ hash, subject, why, folder }, call);
  }

  /** Updates the hashes of commits that a continued rebase recreated. */
  #rewrite(result: string): void {
    const output = result.slice(0, MAX_SEARCHED_CHARS);
    for (const [, hash = "", subject] of output.matchAll(COMMIT_OUTPUT)) {
      this.#commits = this.#commits.map((one) => one.message === subject ? { ...one, hash } : one);
    }
  }

  /** Drops the newest commits of a repository, and returns them. */
  #removeNewest(count: number, repository: string): Commit[] {
    if (repository === "") this.#unpushed = Math.max(0, this.#unpushed - count);
    const own = this.#commits.filter(({ folder = "" }) => folder === repository);
    const undone = own.slice(Math.max(0, own.length - count));
    this.#commits = this.#commits.filter((one) => !undone.includes(one));
    return undone;
  }

  #add({ hash = "", subject, why, folder }: FoundCommit, { from }: FinishedCall): void {
    const message = excerptLine(subject, MAX_SUBJECT_CHARS);
    if (folder === "") this.#unpushed++;
    const known = { ...(why === "" ? {} : { why }), ...(folder === "" ? {} : { folder }) };
    pushNewest(this.#commits, { hash, message, ...known, from }, MAX_COMMITS);
  }
}

/** Returns the first paragraph of prose after the subject of a commit message. */
function bodyOf(command: string): string {
  const [, , piped, , substituted, quoted] =
    WHOLE_MESSAGE.exec(command.slice(0, MAX_MESSAGE_CHARS)) ?? [];
  const [, ...paragraphs] = (piped ?? substituted ?? quoted ?? "").trim()
    .split(/\n\s*\n/, MAX_PARAGRAPHS);
  const prose = paragraphs.map((one) => one.trim().split(/\n\s*[-*•]\s/, 1)[0] ?? "")
    .find((one) => one !== "" && !one.endsWith(":") && !NO_PROSE.test(one));
  return excerptLine(prose ?? "", MAX_WHY_CHARS);
}
