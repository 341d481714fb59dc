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

/** Stands where a section has nothing to tell. */
export const NONE_RECORDED = "None recorded";

/** Beginning of the last line of every checkpoint. */
const END = "<!-- trimtab: end of checkpoint";

/** The last line of a checkpoint, which shows that nothing is missing. */
export function endMarker(id: string): string {
  return `${END} ${id.replaceAll(/[^\w-]/g, "")} -->`;
}

export function isEndMarker(line: string): boolean {
  return line.startsWith(END);
}

/** The section that a line opens, if it is a heading: one of ours at any level, else at the top two. */
export function sectionOf(line: string): string | null {
  const [, marks = "", words = ""] = /^(#{1,6})[ \t]+(\S.*)$/.exec(line) ?? [];
  const heading = words.replace(/[ \t#]+$/, "");
  if (heading === "") return null;
  const known = SECTIONS.find((name) => name.toLowerCase() === heading.toLowerCase());
  return known ?? (marks.length <= 2 ? heading : null);
}
