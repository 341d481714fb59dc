/** What a handoff says next to its summary: where the work stopped, and what the user wants. */

import { quoteLine } from "../inject/plain_markdown.ts";
import { layout, sectionsText } from "../saved/layout.ts";
import type { WorkState } from "../extract/work_state.ts";

/** Room beside the handoff's sections, which say some of it, too, in UTF-16 code units. */
const WORK_CHARS = 7_200;

/** Words what a session was doing, for the session that goes on; empty where nothing is known. */
export function handoffWork(state: WorkState, projectDir: string): string {
  if (state.trail === undefined) return "";
  const { sections } = layout(state, { projectDir, beside: "sections", room: WORK_CHARS });
  return sectionsText(
    sections.map((one) => ({ ...one, lines: one.lines.map(quoteLine) })),
    "####",
  );
}

/** Keeps the end of such a text, where it says where the work stopped. */
export function endOfWork(work: string, maxChars: number): string {
  if (work.length <= maxChars) return work;
  const lines = work.split("\n");
  let length = work.length;
  while (lines.length > 0 && length > maxChars) length -= (lines.shift() ?? "").length + 1;
  return lines.join("\n").trimStart();
}
