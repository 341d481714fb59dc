/** The sections of a handoff, and text of handoffs that was written by somebody else. */

import { cleanText } from "../inject/clean.ts";
import { redactSecrets } from "../secrets/redact.ts";

export const HANDOFF_SECTIONS = [
  "Current Task",
  "Key Decisions",
  "Modified Files",
  "Immediate Next Steps",
  "Critical Context",
] as const;

type HandoffSection = typeof HANDOFF_SECTIONS[number];

export const PROMPT_HEADINGS = [
  "Session Continuation",
  "Handoff Summary",
  "Where the Work Stopped",
  "Retrieving Details",
  "Lineage",
] as const;

export interface HandoffPart {
  /** The section; null for what precedes the first. */
  readonly name: HandoffSection | null;
  readonly lines: readonly string[];
}

/** A heading of Markdown; the closing marks are part of the words. */
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;

/** A line under which a line of words becomes a heading, or that ends a part. */
const RULE = /^ {0,3}(?:=+|-+|(?:-[ \t]*){3,})[ \t]*$/;

/** The start or the end of a block of code. */
const CODE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

const TAG = /^( {0,3})<(?=\/?h[1-6]\b)/i;

/** A hint of the template that was left in. */
const HINT = /<!--[^]*?(?:-->|$)/g;

/** Headings that may not stand in a block of code either, where a reader looks for lines alone. */
const OURS = new RegExp(`^\\s*#{1,6}\\s+(?:${PROMPT_HEADINGS.join("|")})\\b`, "i");

/** Makes a handoff safe inside a prompt: screened, its five headings at level 3, no code left open. */
export function guardHandoff(text: string): string {
  const words = redactSecrets(cleanText(text).replaceAll(HINT, ""));
  const lines = withoutBlankEnds(words).split("\n");
  let open = "";
  const guarded = lines.map((line) => {
    const [, marks = "", rest = ""] = CODE.exec(line) ?? [];
    if (open === "") {
      if (marks !== "" && !(marks[0] === "`" && rest.includes("`"))) open = marks;
      return marks === "" ? guardLine(line) : line;
    }
    if (marks[0] === open[0] && marks.length >= open.length && rest.trim() === "") open = "";
    return OURS.test(line) ? `\\${line}` : line;
  });
  if (open !== "") guarded.push(open);
  return withoutBlankEnds(guarded.join("\n").replaceAll(/\n{3,}/g, "\n\n"));
}

export function splitHandoff(text: string): HandoffPart[] {
  const parts: { name: HandoffSection | null; lines: string[] }[] = [{ name: null, lines: [] }];
  let open = "";
  for (const line of text.split("\n")) {
    const [, marks = "", rest = ""] = CODE.exec(line) ?? [];
    const isEnd = open !== "" && marks[0] === open[0] && marks.length >= open.length;
    const name = open === "" ? sectionOf(line) : null;
    if (open === "" && marks !== "" && !(marks[0] === "`" && rest.includes("`"))) open = marks;
    else if (isEnd && rest.trim() === "") open = "";
    if (name === null) parts.at(-1)?.lines.push(line);
    else parts.push({ name, lines: [] });
  }
  return parts.filter(({ name, lines }) => name !== null || lines.some((line) => line.trim()));
}

export function partText({ name, lines }: HandoffPart): string {
  return [...(name === null ? [] : [`### ${name}`]), ...lines].join("\n").trim();
}

/** What is indented at the start stays so: it is code, and no heading. */
function withoutBlankEnds(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
}

function guardLine(line: string): string {
  const name = sectionOf(line);
  if (name !== null) return `### ${name}`;
  const [, marks = "", words = ""] = HEADING.exec(line) ?? [];
  if (marks !== "") return `${"#".repeat(Math.max(4, marks.length))} ${words}`;
  if (RULE.test(line)) return line.trim().length < 3 ? "" : "***";
  return line.replace(TAG, "$1&lt;");
}

function sectionOf(line: string): HandoffSection | null {
  const words = HEADING.exec(line)?.[2]?.replace(/[\s#:*]+$/, "").replace(/^\*+/, "").toLowerCase();
  return HANDOFF_SECTIONS.find((name) => name.toLowerCase() === words) ?? null;
}
