import { lastPart } from "../core/last_part.ts";
import { setNewest } from "../core/newest.ts";
import { type GitCommand, gitCommands } from "../core/git_commands.ts";
import { isTemporaryPath } from "../core/shell_commands.ts";
import {
  isNeverCommitted,
  isPathOf,
  isTree,
  MAX_COMMAND_CHARS,
  movedBy,
  namesOrContains,
  pathsOf,
  removedBy,
  revertedBy,
  writtenBy,
} from "../core/shell_files.ts";
import { editedFile } from "../inject/edits.ts";
import { madeCommits } from "./commits.ts";
import { stashesWork } from "./stashes.ts";
import { HALTED_OUTPUT } from "./tree_moves.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { commandOf } from "../inject/outcome.ts";
import { isOutput } from "../inject/telling_lines.ts";
import {
  ABSOLUTE_PATH,
  isListedAs,
  isListedBelow,
  isUnder,
  pathIn,
  withoutDots,
} from "./listed_paths.ts";
import { changedLine, patchOf } from "../inject/patches.ts";
import { actionOf, mergeLines, NO_CHANGE } from "./change_fields.ts";
import type { Collector, FileChange, FinishedCall, Origin, Trail } from "../core/work_state.ts";

const MAX_CHANGED_FILES = 500;
const MAX_PATH_CHARS = 1_000;
const MAX_WHAT_CHARS = 120;
const MAX_WHY_CHARS = 240;
const CLEAN_STATUS = /^nothing to commit, working tree clean$/m;

/** Matches options with which `git status` covers the whole tree. */
const WHOLE_STATUS = /^(?:\s+(?:-s|-b|-sb|--short|--porcelain|--branch))*$/;
const LISTED_FILE = /^(?:\t(?:[a-z][a-z ]{3,16}:\s+)?|[ MADRCTU?]{2} )"?(\S[^"\n]*)/gm;

/** Matches options with which `git diff` compares the whole tree with the index. */
const WHOLE_DIFF = /^(?:\s+--(stat|name-only|name-status))?$/;
/** Patterns for paths, by diff format. `--stat` replaces the start of a long path with dots. */
const DIFFERING_FILE: Readonly<Record<string, RegExp>> = {
  "stat": /^ (\S[^|\n]*?)\s+\|\s+(?:\d|Bin)/gm,
  "name-only": /^(\S+)$/gm,
  "name-status": /^[A-Z]\d*\t(?:[^\t\n]+\t)?([^\t\n]+)$/gm,
};

/** Matches options and paths of `git add` that may stage more than the named files. */
const STAGES_ALL = /(?:^|\s)(?:-[\w-]*|\.|:\/|\S*\*\S*)(?=\s|$)/;
const COMMITS_ALL = /\s(?:-[^\Wa]*a\w*|--all)(?!\S)/;
const COMMITTED_FILES = /^ (\d+) files? changed\b/m;

/** Matches `git log` options that print the newest commit of the branch first. */
const LOG =
  /^(?:\s+(?:-\d+|-n\s*\d+|-p|--(?:oneline|stat|name-only|name-status|(?:no-)?decorate|abbrev-commit|patch)|--(?:format|pretty)=\S*|[^\s-]\S*\.\.HEAD))*$/;
const NEWEST_HASH = /^(?:commit )?([0-9a-f]{7})[0-9a-f]*\b/;

const HEAD_MOVING = new Set(
  "commit pull checkout switch rebase merge reset fetch cherry-pick revert".split(" "),
);
const STOPPED_AGAIN = /\bcould not apply [0-9a-f]{7}/;
const PULL_REQUEST_CHECKOUT = /\bgh\s+pr\s+checkout\b/;

/** Maximum characters read of a command, which may contain the text of a whole file. */
const MAX_WRITING_CHARS = 64 * 1024;
const MAX_OTHER_FILES = 100;
const MAX_FILES = 20;
export const UNSEEN_EDIT = "committed, but its edit was not seen";
const FILE = /^(?!-)[^*?\s]+\.\w+$/;

/** Matches paths that git usually does not track, such as build output and files in the home folder. */
const UNTRACKED =
  /^~|(?:^|\/)(?:\.git|node_modules|dist|build|target|coverage|\.[\w.-]*cache)(?:\/|$)|\.(?:log|out|tmp)$/;

/** Matches a path that is absolute or starts with `~`, `$HOME` or `..`. It can still be in the project. */
const OUTSIDE = new RegExp(`${ABSOLUTE_PATH.source}|^(?:~|\\$HOME|\\.\\.)/`);

export class ChangeCollector implements Collector {
  #initialFolder = "";
  #currentFolder = "";
  #changes = new Map<string, FileChange>();
  /** Files with committed changes, which a revert does not discard. */
  readonly #committed = new Set<string>();
  #uncommitted = new Set<string>();
  #stashed = NO_FILES;
  /** The state before an operation that stopped halfway; restored if the operation is aborted. */
  #beforeHalt: { changes: Map<string, FileChange>; uncommitted: Set<string> } | undefined;
  readonly #deleted = new Set<string>();
  /** Files that were edited before the last `git add`. A diff may omit them, because they may be staged. */
  readonly #staged = new Set<string>();
  /** Paths passed to `git add` since the last commit; `undefined` if other files may be staged, too. */
  #added: Set<string> | undefined = new Set();
  /** Files that git's last status or diff listed, including files that the session changed. */
  #others: readonly string[] = [];
  /** The newest commit that a log showed; empty if the branch may have moved since. */
  #head = "";
  #why = "";
  /**
   * First file changed after the assistant's message. The message counts as the reason for this change even
   * if it does not mention the file.
   */
  #explainedFile: string | undefined;

  /** Forgets the last message, because it does not explain changes made after the prompt. */
  prompt(): void {
    this.#why = "";
  }

  /** Stores the last paragraph as the possible reason for the next change. */
  said(text: string): void {
    this.#why = excerptLine(text.trimEnd().split("\n\n").at(-1) ?? "", MAX_WHY_CHARS);
    this.#explainedFile = undefined;
  }

  folder(path: string): void {
    this.#initialFolder ||= path;
    this.#currentFolder = path;
  }

  branch(): void {
    this.#head = "";
  }

  userRan(call: FinishedCall): void {
    this.call(call);
  }

  call(call: FinishedCall): void {
    this.#shell(call);
    const path = editedFile(call);
    if (path === undefined || path === "" || call.isError) return;
    const file = excerptLine(path, MAX_PATH_CHARS);
    if (!isNeverCommitted(file)) this.#uncommitted.add(file);
    this.#useAbsolutePath(file);
    const patch = patchOf(call);
    const earlier = this.#changes.get(file);
    const lines = mergeLines(earlier, patch.lines);
    const what = excerptLine(changedLine(file, patch.added, patch.removed) ?? "", MAX_WHAT_CHARS);
    const why = call.isSidechain ? "" : this.#whyFor(file);
    this.#add(file, call.from, {
      action: earlier?.action ?? actionOf(call, patch),
      first_line: lines?.first ?? null,
      last_line: lines?.last ?? null,
      ...(what === "" ? {} : { what }),
      ...(why === "" ? {} : { why }),
    });
  }

  pending(): Pick<Trail, "uncommitted" | "uncommitted_files" | "deleted" | "others"> {
    // Files outside the project do not belong to the repository.
    const files = [...this.#uncommitted].filter((file) =>
      this.#initialFolder === "" || !OUTSIDE.test(file) ||
      [this.#initialFolder, this.#currentFolder].some((folder) => isUnder(file, folder))
    );
    const others = this.#others.filter((path) =>
      ![...this.#changes.keys(), ...this.#deleted].some((file) => isListedAs(path, file)) &&
      ![...this.#deleted].some((folder) => isListedBelow(path, folder))
    );
    // Reports temporary files only if no other file has uncommitted edits.
    const lasting = files.filter((file) => !isTemporaryPath(file));
    const open = lasting.length > 0 ? lasting : files;
    return {
      uncommitted: open.length,
      uncommitted_files: open.slice(-MAX_FILES).reverse(),
      deleted: [...this.#deleted].slice(-MAX_FILES),
      others: others.slice(0, MAX_OTHER_FILES),
    };
  }

  finish(): FileChange[] {
    return [...this.#changes.values()].reverse();
  }

  #shell(call: FinishedCall): void {
    const { isError, result, from } = call;
    const whole = commandOf(call).slice(0, MAX_WRITING_CHARS);
    if (whole === "") return;
    const commands = gitCommands(whole, result);
    const made = madeCommits(commands, call);
    // A continued rebase commits the resolved files, and may then stop at the next commit.
    const isContinued = commands.some(({ options, folder }) =>
      folder === "" && /\s--continue(?!\S)/.test(options)
    );
    if (isContinued && (!isError || STOPPED_AGAIN.test(result))) this.#markCommitted();
    if (commands.length > 0 && !isContinued && HALTED_OUTPUT.test(result)) {
      this.#beforeHalt = {
        changes: new Map(this.#changes),
        uncommitted: new Set(this.#uncommitted),
      };
    }
    if (!isError) this.#files(whole, from);
    for (const one of commands) {
      // If the line failed but made a commit, the `git add` before the commit succeeded.
      const isRun = !isError || (made.size > 0 && one.name === "add");
      if (isRun && one.folder === "") this.#readGit(one, result);
      if (made.has(one)) this.#commit(one, result, from);
      // A commit that failed or was refused does not move the branch.
      const isMoving = HEAD_MOVING.has(one.name) && (one.name !== "commit" || made.has(one));
      if (isMoving) this.#head = "";
    }
    if (PULL_REQUEST_CHECKOUT.test(whole)) this.#head = "";
  }

  #files(whole: string, from: Origin): void {
    const moved = new Map(movedBy(whole));
    for (const [source, target] of moved) this.#move(source, target);
    for (const path of new Set(writtenBy(whole))) {
      this.#useAbsolutePath(path);
      // The path may be relative to any folder.
      const file = [...this.#changes.keys()].find((file) => isPathOf(path, file)) ?? path;
      this.#uncommitted.add(file);
      this.#add(file, from, {});
    }
    for (const path of removedBy(whole)) if (!moved.has(path)) this.#delete(path);
    for (const path of revertedBy(whole)) {
      this.#forget(path, this.#committed);
      this.#others = this.#others.filter((other) =>
        !namesOrContains(path, other) && !isPathOf(withoutDots(other), path)
      );
    }
  }

  /** Renames the changed files at a path. A new file remains new after the move. */
  #move(source: string, target: string): void {
    const changes = [...this.#changes.values()].filter(({ file }) => isPathOf(source, file));
    this.#delete(source);
    for (const change of changes) {
      const [start = "", ...rest] = change.file.split(source);
      const file = (ABSOLUTE_PATH.test(target) ? "" : start) + target + rest.join(source);
      if (isTemporaryPath(file)) continue;
      this.#uncommitted.add(file);
      this.#changes.set(file, { ...change, file });
    }
  }

  /** Replaces a file's relative path with its absolute path, so that the file is listed only once. */
  #useAbsolutePath(file: string): void {
    for (const folder of new Set([this.#initialFolder, this.#currentFolder])) {
      const name = folder !== "" && isUnder(file, folder) ? file.slice(folder.length + 1) : "";
      const change = this.#changes.get(name);
      if (change === undefined) continue;
      this.#changes.delete(name);
      this.#uncommitted.delete(name);
      this.#changes.set(file, { ...change, file });
    }
  }

  #add(file: string, from: Origin, fields: Partial<FileChange>): void {
    const earlier = this.#changes.get(file) ?? { ...NO_CHANGE, file };
    const change = { ...earlier, ...fields, count: earlier.count + 1, from };
    setNewest(this.#changes, file, change, MAX_CHANGED_FILES);
  }

  /**
   * Applies a git command's effect to the uncommitted files. The output of a status, diff or log can
   * also show that edits were committed or discarded outside the session.
   */
  #readGit(command: GitCommand, result: string): void {
    if (command.name === "add") this.#stage(command);
    if (/\s--abort(?!\S)/.test(command.options)) this.#abort();
    if (command.name === "stash") this.#stash(command, result);
    // Git rebases only a clean tree, so the tracked files have no uncommitted edits.
    if (command.name === "rebase" && !/autostash/i.test(command.options + result)) {
      this.#uncommitted = this.#uncommitted.difference(this.#tracked());
    }
    if (command.name === "diff") this.#readDiff(command, result);
    if (command.name === "log" && command.isLast && LOG.test(command.options)) {
      const head = NEWEST_HASH.exec(result)?.[1] ?? "";
      if (head !== "" && this.#head !== "" && head !== this.#head) this.#markCommitted();
      if (head !== "") this.#head = head;
    }
    if (command.name === "status") this.#readStatus(command, result);
  }

  /** Returns the tracked files that have uncommitted edits. A new file is tracked once it is staged. */
  #tracked(): ReadonlySet<string> {
    const isNew = (file: string): boolean => this.#changes.get(file)?.action === "created";
    return new Set([...this.#uncommitted].filter((file) => !isNew(file) || this.#staged.has(file)));
  }

  #stash({ words }: GitCommand, result: string): void {
    const isStashed = stashesWork(`git stash${words}`, result);
    const isWhole = !/\s--\s/.test(words);
    if (isStashed === true && isWhole && this.#stashed.size === 0) {
      this.#stashed = / (?:-\w*u|--include-untracked|-\w*a|--all)/.test(words)
        ? new Set(this.#uncommitted)
        : this.#tracked();
      this.#uncommitted = this.#uncommitted.difference(this.#stashed);
    } else if (isStashed === false) {
      this.#uncommitted = this.#uncommitted.union(this.#stashed);
      this.#stashed = NO_FILES;
    }
  }

  /** Restores the state before the operation, because git drops the edits that resolved its conflicts. */
  #abort(): void {
    if (this.#beforeHalt === undefined) return;
    this.#changes = this.#beforeHalt.changes;
    this.#uncommitted = this.#beforeHalt.uncommitted;
    this.#beforeHalt = undefined;
  }

  #readStatus({ isLast, options }: GitCommand, result: string): void {
    if (CLEAN_STATUS.test(result.slice(-MAX_COMMAND_CHARS))) this.#markCommitted();
    if (!isLast || !WHOLE_STATUS.test(options)) return;
    const listed = [...result.matchAll(LISTED_FILE)].map(([, path = ""]) => path);
    this.#setOthers(listed);
    for (const path of this.#deleted) {
      if (
        !listed.some((one) =>
          isListedAs(one, path) || isPathOf(path, one) || isListedBelow(one, path)
        )
      ) {
        this.#deleted.delete(path);
      }
    }
    const open = this.#listedIn(listed);
    // A status that lists none of the files may come from another repository.
    if (open.length === 0) return;
    for (const file of this.#uncommitted) if (!open.includes(file)) this.#uncommitted.delete(file);
  }

  #listedIn(paths: readonly string[]): string[] {
    return [...this.#uncommitted].filter((file) => paths.some((path) => isListedAs(path, file)));
  }

  #setOthers(listed: readonly string[]): void {
    this.#others = listed.map((path) => excerptLine(path, MAX_PATH_CHARS));
  }

  #readDiff({ isLast, isAlone, options }: GitCommand, result: string): void {
    const [diff, format] = isLast ? WHOLE_DIFF.exec(options) ?? [] : [];
    if (diff === undefined) return;
    const isEmpty = !isOutput(result);
    // The output of another command on the line could look like a path.
    const pattern = isEmpty || !isAlone ? undefined : DIFFERING_FILE[format ?? ""];
    if (pattern !== undefined) {
      this.#setOthers([...result.matchAll(pattern)].map(([, path = ""]) => path));
    }
    // Unstaged edits that the diff omits were committed or discarded outside the session. A diff that lists
    // none of the files may come from another repository.
    const listed = pattern === undefined ? [] : this.#others;
    const open = this.#listedIn(listed);
    if (!isEmpty && open.length === 0) return;
    const omitted = this.#tracked().difference(this.#staged).difference(new Set(open));
    this.#uncommitted = this.#uncommitted.difference(omitted);
  }

  #stage({ words, options }: GitCommand): void {
    for (const file of this.#uncommitted) this.#staged.add(file);
    if (STAGES_ALL.test(options)) this.#added = undefined;
    for (const path of pathsOf(words)) this.#added?.add(path);
  }

  /**
   * Marks files as committed. Marks only the files that were staged by name if the output confirms that git
   * committed no others. Otherwise, marks all files.
   */
  #commit({ options, folder }: GitCommand, result: string, from: Origin): void {
    if (folder !== "") return this.#markIn(folder);
    this.#beforeHalt = undefined;
    const added = COMMITS_ALL.test(options) ? undefined : this.#added;
    this.#addUnseen([...added ?? this.#others], from);
    const count = Number(COMMITTED_FILES.exec(result)?.[1] ?? Infinity);
    const isNamed = (file: string): boolean =>
      [...added ?? []].some((path) => isListedAs(path, file));
    const named = [...this.#uncommitted].filter(isNamed);
    if (count > named.length) return this.#markCommitted();
    for (const file of named) {
      this.#committed.add(file);
      this.#uncommitted.delete(file);
    }
    this.#others = this.#others.filter((other) => !isNamed(withoutDots(other)));
    this.#staged.clear();
    this.#added = new Set();
  }

  /** Adds committed files whose edits were not seen, such as those that a subagent edited. */
  #addUnseen(paths: readonly string[], from: Origin): void {
    const known = [...this.#changes.keys(), ...this.#deleted];
    const unseen = paths.filter((path) =>
      FILE.test(path) && !UNTRACKED.test(path) && !known.some((file) => isListedAs(path, file))
    );
    // Lists unseen edits as the oldest, because it is unknown when they were made.
    const added = unseen.slice(0, MAX_FILES).map((path): [string, FileChange] => {
      const file = withoutDots(path);
      return [file, { ...NO_CHANGE, file, count: 1, what: UNSEEN_EDIT, from }];
    });
    this.#changes = new Map([...added, ...this.#changes]);
  }

  #markCommitted(): void {
    this.#beforeHalt = undefined;
    this.#added = new Set();
    this.#staged.clear();
    this.#others = [];
    for (const file of this.#changes.keys()) this.#committed.add(file);
    this.#uncommitted.clear();
    this.#deleted.clear();
  }

  /** Marks the files in another repository or worktree as committed. */
  #markIn(folder: string): void {
    const root = folder.startsWith("..") ? pathIn(this.#currentFolder, folder) : folder;
    for (const file of this.#changes.keys()) {
      if (!isUnder(file, root)) continue;
      this.#committed.add(file);
      this.#uncommitted.delete(file);
    }
  }

  #delete(path: string): void {
    this.#useAbsolutePath(path);
    const created = [...this.#changes].some(([file, { action }]) =>
      action === "created" && isPathOf(path, file) && !this.#committed.has(file)
    );
    this.#forget(path);
    if (!created && !isTemporaryPath(path) && !UNTRACKED.test(path)) {
      this.#deleted.add(excerptLine(path, MAX_PATH_CHARS));
    }
  }

  /**
   * Drops the changes of the files at a path, which may be relative to any folder. Files in `except` stay
   * listed, but without uncommitted edits.
   */
  #forget(path: string, except: ReadonlySet<string> = new Set()): void {
    for (const [file, { action }] of this.#changes) {
      // Reverting a whole tree keeps new files.
      const isAffected = namesOrContains(path, file) && !(isTree(path) && action === "created");
      if (isAffected) this.#uncommitted.delete(file);
      if (isAffected && !except.has(file)) this.#changes.delete(file);
    }
  }

  #whyFor(file: string): string {
    this.#explainedFile ??= file;
    const isExplained = this.#explainedFile === file || this.#why.includes(lastPart(file));
    return isExplained ? this.#why : "";
  }
}

const NO_FILES: ReadonlySet<string> = new Set();
