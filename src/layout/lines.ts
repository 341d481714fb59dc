/** Renders each fact of a work state as one line, such as `fact (line 12)`. */

import { isCheckRun } from "../commands/command_line.ts";
import { CONFLICTS_FIXED } from "../changes/commits.ts";
import { counted } from "../inject/bound.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { POSTPONED_LEAD } from "../decisions/exchange.ts";
import type {
  Commit,
  Decision,
  FileChange,
  Issue,
  NextStep,
  Origin,
  Said,
  Trail,
  WorkState,
} from "../core/work_state.ts";

export const BY_HAND: Origin = { uuid: "noted by hand", line: null };

export const NO_ORIGIN: Origin = { uuid: null, line: null };

/** The `file` of a handwritten note about the whole project. */
export const WHOLE_PROJECT = ".";

const MAX_FACT_CHARS = 400;
const MAX_REASON_CHARS = 300;
const MAX_WHAT_CHARS = 240;
const MAX_PATH_CHARS = 300;
const MAX_COMMIT_CHARS = 160;
const MAX_FOLDER_CHARS = 80;
const MAX_LABELLED_CHARS = 300;

/** Room for a count such as `, 12 more`. */
const MORE_CHARS = 14;

const MAX_ALTERNATIVES = 6;

/** Below this share of the limits, only the titles of rejected options are shown. */
const SHORT_SHARE = 0.5;

/** After this many requests, an earlier decision, summary or stopped call may be out of date. */
export const MIN_REQUESTS_SINCE = 2;

export function isByHand(from: Origin): boolean {
  return from.uuid === BY_HAND.uuid;
}

/** Removes references to another session's transcript, which are meaningless in this session. */
export function withoutOrigins<T extends WorkState>(state: T): T {
  return JSON.parse(JSON.stringify(state, (key, value) => {
    return key === "from" && !isByHand(value) ? NO_ORIGIN : value;
  }));
}

/**
 * Returns the origin as `line 12`, as the first 8 digits of the entry's id, or as `noted by hand`; empty if
 * unknown.
 */
function originText({ uuid, line }: Origin): string {
  if (uuid === BY_HAND.uuid) return BY_HAND.uuid ?? "";
  if (line !== null && Number.isSafeInteger(line) && line >= 0) return `line ${line}`;
  const short = uuid?.slice(0, 8) ?? "";
  return /^[0-9a-f]{8}$/i.test(short) ? short : "";
}

export function withPlace(text: string, from: Origin, label = ""): string {
  const place = originText(from);
  return text === "" || place === ""
    ? text
    : `${text} (${label === "" ? "" : `${label}, `}${place})`;
}

export function withLabel(label: string, text: string): string {
  return text === "" ? "" : `${label}: ${excerptLine(text, MAX_LABELLED_CHARS)}`;
}

export function listLine(label: string, items: readonly string[], separator = ", "): string {
  const names = items.map((item) => excerptLine(item, MAX_PATH_CHARS));
  let room = MAX_LABELLED_CHARS - MORE_CHARS;
  const kept = names.filter((name, at) =>
    (room -= name.length + separator.length) >= 0 || at === 0
  );
  const more = names.length - kept.length;
  return withLabel(label, kept.join(separator) + (more === 0 ? "" : `${separator}${more} more`));
}

export function saidLine({ text, from }: Said, maxChars = MAX_FACT_CHARS): string {
  return withPlace(excerptLine(text, maxChars), from);
}

export function issueLine({ issue, kind, from }: Issue): string {
  return withPlace(excerptLine(issue, MAX_FACT_CHARS), from, isByHand(from) ? "" : kind);
}

const AGREED = /^Agreed: /;

/** Matches words that only introduce a cause, as in "The issue is that the cache is full". */
const REASON_LEAD =
  /^(?:(?:because|the (?:\w+ )?(?:issue|problem|reason|cause) (?:is|was) that)\s+)+/i;

/**
 * Renders a decision. For an old plan or choice, adds the number of later requests, because they may have
 * changed it. For any other decision, notes if the newest request may change it. Drops options that were
 * postponed long ago, because they may be done. `share` multiplies the limits.
 */
export function decisionLine(
  decision: Decision,
  requestsSince = 0,
  share = 1,
): string {
  const { from, kind } = decision;
  const what = decisionPart(decision.decision, MAX_FACT_CHARS * share);
  const rationale = decisionPart(decision.rationale, MAX_REASON_CHARS * share)
    .replace(REASON_LEAD, "");
  // An option's number is not a reason.
  const why = /^[\W\d]*$/.test(rationale) ? "" : rationale;
  const isOld = requestsSince >= MIN_REQUESTS_SINCE;
  const others = decision.alternatives.slice(0, Math.ceil(MAX_ALTERNATIVES * share))
    .filter((one) => !isOld || !one.startsWith(POSTPONED_LEAD))
    .map((one) =>
      decisionPart(share < SHORT_SHARE ? titleOf(one) : one, MAX_REASON_CHARS * share / 2)
    )
    .map((one) => one.replaceAll(";", ","))
    .filter((one) => one !== "" && !what.includes(one)).join("; ");
  if (what === "") return "";
  // The description of the option chosen in a dialog is not the user's reason.
  const reason = kind === "answer" && !isByHand(from)
    ? ` (offered as: ${why})`
    : /^the (?:assistant |user |goal: )/.test(why)
    ? ` — ${why}`
    : ` — because ${why}`;
  const words = what + (why === "" ? "" : reason) +
    (others === "" ? "" : ` — not: ${others}`);
  // Later requests often change a choice that was carried out long ago.
  const isDated = kind === "plan" || AGREED.test(what) ||
    (kind !== "assistant" && decision.alternatives.length > 0);
  const age = isOld && isDated ? `, ${requestsSince} later requests may have changed it` : "";
  return withPlace(words, from, isByHand(from) ? "" : kind + age);
}

/** Returns an option without its description, as in "A lock for each file, Costs more memory". */
function titleOf(option: string): string {
  return /^(?!")(?:[^`]|`[^`]{0,80}`){6,}?(?=: | [–—-] |, \p{Lu})/u.exec(option)?.[0] ?? option;
}

/** Replaces dashes that would look like the separators `— because` and `— not:`. */
function decisionPart(text: string, maxChars: number): string {
  return excerptLine(text, maxChars).replaceAll(/—(?= because\b| not:)/g, "-");
}

export function stepLine(step: NextStep, isPlaced = true): string {
  const { status, from } = step;
  const place = isPlaced || isByHand(from) ? from : NO_ORIGIN;
  const progress = status === "in_progress" ? "in progress" : "";
  const words = stepText(step, MAX_FACT_CHARS, [progress, sinceOf(step), originText(place)]);
  return words === "" ? "" : `${status === "completed" ? "[x]" : "[ ]"} ${words}`;
}

export function stepText(step: NextStep, maxChars: number, notes = [sinceOf(step)]): string {
  const text = excerptLine(step.step, maxChars);
  const suffix = notes.filter((note) => note !== "").join(", ");
  return text === "" || suffix === "" ? text : `${text} (${suffix})`;
}

function sinceOf({ since }: NextStep): string {
  return since === undefined ? "" : `listed before ${excerptLine(since, MAX_REASON_CHARS)}`;
}

/** Lists the completed steps in one line, so that they are not done again. */
const WRITES_FILES = /^(?:create|write|generate|save)\b.*\bfiles?\b/i;

export function doneLine({ next_steps: steps, changes }: WorkState): string {
  const done = steps.filter(({ status }) => status === "completed").map(({ step }) =>
    changes.length === 0 && WRITES_FILES.test(step)
      ? `${step} (as the list says; no file of the project was seen to be written)`
      : step
  );
  return listLine("Done", done, "; ");
}

export function openSteps(steps: readonly NextStep[]): NextStep[] {
  return steps.filter(({ status }) => status !== "completed");
}

export function changeLine(change: FileChange): string {
  const { file, action, count, from } = change;
  const path = excerptLine(file, MAX_PATH_CHARS);
  const what = excerptLine(change.what, MAX_WHAT_CHARS);
  const place = `[${path}${lineRange(change)}]`;
  if (path === "" || (isByHand(from) && what === "")) return "";
  if (isByHand(from)) {
    return withPlace(path === WHOLE_PROJECT ? what : `${place} - ${what}`, from);
  }
  const isRepeated = Number.isSafeInteger(count) && count > 1;
  const times = !isRepeated
    ? ""
    : action === "created"
    ? `, then edited ${counted(count - 1, "time")}`
    : ` ${count} times`;
  return withPlace(`${place} - ${action}${times}${what === "" ? "" : `: ${what}`}`, from);
}

export function reasonLine(changes: readonly FileChange[]): string {
  const [first] = changes;
  const why = excerptLine(first?.why ?? "", MAX_WHAT_CHARS);
  const paths = changes.map(({ file }) => excerptLine(file, MAX_PATH_CHARS));
  if (first === undefined || why === "" || paths.includes("")) return "";
  const isNote = isByHand(first.from) && paths[0] === WHOLE_PROJECT;
  return withPlace(isNote ? why : `[${paths.join("] [")}] - ${why}`, first.from);
}

export function commitLine(
  { hash, message, why = "", folder = "", branch = "", from }: Commit,
  isPlaced = true,
): string {
  const name = /^[0-9a-f]{4,40}$/i.test(hash) ? ` ${hash}` : "";
  const words = excerptLine(message, MAX_COMMIT_CHARS);
  if (name === "" && words === "") return "";
  const reason = why === "" ? "" : ` — ${excerptLine(why, MAX_REASON_CHARS)}`;
  const place = (branch === "" ? "" : ` on ${excerptLine(branch, MAX_FOLDER_CHARS)}`) +
    (folder === "" ? "" : ` in ${excerptLine(folder, MAX_FOLDER_CHARS)}`);
  return withPlace(`[commit${name}${place}] - ${words}${reason}`, isPlaced ? from : NO_ORIGIN);
}

function lineRange({ first_line: first, last_line: last }: FileChange): string {
  const lines = [first, last].filter((line) => Number.isSafeInteger(line) && Number(line) >= 0)
    .map(Number);
  if (lines.length === 0) return "";
  const [low, high] = [Math.min(...lines), Math.max(...lines)];
  return low === high ? `:${low}` : `:${low}-${high}`;
}

/** Returns a line if no check of the session's work was seen; empty if one was, or if there is no work. */
export function uncheckedLine({ trail, changes, commits }: WorkState): string {
  const unseen = "no test, build or linter was seen";
  if (trail === undefined || trail.commands.some(({ text }) => isCheckRun(text))) return "";
  if ((trail.uncommitted ?? 0) > 0) return `Not checked by this session: ${unseen}`;
  return changes.length === 0 || commits.length === 0
    ? ""
    : `Committed by this session, but not checked: ${unseen}`;
}

function haltedLine(halted: string, hasEdits: boolean): string {
  const operation = halted.replace(CONFLICTS_FIXED, "");
  if (operation === "") return "";
  if (operation === halted) return `Stopped in the middle: \`${halted}\``;
  const conclusion = (hasEdits ? "stage the edits, then " : "") + "git commit concludes it";
  return `Not concluded: \`${operation}\`${CONFLICTS_FIXED}; ${conclusion}`;
}

export function haltedLines(
  { halted = "", stashed = [], uncommitted = 0 }: Partial<Trail> = {},
): string[] {
  return [
    haltedLine(halted, uncommitted > 0),
    listLine("In the git stash, not restored by this session", stashed, "; "),
  ];
}
