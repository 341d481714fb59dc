/** The parts of a layout; each renders one aspect of a save. */

import { lastPart } from "../core/last_part.ts";
import { andMore, counted } from "../inject/bound.ts";
import { FILE_NAME, namesOf } from "../inject/edits.ts";
import { folderLines } from "../inject/folder_lines.ts";
import { quoteLine } from "../inject/plain_markdown.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { cutAnswer } from "../extract/progress.ts";
import { ERROR_LABEL, isUnsolved, PENDING_LABEL } from "../extract/summed_up.ts";
import { DOES_NOT_COMPILE } from "../extract/learning_patterns.ts";
import { isSameText, wordsOf } from "../inject/word_set.ts";
import { isCheckLine, PASSED_COMMAND } from "../inject/step_words.ts";
import { emptyTrail } from "../extract/trail/trail.ts";
import type { FileChange, Issue, SummedUp, WorkState } from "../core/work_state.ts";
import {
  changeLine,
  commitLine,
  doneLine,
  haltedLines,
  isByHand,
  issueLine,
  listLine,
  MIN_REQUESTS_SINCE,
  openSteps,
  reasonLine,
  saidLine,
  stepLine,
  stepText,
  uncheckedLine,
  withLabel,
  withPlace,
} from "./lines.ts";
import { headOf, MIN_LINE_CHARS, sizeOfLines } from "../inject/fit_lines.ts";
import {
  type Fit,
  itemsPart,
  occursIn,
  type PartOptions,
  type ShownText,
  wordsOnly,
  type Work,
} from "./part.ts";
import { decisionsPart } from "./decisions.ts";
import { editedFiles, filesPart, pathOf, withOmitted } from "./files.ts";
import { taskPart } from "./earlier_prompts.ts";
import { EXPLAINING, goalPart, nowPart } from "./prompts.ts";
import { currentRequests, hasCommitSince, requestsSince } from "./requests.ts";
import { commandsPart, refusedLines, stoppedPart } from "./steps.ts";

/** An answer counts as shown if the text above contains this many of its first characters. */
const ANSWER_KEY_CHARS = 60;

/** A question counts as shown if the text above contains this many of its last characters. */
const QUESTION_KEY_CHARS = 60;

/** After this many requests, the open items of a summary are probably done. */
const MANY_REQUESTS = 4;
const MAX_COMMITS = 20;
const MAX_COMMIT_REASONS = 3;
const MAX_UNCOMMITTED = 8;
const MAX_LINKS = 3;
const MAX_FILES_FOR_ONE_REASON = 4;
const MIN_ANSWER_CHARS = 400;

/** Names after this many UTF-16 code units are mostly variables of a single function. */
const MAX_NAMES_CHARS = 430;

/** Of answers older than this many, only those that explain a cause still matter. */
const NEWEST_ANSWERS = 2;

/** Matches a finding of an earlier request that may be settled, because edits followed. */
const EARLIER_FINDING = /\(from an earlier request, [^]*\)$/;

/** Matches the parenthesized notes after a finding, including its place. */
const NOTES = /(?: \([^()]*\))+$/;

const QUOTED_REASON = /^(?:refused|stopped) .*?: "(.+?)"(?:[;,]|$)/;

/** Matches a refused or stopped git command that changes a repository, unless a later call was allowed. */
const STOPPED_GIT =
  /^(?:refused|stopped)(?: \d+ requests ago:)? Bash .*?\bgit (?:commit|push|stash|reset|rm|merge|rebase)\b.*?(?=; the user then wrote: "|: ")(?!.*, and a later .* was allowed$)/;

const STILL_FAILING = /^`[^`]*` (?:\d+ times )?failed\b(?!.* since then `[^`]*` passed)/;

const BUILD = /^`[^`]*\b(?:build|tsc|compile|cargo check)\b/;

const TEST_FILE = /[._-](?:test|spec)\./;

const PROBABLY_DONE = "Pending at the compaction, but edited since, and";

const AT_THE_TIME = "as answered at the time";

export const PARTS = {
  now: nowPart,
  goal: goalPart,
  task: taskPart,
  progress: progressPart,
  decisions: decisionsPart,
  answers: (work, { shown }) => {
    const { progress } = work;
    const answers = (progress.answers ?? []).toReversed();
    // Skips an answer that the text above, usually the "Now" part, already shows.
    return (room, above) => {
      const unshown = answers.filter(({ text }) =>
        !above.includes(shown.line(excerptLine(text, Infinity)).slice(0, ANSWER_KEY_CHARS))
      ).filter(({ text }, at) => at < NEWEST_ANSWERS || EXPLAINING.test(text));
      // A few answers of readable length are better than the start of every answer.
      const order = unshown.length < 2 ? "" : "newest first, ";
      const head = unshown.length === 0 ? [] : [`(${order}${AT_THE_TIME})`];
      const left = room - sizeOfLines(head);
      const count = Math.max(1, Math.min(unshown.length, Math.floor(left / MIN_ANSWER_CHARS)));
      const charsPerAnswer = left / count - MIN_LINE_CHARS / 2;
      const lines = unshown.map((answer, at) =>
        shown.item(withPlace(cutAnswer(answer.text, charsPerAnswer, at > 0), answer.from))
      );
      const part = headOf([...head, ...lines], room, shortenAnswer);
      const hasAnswer = part.lines.some((line) => line.startsWith("- "));
      return hasAnswer ? part : { lines: [], omitted: lines.length };
    };
  },
  steps: (work, options) => {
    const { next_steps: steps } = work;
    const { isRecord, hasNow } = options;
    const whole = itemsPart(steps.map((one) => stepLine(one, isRecord)), options);
    const left = openSteps(steps).map((one) => stepLine(one, isRecord));
    // If every step is done, the "Now" part lists the steps, unless they are older than the newest request.
    const done = hasNow && left.length > 0 ? doneLine(work) : "";
    const note = hasNow && left.length > 0 && isOutdated(work) ? ageNote(work) : "";
    const open = itemsPart([note, ...left, done], options);
    // A record lists completed steps one by one if all of them fit.
    return (room, above) => {
      const part = isRecord ? whole(room, above) : open(room, above);
      return part.omitted === 0 ? part : open(room, above);
    };
  },
  open: ({ issues, next_steps: steps }, options) =>
    itemsPart([
      ...issues.map(({ issue, from }) => withPlace(excerptLine(issue, Infinity), from)),
      ...openSteps(steps).map((step) => stepText(step, Infinity)),
    ], options),
  issues: ({ issues }, options) => itemsPart(issues.map(issueLine), options),
  critical: (work, options) => {
    const others = [
      ...refusedLines(work, options),
      ...noteLines(work),
      ...work.learnings.filter(({ text }) => !EARLIER_FINDING.test(text))
        .map((one) => saidLine(one)),
    ];
    return (room, above) => {
      const open = otherIssues(work, options).filter((one) =>
        !isAskedAbove(one, options.shown, above)
      );
      const words = options.isRecord ? "" : wordsOnly(above);
      const fresh = others.flatMap((line) => {
        const text = QUOTED_REASON.exec(line)?.[1] ?? line.replace(NOTES, "");
        const isShown = occursIn(text, words);
        return isShown ? STOPPED_GIT.exec(line)?.[0] ?? [] : line;
      });
      return itemsPart([...open.map((one) => `Open: ${issueLine(one)}`), ...fresh], options)(
        room,
        above,
      );
    };
  },
  refused: (work, options) => itemsPart(refusedLines(work, options), options),
  summedUp: (work, { shown, isRecord }) => {
    const { progress: { summed_up: summary }, changes, next_steps } = work;
    const listed = next_steps.map(({ step }) => wordsOf(step));
    // The list of steps shows which steps are open and which are done.
    const isListed = (text: string): boolean =>
      text.startsWith(PENDING_LABEL) &&
      listed.some((words) => isSameText(words, wordsOf(text.slice(PENDING_LABEL.length))));
    const isOld = summary !== undefined && summary.requests_since >= MIN_REQUESTS_SINCE &&
      (hasCommitSince(work, summary.from) || summary.requests_since >= MANY_REQUESTS);
    const items = (summary?.items ?? []).map((text) => excerptLine(text, Infinity))
      .filter((text) => text !== "" && !isListed(text))
      .filter((text) => isRecord || (!(isOld && isUnsolved(text)) && shown.addIfNew(text)));
    const since = summary?.from.line ?? Infinity;
    const edited = new Map(changes.map(({ file, from }) => [lastPart(file), from.line ?? 0]));
    const checks = (work.trail?.commands ?? []).filter(({ text, from: { line } }) =>
      (line ?? 0) > since && isCheckLine(text)
    );
    const isFailing = checks.some(({ text }) => STILL_FAILING.test(text));
    const passed = checks.filter(({ text }) => PASSED_COMMAND.test(text));
    const builds = passed.filter(({ text }) => BUILD.test(text));
    const passedAt = Math.max(...(isFailing ? builds : passed).map(({ from }) => from.line ?? 0));
    const namesOnly = (
      text: string,
      isMeant: (name: string, editedAt: number) => boolean,
    ): boolean => {
      const named = text.match(FILE_NAME) ?? [];
      return named.length > 0 && named.every((name) => isMeant(name, edited.get(name) ?? 0));
    };
    const isEdited = (text: string): boolean => namesOnly(text, (_, line) => line > since);
    // A pending task is probably done if its files were edited and a check then passed. If another check fails,
    // a build that passed still covers all files except tests.
    const isDone = (text: string): boolean =>
      !isRecord && text.startsWith(PENDING_LABEL) &&
      namesOnly(text, (name, line) =>
        line > since && line < passedAt && !(isFailing && TEST_FILE.test(name)));
    const done = items.filter(isDone).map((text) => text.slice(PENDING_LABEL.length));
    const lines = items.filter((text) => !isDone(text)).map((text) => {
      const notes = [
        isEdited(text) ? "edited since" : "",
        !text.startsWith(ERROR_LABEL)
          ? ""
          : passed.length > 0 && !isFailing
          ? "checks passed since"
          : builds.length > 0 && DOES_NOT_COMPILE.test(text)
          ? "a build passed since"
          : "",
      ].filter((one) => one !== "").join("; ");
      return shown.item(withNote(text, notes));
    });
    const covered = `${PROBABLY_DONE} ${isFailing ? "a build" : "checks"} passed`;
    if (done.length > 0) lines.push(shown.item(listLine(covered, done, "; ")));
    const head = summary === undefined || items.length === 0
      ? []
      : [withPlace(summaryHead(summary), summary.from)];
    return (room) => headOf([...head, ...lines], room);
  },
  learnings: ({ learnings }, options) => itemsPart(learnings.map((one) => saidLine(one)), options),
  files: filesPart,
  edited: (work, { shown }) => {
    const files = editedFiles(work.changes, shown);
    return (room) =>
      room < MIN_LINE_CHARS / 4
        ? { lines: [], omitted: files.length }
        : withOmitted(folderLines(files, room));
  },
  changes: ({ changes, commits }, options) =>
    itemsPart([
      ...changes.map((change) => changeLine(change)),
      ...commits.map(({ branch: _branch, ...one }) => commitLine(one)),
    ], options),
  reasons: ({ changes }, options) => itemsPart(reasonLines(changes), options),
  commands: commandsPart,
  git: (work, options) => itemsPart(gitLines(work, options), options),
  names: namesPart,
  tools: ({ progress }, options) => itemsPart(progress.tools.map(({ name }) => name), options),
  stopped: stoppedPart,
} satisfies { readonly [name: string]: (work: Work, options: PartOptions) => Fit };

export type PartName = keyof typeof PARTS;

function isOutdated(work: Work): boolean {
  const requestLine = currentRequests(work).at(-1)?.from.line ?? 0;
  return work.next_steps.every(({ from }) => from.line !== null && from.line < requestLine);
}

function ageNote(work: Work): string {
  const count = Math.min(...work.next_steps.map((one) => requestsSince(work, one)));
  const requests = count > 1 ? `${count} requests` : "request";
  return `(the list is older than the newest ${requests}, which may change it)`;
}

/** Adds a note to the label of an item, where a cut at the end of the line cannot drop it. */
function withNote(item: string, note: string): string {
  if (note === "") return item;
  const label = [PENDING_LABEL, ERROR_LABEL].find((one) => item.startsWith(one)) ?? "";
  return label === ""
    ? `${item} (${note})`
    : `${label.replace(/: $/, "")} (${note}): ${item.slice(label.length)}`;
}

/** States the age of a summary, because its pending tasks may be done by now. */
function summaryHead({ requests_since: count }: SummedUp): string {
  if (count === 0) return "From the client's summary:";
  return `From the client's summary, ${counted(count, "request")} ago:`;
}

function progressPart(work: Work, options: PartOptions): Fit {
  const lines = [...work.progressLines, ...noteLines(work)];
  if (options.isRecord) return itemsPart(lines, options);
  const words = lines.map((line) => quoteLine(options.shown.line(line)));
  return (room) => headOf(words, room);
}

function noteLines({ progress }: WorkState): string[] {
  return progress.recent.filter(({ from }) => isByHand(from)).map((said) => saidLine(said));
}

/** Omits failed commands if commands have their own part. */
function otherIssues(
  { issues, trail }: Work,
  { hasCommands }: PartOptions,
): WorkState["issues"] {
  return hasCommands && (trail?.commands.length ?? 0) > 0
    ? issues.filter(({ kind }) => kind !== "command")
    : issues;
}

/** Shortens an answer, but keeps the reply to it, which may correct the answer. */
function shortenAnswer(line: string, maxChars: number): string {
  const short = cutAnswer(line, maxChars);
  return short.length <= maxChars ? short : "";
}

function isAskedAbove({ issue, kind }: Issue, shown: ShownText, above: string): boolean {
  const end = wordsOnly(shown.line(issue)).slice(-QUESTION_KEY_CHARS);
  return kind === "question" && wordsOnly(above).includes(end);
}

function reasonLines(changes: readonly FileChange[]): string[] {
  const byReason = new Map<string, FileChange[]>();
  for (const [index, change] of changes.entries()) {
    if (change.why === "") continue;
    const key = isByHand(change.from) ? `hand ${index}` : `why ${change.why.toLowerCase()}`;
    const known = byReason.get(key) ?? [];
    if (known.length < MAX_FILES_FOR_ONE_REASON) known.push(change);
    byReason.set(key, known);
  }
  return [...byReason.values()].map((all) => reasonLine(all));
}

const OPERATION = /^git ([\w-]+)[^]*$/;

function gitLines(work: Work, { shown, hasChanges, hasNow }: PartOptions): string[] {
  const { trail, commits } = work;
  const { branch, branch_before: before = "", links } = trail ?? emptyTrail();
  const { uncommitted = 0, uncommitted_files: open = [], unpushed = 0 } = trail ?? {};
  const { deleted = [], others = [] } = trail ?? {};
  const operation = trail?.halted?.replace(OPERATION, ", $1 in progress") ?? "";
  // Leaves out files outside the project, which its repository does not contain.
  const deletedInProject = deleted.map((file) => pathOf(file, shown))
    .filter((file) => !/^[/~]/.test(file));
  const commitLines = (hasChanges ? [] : commits.slice(0, MAX_COMMITS)).map((commit, index) => {
    const { why = "", branch: own = branch } = commit;
    const shownWhy = index < MAX_COMMIT_REASONS ? why : "";
    return commitLine({ ...commit, why: shownWhy, branch: own === branch ? "" : own }, false);
  });
  // The list of modified files names them all if nothing was committed.
  const isNamed = commits.length > 0 && open.length > 0;
  const names = namesOf(
    open.slice(0, MAX_UNCOMMITTED).map((file) => pathOf(file, shown)),
    work.changes.map(({ file }) => pathOf(file, shown)),
  );
  const isPushed = trail?.unpushed === 0 && commits.some(({ folder }) => folder === undefined);
  return [
    withLabel("Branch", branch === "" ? "" : branch + operation),
    withLabel("Branch changed outside the session", before === "" ? "" : `${before} -> ${branch}`),
    ...(hasNow ? [] : haltedLines(trail)),
    uncommitted === 0
      ? ""
      : `Not committed by this session: edits of ${
        isNamed ? andMore(names, uncommitted) : counted(uncommitted, "file")
      }`,
    listLine("Uncommitted, not seen to be edited by this session", others),
    listLine("Deleted or moved by this session, not committed", deletedInProject),
    uncheckedLine(work),
    unpushed === 0 ? "" : `Not pushed by this session: ${counted(unpushed, "commit")}`,
    ...commitLines.slice(0, 1),
    isPushed ? "All commits of this session are pushed" : "",
    withLabel("Links from commands", links.slice(0, MAX_LINKS).join(" ")),
    ...commitLines.slice(1),
  ];
}

function namesPart({ trail }: Work, { shown, isRecord }: PartOptions): Fit {
  return (room, above) => {
    const names = (trail?.names ?? []).filter((name) => isRecord || !above.includes(name));
    let left = Math.min(room, isRecord ? room : MAX_NAMES_CHARS) - MIN_LINE_CHARS / 4;
    const kept = names.filter((name) => (left -= name.length + 2) > 0);
    const more = names.length - kept.length;
    if (kept.length === 0) return { lines: [], omitted: more };
    return {
      lines: [shown.item(kept.join(", ")) + (more > 0 ? `, ${more} more` : "")],
      omitted: more,
    };
  };
}
