/** Reads current work, next steps, pending tasks, errors and problems from a compaction summary. */

import { namesIn } from "../core/names.ts";
import { simpleCommands } from "../core/shell_commands.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { type ProseLine, readProse, type Section } from "../inject/prose.ts";

const MAX_ITEMS = 8;
const MAX_ITEM_CHARS = 320;
/** Higher limit for the current work and the next step, which only the summary contains. */
const MAX_CURRENT_CHARS = 640;

export const PENDING_LABEL = "Pending at the compaction: ";

export const ERROR_LABEL = "Error: ";

export const FIXED_LABEL = "Fixed before the compaction: ";

const CURRENT_LABEL = "Current work at the compaction: ";
const NEXT_LABEL = "Next step at the compaction: ";

/** Sections that no other collector covers, each with a label for its items. */
const SECTIONS: readonly (readonly [heading: RegExp, label: string])[] = [
  [/^current work\b/i, CURRENT_LABEL],
  [/^(?:optional )?next steps?\b/i, NEXT_LABEL],
  [/^pending tasks\b/i, PENDING_LABEL],
  [/^errors? and fix(?:es)?\b/i, ERROR_LABEL],
  [/^problem[- ]solving\b/i, ""],
];

/** Matches an item that only states that a list is empty, such as "None so far". */
const EMPTY_ITEM =
  /^(?:none\b(?! of\b)|no (?:pending|outstanding|further|explicit|remaining|(?:known |open )?(?:errors|issues|problems|blockers|questions|concerns|bugs))\b|n\/a\b|nothing(?: (?:else|more|left|further|open|blocking|pending|to do)\b.*)?[.!]*$)/i;

export function isEmptyItem(text: string): boolean {
  return EMPTY_ITEM.test(text);
}

/** Matches the text that the client appends to the model's summary. */
const SUFFIX =
  /\n(?:If you need specific details from before compaction|(?:Please c|C)ontinue the conversation from where|Recent messages are preserved|The messages after this summary are)\b[^]*/;

export function listSummaryItems(summary: string): string[] {
  const sections = sectionsOf(readProse(summary.replace(SUFFIX, "")));
  return SECTIONS.flatMap(([heading, label]) => {
    const lines = sections.findLast((one) => heading.test(one.heading))?.lines ?? [];
    const all = itemsOf(lines).filter((text) => !isEmptyItem(text));
    const items = all.length > 0 && isCurrentWork(label) ? [all.join(" ")] : all;
    const maxChars = isCurrentWork(label) ? MAX_CURRENT_CHARS : MAX_ITEM_CHARS;
    return items.toSorted((a, b) => Number(isSettled(a)) - Number(isSettled(b)))
      .slice(0, MAX_ITEMS).map((text) => {
        const isFixed = label === ERROR_LABEL && isSettled(text);
        return excerptLine((isFixed ? FIXED_LABEL : label) + text, maxChars);
      });
  });
}

export function isCurrentWork(item: string): boolean {
  return item.startsWith(CURRENT_LABEL) || item.startsWith(NEXT_LABEL) ||
    /^(?:currently|ongoing|in progress)\b/i.test(item);
}

interface WorkSinceSummary {
  /** Programs and subcommands of the checks that passed, such as `deno test`. */
  readonly passed: ReadonlySet<string>;
  /** Names in the changed lines of edits. */
  readonly named: ReadonlySet<string>;
  readonly requests: number;
}

/** After this many requests, a summary's causes are dropped, because later work may have refuted them. */
const MAX_CAUSE_REQUESTS = 2;

const CAUSE = /(^|[:;.] )root cause(?: was| identified)?:? [^;]*(?:; |$)/gi;

const RUN_TASK =
  /^(?:(?:after|once|then|finally)\b[^:,]*[:,] )?(?:re-?)?(?:run|verify|test|execute)\b/i;

const CODE = /`([^`]+)`/g;
const MAX_NAMED = 2;

/**
 * Drops a pending task to run checks once those checks have passed. Drops the current work and the next step
 * once a request, a passed check or an edit has followed. Removes causes after `MAX_CAUSE_REQUESTS` requests.
 * Adds a note to a pending task if edits since then contain two of its names, or its only name.
 */
export function itemsSince(
  items: readonly string[],
  { passed, named, requests }: WorkSinceSummary,
): string[] {
  const isIdle = requests === 0 && passed.size === 0 && named.size === 0;
  return items.flatMap((item) => {
    if (!isIdle && isCurrentWork(item)) return [];
    const task = item.startsWith(PENDING_LABEL) ? item.slice(PENDING_LABEL.length) : "";
    const runs = [...task.matchAll(CODE)].flatMap(([, code = ""]) => simpleCommands(code))
      .filter(({ isCheck }) => isCheck);
    const isDone = RUN_TASK.test(task) && runs.length > 0 &&
      runs.every(({ head }) => passed.has(head));
    const stated = requests < MAX_CAUSE_REQUESTS ? item : item.replaceAll(CAUSE, "$1");
    if (isDone || /^(?:[^:]*: )?$/.test(stated)) return [];
    const names = [...namesIn(task)];
    const seen = names.filter((name) => named.has(name));
    if (seen.length < Math.min(names.length, MAX_NAMED) || names.length === 0) return stated;
    const shown = seen.slice(0, MAX_NAMED).map((name) => `\`${name}\``).join(" and ");
    return `${stated} (edits since then mention ${shown})`;
  });
}

export function isUnsolved(text: string): boolean {
  return text.startsWith(PENDING_LABEL) || (text.startsWith(ERROR_LABEL) && !isSettled(text));
}

/**
 * Matches the action that fixed an error, as in "Stale lock file: Removed it". Most of these verbs can also
 * modify a noun, as in "Upload: increased latency", so an object must follow the verb.
 */
const REMEDY =
  /: (?:then )?(?:rewrote|replaced|(?:re-?)?(?:added|removed|deleted|dropped|changed|renamed|moved|updated|reverted|restored|wrapped|extracted|switched|increased|reduced|installed)(?= (?:the|an?|it|them|all|both|each)\b| (?:\w+ )?["'`]))/i;

/** Matches a clause that starts with a solution, such as "fixed by"; "needs to be fixed" does not match. */
const SOLUTION =
  /(?:^|[.;:,—–-] |[([])(?:(?:then|now|also|later) )?(?:(?:fixed|resolved|corrected|solved)(?![\w-])|(?:final |successful )?fix: (?!none\b|not\b|unknown\b|tbd\b|to ?do\b|pending\b))/i;

function isSettled(item: string): boolean {
  return (SOLUTION.test(item) || REMEDY.test(item)) &&
    !/\b(?:current|still|not (?:yet )?(?:fixed|resolved)|remaining)\b/i.test(item);
}

/** Splits a summary into sections. The client asks the model to number them, but a model may use headings. */
function sectionsOf(lines: readonly ProseLine[]): Section[] {
  const nameOf = ({ text }: ProseLine): string => text.replace(/^\d+\.\s*/, "");
  const isKnown = (line: ProseLine): boolean =>
    SECTIONS.some(([heading]) => heading.test(nameOf(line)));
  const hasHeadings = lines.some((line) => line.kind === "heading" && isKnown(line));
  const sections: { heading: string; lines: ProseLine[] }[] = [];
  for (const line of lines) {
    const isHeading = hasHeadings
      ? line.kind === "heading"
      : line.indent === 0 && (line.kind === "label" || /^\d/.test(line.key));
    if (!isHeading) sections.at(-1)?.lines.push(line);
    else sections.push({ heading: nameOf(line), lines: [] });
  }
  return sections;
}

/** Matches a line about the item above it, such as "Fix: Removed it". */
const DETAIL_LINE = /^(?:fix|cause|reason|solution|resolution|root cause|result)\b[^:]{0,20}: /i;

function itemsOf(lines: readonly ProseLine[]): string[] {
  const indent = Math.min(...lines.map((line) => line.indent));
  const items: string[] = [];
  for (const { kind, text, indent: own } of lines) {
    // Skips labels, which only introduce the items below them, and the user's feedback.
    if (
      (kind === "label" && text.endsWith(":")) || /^user (?:feedback|corrections?)\b/i.test(text)
    ) continue;
    const last = items.at(-1);
    const isOwn = own === indent && !DETAIL_LINE.test(text);
    if (last === undefined || isOwn) items.push(text.replace(/^error: /i, ""));
    else items[items.length - 1] = `${last}${/[:;.]$/.test(last) ? " " : "; "}${text}`;
  }
  return items;
}
