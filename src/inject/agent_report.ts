import { isAgentStarted } from "../core/tools.ts";
import { cutText, longestEnds, PRAISE } from "./ends.ts";
import { excerptLine } from "./excerpt.ts";
import { outline, readProse, readSections, type Section, withoutBlocks } from "./prose.ts";
import { redactSecrets } from "../secrets/redact.ts";

const MAX_REPORT_CHARS = 1_200;
const MAX_SECTION_CHARS = 500;

/** Matches the text that the client puts before a report. */
const FRAME = /^[^]{0,400}?\[Subagent hand-back\][^]*?The report follows:\n/;

/** Matches the text that the client appends to a report. */
const ADDITIONS = /\s*(?:(?:^|\n)agentId: \S+ \([^]*|<usage>[^]*)$/;

/** Captures the branch with the changes of an agent that worked in its own folder. */
const WORKTREE = /^worktreeBranch: (\S+)$/m;

/** Results shorter than this are not shown if they only introduce omitted code or sections. */
const MIN_RESULT_CHARS = 200;
const ONLY_INTRODUCES = /(?::|\[…\])\.?$/;

/** Matches a word in the opening of a review. A review describes the work before its results. */
const REVIEW = /\b(?:(?<!self-)review|audit|analysis|assessment|verdict)\b/i;
const OPENING_CHARS = 400;

/** Matches the heading at which an agent's report begins, after its notes to itself. */
const REPORT_HEADING = /^#{1,3} (?:final )?report\b[^\n]*\n/im;

/** Matches a line about what the agent assumes if it gets no answer. Later work may have settled it. */
const ASSUMPTION =
  /^[ \t]*(?:[-*+•][ \t]+)?(?:\*\*)?(?:default )?assumptions? (?:if|unless|until)\b[^\n]*\n?/gim;

/** Patterns for headings of results, the most useful first. */
const RESULTS = [
  /\b(?:verdict|(?:overall|final|general) assessment)\b|^assessment\b/i,
  /\b(?:findings?|recommend\w*|concerns?|gaps?|critical|important|required|must)\b/i,
  /\b(?:issues?|risks?|problems?|bugs?|vulnerabilit\w+)\b/i,
  /\b(?:summary|conclusions?|assessment|answer|results?)\b/i,
];

/**
 * Leaves out code, praise and assumptions. Shortens a report that is still long to its results or, without
 * results, to its start and end.
 */
export function reportOf(result: string): string {
  if (isAgentStarted(result)) return "started";
  const whole = redactSecrets(result);
  const branch = WORKTREE.exec(whole)?.[1];
  const notes = whole.replace(FRAME, "").replace(ADDITIONS, "");
  const report = notes.slice(Math.max(0, notes.search(REPORT_HEADING)));
  const text = withoutBlocks(longestEnds(report)).replaceAll(PRAISE, "")
    .replaceAll(ASSUMPTION, "");
  const shown = text.length <= MAX_REPORT_CHARS
    ? text
    : resultsIn(text) || cutText(text, MAX_REPORT_CHARS, 1 / 2);
  return excerptLine(shown, Infinity) + (branch === undefined ? "" : ` (on branch ${branch})`);
}

/**
 * Returns the results of a review. Returns an empty string for any other report, and for a review without
 * headings of results; the caller then keeps the start and end of the report.
 */
function resultsIn(text: string): string {
  if (!REVIEW.test(text.slice(0, OPENING_CHARS))) return "";
  const sections = readSections(readProse(text));
  const shown: Section[] = [];
  let size = 0;
  // The most useful section is always kept, and the others only if they fit.
  for (
    const section of RESULTS.flatMap((one) => sections.filter(({ heading }) => one.test(heading)))
  ) {
    const { length } = sectionLine(section);
    if (shown.includes(section) || (size > 0 && size + length > MAX_REPORT_CHARS)) continue;
    shown.push(section);
    size += length + 1;
  }
  const inOrder = sections.filter((section) => shown.includes(section));
  const results = cutText(inOrder.map(sectionLine).join(" "), MAX_REPORT_CHARS);
  return results.length < MIN_RESULT_CHARS && ONLY_INTRODUCES.test(results) ? "" : results;
}

function sectionLine({ heading, lines }: Section): string {
  const line = `${heading.replace(/:$/, "")}: ${outline(lines, MAX_SECTION_CHARS)}`;
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
