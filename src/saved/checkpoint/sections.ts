/** The sections of a checkpoint. */

export const SECTIONS = [
  "Task",
  "What Changed",
  "Why Changed",
  "Active Issues",
  "Key Decisions",
  "Next Steps",
  "Learnings",
  "Progress",
  "Refused or Corrected",
  "Commands",
  "Git",
  "Files Read",
  "Names",
  "Where It Stopped",
] as const;

/** The sections that only stand where there is something to say. */
export const OPTIONAL_SECTIONS: readonly SectionName[] = [
  "Refused or Corrected",
  "Commands",
  "Git",
  "Files Read",
  "Names",
  "Where It Stopped",
];

export type SectionName = typeof SECTIONS[number];

/** The sections without which a file is no checkpoint. */
export const REQUIRED_SECTIONS: readonly SectionName[] = [
  "What Changed",
  "Why Changed",
  "Active Issues",
  "Key Decisions",
  "Next Steps",
];

export const NONE_RECORDED = "None recorded";

/** No longer text is read as a checkpoint, in UTF-16 code units; ours are far shorter. */
export const MAX_READ_CHARS = 256 * 1024;

/** Largest checkpoint file that is read, in bytes. */
export const MAX_CHECKPOINT_BYTES = 4 * MAX_READ_CHARS;

/** How the last line of every checkpoint begins. */
const END = "<!-- trimtab: end of checkpoint";

/** The last line of a checkpoint, which shows that nothing is missing. */
export function endMarker(id: string): string {
  return `${END} ${id.replaceAll(/[^\w-]/g, "")} -->`;
}

export function isEndMarker(line: string): boolean {
  return line.startsWith(END);
}

/** Splits the body of a checkpoint, or notes in the same form, into sections. */
export function splitSections(body: string): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let lines: string[] = [];
  sections.set("", lines);
  for (const line of body.slice(0, MAX_READ_CHARS).split(/\r\n|\n|\r/)) {
    const name = sectionName(line);
    if (name === null) {
      if (!isEndMarker(line)) lines.push(line);
      continue;
    }
    lines = sections.get(name) ?? [];
    sections.set(name, lines);
  }
  for (const [name, all] of sections) {
    const first = all.findIndex((line) => line.trim() !== "");
    const last = all.findLastIndex((line) => line.trim() !== "");
    if (first >= 0) sections.set(name, all.slice(first, last + 1));
    else if (name === "") sections.delete(name);
    else sections.set(name, []);
  }
  return sections;
}

/** What a heading opens, if it is one: a section of ours at any level, another one at the top two. */
function sectionName(line: string): string | null {
  const [, marks = "", words = ""] = /^(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? [];
  const heading = words.replace(/[ \t#]+$/, "");
  if (heading === "") return null;
  const known = SECTIONS.find((name) => name.toLowerCase() === heading.toLowerCase());
  return known ?? (marks.length <= 2 ? heading : null);
}
