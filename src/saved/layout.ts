/** The one layout of a work state: what whoever goes on needs first stands first. */

import type { WorkState } from "../extract/work_state.ts";
import { linesSize, type Part, type PartName, partOf, Shown } from "./layout_parts.ts";

/** The parts in their order, each with its share of the room in UTF-16 code units. */
const SHARES: { readonly [name in PartName]: number } = {
  "Now": 2_400,
  "Task": 3_600,
  "Key Decisions": 900,
  "Active Issues": 500,
  "Next Steps": 700,
  "Refused or Corrected": 800,
  "Files": 1_600,
  "Commands": 1_100,
  "Git": 400,
  "Learnings": 600,
  "Names": 600,
  "Where It Stopped": 3_000,
};

const PARTS = Object.keys(SHARES) as PartName[];

/** The sections of a handoff and of a snapshot tell the rest. */
const TRAIL: readonly PartName[] = [
  "Task",
  "Refused or Corrected",
  "Files",
  "Commands",
  "Git",
  "Names",
  "Where It Stopped",
];

/** A reader who has something else already gets these parts. */
const BESIDE: { readonly [beside in Beside]: readonly PartName[] } = {
  // A summary tells what was found out and left open, and most of what was decided.
  summary: PARTS.filter((name) => name !== "Active Issues" && name !== "Learnings"),
  handoff: ["Now", ...TRAIL],
  // Its requirements stand together, as the designs have them.
  snapshot: TRAIL,
};

/** Room that is left goes to the first of these, and room that is missing is taken from the last. */
const BY_WORTH: readonly PartName[] = [
  "Now",
  "Next Steps",
  "Where It Stopped",
  "Task",
  "Refused or Corrected",
  "Key Decisions",
  "Active Issues",
  "Commands",
  "Git",
  "Files",
  "Names",
  "Learnings",
];

/** Laid out last: what stands in the other parts is not said again there. */
const LAID_LAST: readonly PartName[] = ["Where It Stopped", "Commands", "Names"];

/** Room of a heading with the lines around it, in UTF-16 code units. */
const HEADING_CHARS = 8;

/** With less of its share than this a part is left out for one that is worth more. */
const MIN_SHARE = 1 / 3;

interface Section {
  readonly name: PartName;
  readonly lines: readonly string[];
  /** Number of lines left out. */
  readonly left: number;
}

/** A summary of the client, the sections of a handoff, or those of a snapshot. */
type Beside = "summary" | "handoff" | "snapshot";

interface LaidOut {
  readonly sections: readonly Section[];
  /** Whether something is left out. */
  readonly isCut: boolean;
}

export interface LayoutOptions {
  /** The folder of the project: paths inside it are shown without it. */
  readonly projectDir: string;
  /** The most UTF-16 code units of all sections with headings. @default the shares of the parts */
  readonly room?: number;
  /** The text that the reader has besides. */
  readonly beside?: Beside;
}

/**
 * Lays a work state out within its room. A part of which nothing is known is left out; no part is cut
 * while there is room elsewhere, and what is left out is counted.
 */
export function layout(state: WorkState, options: LayoutOptions): LaidOut {
  const { beside } = options;
  const names = beside === undefined ? PARTS : BESIDE[beside];
  const all = names.reduce((sum, name) => sum + SHARES[name] + name.length + HEADING_CHARS, 0);
  const room = Math.min(options.room ?? all, 2 * all);
  const whole = laidOut(state, new Map(names.map((name) => [name, Infinity])), options);
  if (sizeOf(whole) <= room) {
    return { sections: whole.filter(hasLines), isCut: whole.some(({ left }) => left > 0) };
  }
  const rooms = sharesOf(whole, room);
  let sections = laidOut(state, rooms, options);
  const resize = (name: PartName, by: number): void => {
    const { lines = [] } = sections.find((one) => one.name === name) ?? {};
    rooms.set(name, Math.max(0, linesSize(lines) + by));
    sections = laidOut(state, rooms, options);
  };
  for (const name of BY_WORTH) {
    const spare = room - sizeOf(sections);
    const section = sections.find((one) => one.name === name);
    if (spare > 0 && section !== undefined && section.left > 0) resize(name, spare);
  }
  for (const name of BY_WORTH.toReversed()) {
    const excess = sizeOf(sections) - room;
    if (excess > 0 && rooms.has(name)) resize(name, -excess);
  }
  return { sections: sections.filter(hasLines), isCut: true };
}

/** Gives each part its share of the room, and what one does not need to the others. */
function sharesOf(whole: readonly Section[], room: number): Map<PartName, number> {
  const needs = new Map(whole.filter(hasLines).map(({ name, lines }) => [name, linesSize(lines)]));
  const rooms = new Map<PartName, number>();
  let left = room;
  let open = BY_WORTH.filter((name) => {
    const need = needs.get(name);
    if (need === undefined) return false;
    const least = Math.min(need, SHARES[name] * MIN_SHARE) + name.length + HEADING_CHARS;
    left -= least;
    return left >= 0;
  });
  let pot = room - open.reduce((sum, name) => sum + name.length + HEADING_CHARS, 0);
  while (open.length > 0) {
    const unit = pot / open.reduce((sum, name) => sum + SHARES[name], 0);
    const small = open.filter((name) => (needs.get(name) ?? 0) <= SHARES[name] * unit);
    for (const name of small.length === 0 ? open : small) {
      const given = Math.min(needs.get(name) ?? 0, SHARES[name] * unit);
      rooms.set(name, given);
      pot -= given;
    }
    open = small.length === 0 ? [] : open.filter((name) => !small.includes(name));
  }
  return new Map(PARTS.flatMap((name) => {
    const given = rooms.get(name);
    return given === undefined ? [] : [[name, given]];
  }));
}

function hasLines({ lines }: Section): boolean {
  return lines.length > 0;
}

/** Words sections as Markdown. */
export function sectionsText(sections: readonly Section[], marks = "##"): string {
  return sections.map(({ name, lines }) => `${marks} ${name}\n\n${lines.join("\n")}`).join("\n\n");
}

function laidOut(
  state: WorkState,
  rooms: ReadonlyMap<PartName, number>,
  { projectDir, beside }: LayoutOptions,
): readonly Section[] {
  const shown = new Shown(projectDir);
  const parts = new Map<PartName, Part>();
  const names = [...rooms.keys()];
  const isShort = beside === "summary";
  const hasNow = rooms.has("Now");
  for (const name of [...names.filter((one) => !LAID_LAST.includes(one)), ...LAID_LAST]) {
    const room = rooms.get(name);
    if (room === undefined) continue;
    const part = partOf(name, state, { room, shown, isShort, hasNow });
    parts.set(name, part);
    shown.noteNames(part.lines);
  }
  return names.map((name) => ({ name, ...parts.get(name) ?? { lines: [], left: 0 } }));
}

function sizeOf(sections: readonly Section[]): number {
  return sections.filter(hasLines).reduce((sum, { name, lines }) => {
    return sum + name.length + HEADING_CHARS + linesSize(lines);
  }, 0);
}
