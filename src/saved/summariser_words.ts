/** Instructions to the summariser of a compaction. */

import { buildContext } from "../inject/context.ts";
import { shownPath } from "./checkpoint/change_lines.ts";
import { excerptLine } from "../extract/excerpt.ts";
import type { Said, WorkState } from "../extract/work_state.ts";
import { newestOf } from "./layout_parts.ts";

/** The most UTF-16 code units of the instructions. */
export const MAX_SUMMARISER_CHARS = 2_000;

/** All that `/compact` is told: the client prints it, and the facts are restored afterwards. */
export const SHOWN_WORDS =
  "Keep in the summary: the task, decisions with their reasons, what was " +
  "refused, open issues, next steps, files changed.";

/** An item takes no more UTF-16 code units. */
const MAX_ITEM_CHARS = 180;

/** Room for the fence around the facts and what stands before it, in UTF-16 code units. */
const OWN_CHARS = 260;

const MAX_FILE_NAMES = 25;

export function summariserWords(state: WorkState, projectDir = ""): string {
  const files = state.changes.slice(0, MAX_FILE_NAMES)
    .map(({ file }) => shownPath(file, projectDir)).join(", ");
  const groups: [string, string[]][] = [
    ["Task", taskOf(state).map(({ text }) => text)],
    [
      "Decisions",
      state.decisions.map(({ decision, rationale }) => {
        return rationale === "" ? decision : `${decision} (${rationale})`;
      }),
    ],
    ["Open issues", state.issues.map(({ issue }) => issue)],
    [
      "Next steps",
      state.next_steps.filter(({ status }) => status !== "completed").map(({ step }) => step),
    ],
    ["Files changed", files === "" ? [] : [files]],
    ["Found out", state.learnings.map(({ text }) => text)],
  ];
  const facts = fitted(groups, MAX_SUMMARISER_CHARS - OWN_CHARS);
  if (facts === "") return "";
  return buildContext([
    "Keep these facts of the session in the summary, next to everything else that matters:",
    { source: "trimtab, from the transcript", text: facts },
  ], MAX_SUMMARISER_CHARS);
}

/** The newest request is what is being worked on; the first says what it is all about. */
function taskOf({ requirements }: WorkState): readonly Said[] {
  const newest = newestOf(requirements);
  return [...new Set([newest, requirements[0]])].filter((one) => one !== undefined);
}

/** Takes the first of every group, then the second of every group, until the room is used up. */
function fitted(groups: readonly [string, string[]][], maxChars: number): string {
  const taken = groups.map((): string[] => []);
  const longest = Math.max(...groups.map(([, items]) => items.length));
  let room = maxChars;
  for (let rank = 0; rank < longest; rank++) {
    groups.forEach(([title, items], group) => {
      const item = items[rank];
      if (item === undefined) return;
      const line = `- ${excerptLine(item, MAX_ITEM_CHARS)}`;
      const cost = line.length + 1 + (rank === 0 ? title.length + 2 : 0);
      if (cost > room) return;
      room -= cost;
      taken[group]?.push(line);
    });
  }
  return groups.flatMap(([title], group) => {
    const lines = taken[group] ?? [];
    return lines.length === 0 ? [] : [`${title}:`, ...lines];
  }).join("\n");
}
