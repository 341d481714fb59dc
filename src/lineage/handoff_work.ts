/** What a handoff says next to its summary: where the work stopped, and what the user wants. */

import { quoteLine } from "../inject/plain_markdown.ts";
import { TRAIL_PARTS, workSections } from "../saved/work_sections.ts";
import type { WorkState } from "../extract/work_state.ts";

/** Each part has this much of its room: the summary says some of it, too. */
const SCALE = 0.62;

/** Words what a session was doing, for the session that goes on; empty where nothing is known. */
export function handoffWork(state: WorkState, projectDir: string): string {
  if (state.trail === undefined) return "";
  return workSections(state, { projectDir, only: TRAIL_PARTS, scale: SCALE })
    .map(({ name, lines }) => [`#### ${name}`, ...lines.map(quoteLine)].join("\n"))
    .join("\n\n");
}

/** Keeps the end of such a text, where it says where the work stopped. */
export function endOfWork(work: string, maxChars: number): string {
  if (work.length <= maxChars) return work;
  const lines = work.split("\n");
  let length = work.length;
  while (lines.length > 0 && length > maxChars) length -= (lines.shift() ?? "").length + 1;
  return lines.join("\n").trimStart();
}
