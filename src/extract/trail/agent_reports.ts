/** Recognizes steps that start a subagent or bring its report, and reads the findings of a report. */

import { cutEnds } from "../../inject/ends.ts";
import { isWithoutResult, NO_RESULT, OUTCOME } from "../../inject/step_words.ts";
import { didNotRun } from "../../inject/telling_lines.ts";

/** Matches a subagent's report, whose findings often are the next tasks. */
export const REPORT = new RegExp(`^(?:Task|Agent) .*?${OUTCOME}`);

export const STARTS_AGENT =
  /\b(?:dispatch\w*|launch\w*|start|spawn|request)\b.*\b(?:(?:sub)?agents?|\w*reviewers?|reviews?|implementers?)\b/i;

const CRITICAL_REPORT =
  /\b(?:request(?:ed)?[ _]changes|changes requested|(?:critical|important|blocking) issues?)\b/i;
const FINDING = /(?<=\s)(\d{1,2}[.)] \*\*[^*]{8,}?)\*\*/g;
const MAX_FINDINGS = 5;
const MAX_FINDING_CHARS = 90;

export function findingsIn(step: string): string[] {
  if (!REPORT.test(step) || !CRITICAL_REPORT.test(step)) return [];
  return [...step.matchAll(FINDING)].slice(0, MAX_FINDINGS)
    .map(([, head = ""]) => cutEnds(head.replace("**", ""), MAX_FINDING_CHARS, 1));
}

/** Whether a step shows the report of an agent that ended, unlike a launch or a failed call. */
export function isReturnedReport(step: string): boolean {
  const [, outcome = NO_RESULT] = step.split(OUTCOME, 2);
  return REPORT.test(step) && outcome !== "started" && !outcome.startsWith("failed") &&
    !isWithoutResult(outcome) && !didNotRun(outcome);
}
