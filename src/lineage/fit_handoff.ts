/** A handoff within a bound. */

import { boundText } from "../inject/bound.ts";
import { guardHandoff, type HandoffPart, partText, splitHandoff } from "./handoff_sections.ts";

/** What can be done without soonest comes first; null is what precedes all sections. */
const LEAST_IMPORTANT: readonly HandoffPart["name"][] = [
  "Modified Files",
  "Key Decisions",
  null,
  "Critical Context",
  "Current Task",
  "Immediate Next Steps",
];

const CUT_NOTE = "(cut here)";

/** UTF-16 code units of a section that stay as long as another can be cut. */
const MIN_PART_CHARS = 300;

/** Shortens sections from their ends, the least important first, with a note where text is cut. */
export function fitHandoff(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  let parts: readonly HandoffPart[] = splitHandoff(text);
  for (const least of [MIN_PART_CHARS, 0]) {
    for (const name of LEAST_IMPORTANT) {
      const excess = joined(parts).length - maxChars;
      if (excess <= 0) break;
      parts = parts.map((part) => part.name === name ? shortened(part, excess, least) : part);
    }
  }
  return boundText(guardHandoff(joined(parts)), maxChars);
}

function shortened(part: HandoffPart, excess: number, least: number): HandoffPart {
  const room = Math.max(least, partText(part).length - excess - CUT_NOTE.length - 1);
  const lines = [...part.lines];
  while (lines.length > 0 && partText({ ...part, lines }).length > room) lines.pop();
  if (lines.length === part.lines.length) return part;
  // A line that is longer than the room keeps its beginning where it is all there is.
  const [first = ""] = part.lines;
  const left = room - partText({ ...part, lines: [] }).length - 1;
  if (lines.length === 0 && left > 0) lines.push(boundText(first, left));
  const rest = lines.join("\n").trimEnd();
  return { ...part, lines: rest === "" ? [CUT_NOTE] : [rest, CUT_NOTE] };
}

function joined(parts: readonly HandoffPart[]): string {
  return parts.map(partText).join("\n\n");
}
