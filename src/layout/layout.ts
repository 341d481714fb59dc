/**
 * Lays out a work state as Markdown. A skin selects the parts and the headings for one kind of text,
 * such as a checkpoint.
 */

import { quoteLine } from "../inject/plain_markdown.ts";
import { shownPath } from "../inject/shown_path.ts";
import { ASSISTANT, USER } from "../inject/step_words.ts";
import { withoutOrigins } from "./lines.ts";
import { type Fitted, sizeOfLines } from "../inject/fit_lines.ts";
import { type Fit, type PartOptions, ShownText, type Work } from "./part.ts";
import { type PartName, PARTS } from "./parts.ts";

/**
 * Each part's default heading, and its share of the room, in UTF-16 code units. Spare room goes to the first
 * parts; if room is short, the last parts are dropped.
 */
const PARTS_BY_PRIORITY: {
  readonly [name in PartName]: readonly [heading: string, share: number];
} = {
  now: ["Now", 4_800],
  goal: ["Current Task", 1_200],
  progress: ["Current State", 800],
  steps: ["Immediate Next Steps", 700],
  open: ["Open Items", 1_000],
  stopped: ["Where It Stopped", 2_200],
  task: ["Current Task", 3_600],
  refused: ["Refused or Corrected", 800],
  critical: ["Critical Context", 1_900],
  decisions: ["Key Decisions", 1_300],
  summedUp: ["Before the Last Compaction", 1_200],
  commands: ["Commands", 1_500],
  answers: ["Answered Before", 800],
  issues: ["Active Issues", 500],
  git: ["Git", 400],
  files: ["Modified Files", 1_600],
  edited: ["Modified Files", 700],
  changes: ["Changes", 2_400],
  names: ["Names", 550],
  learnings: ["Learnings", 600],
  reasons: ["Why Changed", 600],
  tools: ["Tools Used", 200],
};

/** Rendered last, because they omit text that other parts contain. */
const RENDERED_LAST: readonly PartName[] = ["stopped", "commands", "names"];

/** Room for a line such as `None recorded` or `(12 more)`, in UTF-16 code units. */
const EMPTY_CHARS = 14;

/**
 * Number of attempts to fit the parts. The note that lists the omitted parts needs room, so adding it can
 * force another part out.
 */
const MAX_ATTEMPTS = 4;

/** A part that would get less than this fraction of its share is dropped, to leave room for other parts. */
const MIN_SHARE = 1 / 3;

interface Skin {
  readonly parts: readonly PartName[];
  readonly headings?: { readonly [name in PartName]?: string };
  readonly alwaysShownCount?: number;
  readonly isRecord?: boolean;
  readonly isBrief?: boolean;
  /** Whether to omit places in the transcript, such as `(line 12)`. */
  readonly isPlain?: boolean;
  readonly maxChars?: number;
  readonly marks?: string;
  /** Whether the first line of the task is rendered as a paragraph, without its list mark. */
  readonly isFirstBare?: boolean;
}

export const NONE_RECORDED = "None recorded";

const TRAIL = ["commands", "git", "names", "stopped"] as const;

const HANDOFF = ["goal", "decisions", "edited", "steps", "critical"] as const;

const CHECKPOINT = [
  ...["task", "changes", "reasons", "issues", "decisions"] as const,
  ...["steps", "learnings", "progress"] as const,
] as const;

const ESSENTIAL = ["task", "progress", "open"] as const;

const REHYDRATED = {
  headings: { task: "Original Requirements", files: "Files" },
  isPlain: true,
  marks: "##",
  isFirstBare: true,
} as const;

const SKINS = {
  /** For a session that continues from this text alone. */
  whole: {
    parts: [
      ...["now", "task", "decisions", "steps", "critical", "summedUp", "answers"] as const,
      ...["files", ...TRAIL] as const,
    ],
  },
  /** For use with the client's summary, which already covers findings and open points. */
  besideSummary: {
    parts: ["now", "task", "decisions", "steps", "refused", "files", ...TRAIL],
    isBrief: true,
  },
  /** For use with a handoff that a model wrote; avoids the handoff's headings. */
  besideHandoff: {
    parts: ["now", "task", "refused", "files", ...TRAIL],
    headings: { task: "Requests", files: "Files" },
  },
  /** A template for a handoff, which the model completes. */
  handoff: { parts: HANDOFF, alwaysShownCount: HANDOFF.length, isPlain: true, maxChars: 3_000 },
  checkpoint: {
    parts: [...CHECKPOINT, "summedUp", "refused", "files", ...TRAIL],
    headings: {
      task: "Task",
      changes: "What Changed",
      steps: "Next Steps",
      progress: "Progress",
      files: "Files",
    },
    alwaysShownCount: CHECKPOINT.length,
    isRecord: true,
    marks: "##",
  },
  essential: { ...REHYDRATED, parts: [...ESSENTIAL, "stopped"], maxChars: 3_000 },
  standard: {
    ...REHYDRATED,
    parts: [...ESSENTIAL, "decisions", "refused", "files", ...TRAIL],
  },
  comprehensive: {
    ...REHYDRATED,
    parts: [
      ...ESSENTIAL,
      ...["decisions", "refused", "tools", "changes", "learnings", "summedUp"] as const,
      ...["files", ...TRAIL] as const,
    ],
  },
  /** The prompt of a fresh start. */
  compacted: {
    ...REHYDRATED,
    parts: [
      ...["task", "progress", "decisions", "issues", "steps", "refused"] as const,
      ...["changes", "learnings", "summedUp", "files", ...TRAIL] as const,
    ],
    headings: { ...REHYDRATED.headings, issues: "Unresolved Issues", steps: "Next Steps" },
  },
  summariser: {
    parts: ["goal", "decisions", "issues", "steps", "edited", "learnings"],
    headings: {
      goal: "Task",
      decisions: "Decisions",
      issues: "Open issues",
      steps: "Next steps",
      edited: "Files changed",
      learnings: "Findings",
    },
    isPlain: true,
  },
} as const satisfies Record<string, Skin>;

export type SkinName = keyof typeof SKINS;

export function headingsOf(skin: SkinName): string[] {
  return SKINS[skin].parts.map((name) => headingOf(name, SKINS[skin]));
}

function headingOf(name: PartName, { headings }: Skin): string {
  return headings?.[name] ?? PARTS_BY_PRIORITY[name][0];
}

interface LayoutOptions {
  readonly skin?: SkinName | undefined;
  readonly projectDir: string;
  /** Maximum length of the text, in UTF-16 code units. @default {Infinity} */
  readonly room?: number;
  /** Comments to put below the headings, one for each part of the skin. @default none */
  readonly hints?: readonly string[];
}

interface LayoutResult {
  readonly text: string;
  /** Whether lines were shortened or omitted. The text states how many lines and which parts are omitted. */
  readonly isCut: boolean;
}

interface Section extends Fitted {
  readonly heading: string;
  readonly name: PartName;
}

/**
 * Lays out a work state. If the text would exceed `room` or the skin's limit, shortens or omits lines and
 * parts. If there is enough room, quotes more text.
 */
export function layout(work: Work, options: LayoutOptions): LayoutResult {
  const skin: Skin = SKINS[options.skin ?? "whole"];
  const room = Math.min(options.room ?? Infinity, skin.maxChars ?? Infinity);
  const relative = withRelativePaths(work, options.projectDir);
  const shownWork = skin.isPlain === true ? withoutOrigins(relative) : relative;
  const render = makeRenderer(shownWork, skin, options.projectDir);
  let sections = render(null);
  const isCut = sizeOf(sections, skin) > room;
  if (!isCut) {
    const roomy = makeRenderer(shownWork, skin, options.projectDir, true)(null);
    if (sizeOf(roomy, skin) <= room) sections = roomy;
  } else {
    const whole = sections;
    let noteChars = 0;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      sections = fitSections(whole, render, room - noteChars, skin);
      const needed = omittedNote(sections).length;
      if (sizeOf(sections, skin) + needed <= room) break;
      noteChars = needed;
    }
  }
  const text = textOf(sections, skin, options.hints);
  const note = omittedNote(sections);
  return { text: text.length + note.length <= room ? text + note : text, isCut };
}

function omittedNote(sections: readonly Section[]): string {
  const leftOut = sections.filter(({ lines, omitted }) => lines.length === 0 && omitted > 0);
  return leftOut.length === 0
    ? ""
    : `\n\n(left out: ${leftOut.map(({ heading }) => heading).join(", ")})`;
}

function fitSections(
  whole: readonly Section[],
  render: Renderer,
  room: number,
  skin: Skin,
): Section[] {
  let rooms = allocateRoom(whole, room, skin);
  let sections = render(rooms);
  // A part can be empty because a part above shows the same text in full. Once that part is shortened, the
  // text is no longer a repetition.
  const wasEmpty = ({ name }: Section): boolean =>
    whole.some((one) => one.name === name && one.lines.length === 0);
  const revealed = sections.filter((one) => wasEmpty(one) && one.omitted > 0).map(({ name }) =>
    name
  );
  if (revealed.length > 0) {
    const shown = render(new Map([...rooms, ...revealed.map((name) => [name, Infinity] as const)]));
    whole = whole.map((one) => shown.find(({ name }) => name === one.name && wasEmpty(one)) ?? one);
    rooms = allocateRoom(whole, room, skin);
    sections = render(rooms);
  }
  const sizes = new Map(whole.map(({ name, lines }) => [name, sizeOfLines(lines)]));
  for (const { name } of sections.toSorted((a, b) => priorityOf(a) - priorityOf(b))) {
    const section = sections.find((one) => one.name === name);
    if (section === undefined) continue;
    // A part that omits no lines may still have shortened some.
    const isWhole = section.omitted === 0 && sizeOfLines(section.lines) >= (sizes.get(name) ?? 0);
    if (isWhole) continue;
    const heading = section.lines.length === 0 ? headingSize(section, skin) : 0;
    const spare = room - sizeOf(sections, skin) - heading;
    if (spare <= 0) continue;
    // A part rarely fills its room exactly, so it may leave room that another can use.
    const wider = new Map(rooms).set(name, sizeOfLines(section.lines) + spare);
    const widened = render(wider);
    // A part can grow if a part above it no longer shows the same facts.
    if (sizeOf(widened, skin) > room) continue;
    rooms = wider;
    sections = widened;
  }
  return sections;
}

/**
 * Makes the paths of changes, reads and calls relative, so that a file has the same name everywhere,
 * and calls are not shortened in the middle of a path.
 */
function withRelativePaths(work: Work, projectDir: string): Work {
  const changes = work.changes.map((change) => ({
    ...change,
    file: shownPath(change.file, projectDir),
  }));
  const { trail } = work;
  if (trail === undefined) return { ...work, changes };
  const isCall = (text: string): boolean => !text.startsWith(USER) && !text.startsWith(ASSISTANT);
  const stopped = trail.stopped.map((said) =>
    isCall(said.text) ? { ...said, text: shownPath(said.text, projectDir) } : said
  );
  const read = trail.read.map((file) => shownPath(file, projectDir));
  return { ...work, changes, trail: { ...trail, stopped, read } };
}

type Rooms = Map<PartName, number>;

type Renderer = (rooms: Rooms | null) => Section[];

function priorityOf({ name }: Section): number {
  return Object.keys(PARTS_BY_PRIORITY).indexOf(name);
}

/**
 * Assigns each part its share of the room, and divides unused room among the other parts. A part
 * that is shown even if empty always reserves room for its heading and one short line.
 */
function allocateRoom(whole: readonly Section[], room: number, skin: Skin): Rooms {
  const isAlwaysShown = ({ name }: Section): boolean =>
    skin.parts.slice(0, skin.alwaysShownCount ?? 0).includes(name);
  const alwaysShown = whole.filter(isAlwaysShown);
  const reserved = sum(alwaysShown.map((one) => headingSize(one, skin) + EMPTY_CHARS));
  const parts = whole.filter(({ lines }) => lines.length > 0)
    .toSorted((a, b) => priorityOf(a) - priorityOf(b)).map((section) => ({
      name: section.name,
      need: sizeOfLines(section.lines),
      share: PARTS_BY_PRIORITY[section.name][1],
      head: isAlwaysShown(section) ? -EMPTY_CHARS : headingSize(section, skin),
    }));
  let left = room - reserved;
  let pending = parts.filter(({ need, share, head }) =>
    (left -= Math.max(0, Math.min(need, share * MIN_SHARE) + head)) >= 0
  );
  let spare = room - reserved - sum(pending.map(({ head }) => head));
  const rooms: Rooms = new Map();
  while (pending.length > 0) {
    const unit = spare / sum(pending.map(({ share }) => share));
    const small = pending.filter(({ need, share }) => need <= share * unit);
    for (const { name, need, share } of small.length === 0 ? pending : small) {
      const granted = Math.min(need, share * unit);
      rooms.set(name, granted);
      spare -= granted;
    }
    pending = small.length === 0 ? [] : pending.filter((one) => !small.includes(one));
  }
  return rooms;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/**
 * Prepares each part once. The returned function fits the parts into `rooms`, or renders every part
 * in full if `rooms` is null. A part is fitted again only if its room or the text above it has changed.
 */
function makeRenderer(
  work: Work,
  skin: Skin,
  projectDir: string,
  isRoomy = false,
): Renderer {
  const { parts: names, alwaysShownCount = 0, isRecord = false, isBrief = false } = skin;
  const shown = new ShownText(projectDir, isRecord);
  const options: PartOptions = {
    shown,
    isRecord,
    isBrief,
    isRoomy,
    hasNow: names.includes("now"),
    hasCommands: names.includes("commands"),
    hasChanges: names.includes("changes"),
  };
  const renderOrder = [
    ...names.filter((name) => !RENDERED_LAST.includes(name)),
    ...RENDERED_LAST.filter((name) => names.includes(name)),
  ].map((name) => [name, PARTS[name](work, options)] as const);
  const last = new Map<PartName, { room: number; above: string; part: Fitted }>();
  return (rooms) => {
    let above = "";
    const rendered = new Map<PartName, Fitted>();
    for (const [name, fit] of renderOrder) {
      const room = rooms === null ? Infinity : rooms.get(name) ?? 0;
      const known = last.get(name);
      const isSame = known?.room === room && known.above === above;
      const part = isSame ? known.part : fitInto(fit, room, above);
      last.set(name, { room, above, part });
      rendered.set(name, part);
      above += part.lines.join("\n");
    }
    return names.map((name, index) => {
      const { lines, omitted } = rendered.get(name) ?? { lines: [], omitted: 0 };
      const section = { name, heading: headingOf(name, skin), lines, omitted };
      if (lines.length > 0 || index >= alwaysShownCount) return section;
      return { ...section, lines: [omitted > 0 ? `(${omitted} more)` : NONE_RECORDED] };
    });
  };
}

function fitInto(fit: Fit, room: number, above: string): Fitted {
  // A part that shortens its text reserves room for counts, which a part shown in full does not need.
  const whole = fit(Infinity, above);
  if (sizeOfLines(whole.lines) <= room) return whole;
  return room > 0 ? fit(room, above) : { lines: [], omitted: whole.lines.length };
}

/** Returns a heading's length with its space and line breaks, in UTF-16 code units. */
function headingSize({ heading }: Section, { marks = "###" }: Skin): number {
  return marks.length + heading.length + 3;
}

function sizeOf(sections: readonly Section[], skin: Skin): number {
  const shown = sections.filter(({ lines }) => lines.length > 0);
  return sum(shown.map((one) => headingSize(one, skin) + sizeOfLines(one.lines)));
}

function textOf(
  sections: readonly Section[],
  { marks = "###", isFirstBare = false }: Skin,
  hints: readonly string[] = [],
): string {
  return sections.flatMap(({ heading, name, lines }, index) => {
    if (lines.length === 0) return [];
    const [first = "", ...others] = lines;
    const bare = isFirstBare && name === "task"
      ? quoteLine(first.replace(/^- (?:\(first\) )?/, ""))
      : first;
    const hint = hints[index] === undefined ? [] : [`<!-- ${hints[index]} -->`];
    return [[`${marks} ${heading}`, ...hint, bare, ...others].join("\n")];
  }).join("\n\n");
}
