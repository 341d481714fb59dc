/** Checks a handoff that a model wrote, and makes it safe for use in a prompt. */

import { boundText } from "../../inject/bound.ts";
import { cleanText } from "../../inject/clean.ts";
import { redactSecrets } from "../../secrets/redact.ts";
import type { WorkState } from "../../core/work_state.ts";
import { contentOf, workOf } from "../save.ts";
import { headingsOf, layout } from "../../layout/layout.ts";

export const HANDOFF_SECTIONS = headingsOf("handoff");

export const PROMPT_HEADINGS = [
  "Session Continuation",
  "Handoff Summary",
  "Where the Work Stopped",
  "Retrieving Details",
  "Lineage",
] as const;

interface HandoffPart {
  /** Null for text before the first section. */
  readonly name: string | null;
  readonly lines: readonly string[];
}

interface HandoffProblem {
  readonly text: string;
  readonly isFatal: boolean;
}

const HINTS: readonly string[] = [
  "The goal and where it stands, in one or two sentences.",
  "At most 5, one line each: what was decided, and why.",
  "One line for each file: what was done to it.",
  "The next steps, as a numbered list.",
  "Facts that the next session needs: blockers, pitfalls, findings.",
];

const MAX_HANDOFF_WORDS = 500;

export const MAX_HANDOFF_CHARS = 20_000;

const CUT_NOTE = "(cut here)";

const GAP = "\n\n";

/** Matches a Markdown heading such as `## Goal`; closing `#` marks remain in its text. */
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;

/** Matches a horizontal rule, or a line such as `===` that turns the line above it into a heading. */
const RULE = /^ {0,3}(?:=+|-+|(?:-[ \t]*){3,})[ \t]*$/;

const CODE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

const TAG = /^( {0,3})<(?=\/?h[1-6]\b)/i;

/** Matches a comment, such as a hint that the model did not remove from the template. */
const HINT = /<!--[^]*?(?:-->|$)/g;

/**
 * Matches trimtab's own headings. They are escaped even in code blocks, because a program that reads line by
 * line would mistake them for real headings.
 */
const PROMPT_HEADING = new RegExp(`^\\s*#{1,6}\\s+(?:${PROMPT_HEADINGS.join("|")})\\b`, "i");

export function handoffTemplate(state: WorkState, projectDir: string): string {
  return layout(workOf(contentOf(state)), { skin: "handoff", projectDir, hints: HINTS }).text;
}

export function checkHandoff(text: string): HandoffProblem[] {
  if (text.length > MAX_HANDOFF_CHARS) {
    const size = `it has ${text.length} characters, expected at most ${MAX_HANDOFF_CHARS}`;
    return [{ text: `The handoff is too long: ${size}.`, isFatal: true }];
  }
  const guarded = guardHandoff(text);
  const parts = splitHandoff(guarded);
  if (parts.every(({ lines }) => lines.every((line) => line.trim() === ""))) {
    return [{ text: "The handoff is empty.", isFatal: true }];
  }
  const missing = HANDOFF_SECTIONS.filter((name) => !parts.some((part) => part.name === name));
  const words = guarded.split(/\s+/).filter((word) => word !== "").length;
  const lacking = `${missing.length === 1 ? "the section" : "sections"} ${missing.join(", ")}`;
  return [
    words <= MAX_HANDOFF_WORDS
      ? ""
      : `The handoff has ${words} words, expected at most ${MAX_HANDOFF_WORDS}.`,
    missing.length === 0 ? "" : `The handoff lacks ${lacking}.`,
  ].filter((one) => one !== "").map((one) => ({ text: one, isFatal: false }));
}

/**
 * Makes a handoff safe in a prompt. Redacts secrets, removes comments, and closes an open code block. The
 * headings of its sections get level 3, and other headings level 4 or deeper, so that no heading equals one of
 * the prompt.
 */
export function guardHandoff(text: string): string {
  const words = redactSecrets(cleanText(text).replaceAll(HINT, ""));
  const lines = linesOf(withoutBlankEnds(words));
  const guarded = lines.map(({ line, isCode }) => {
    if (!isCode) return guardLine(line);
    return PROMPT_HEADING.test(line) ? `\\${line}` : line;
  });
  const open = lines.at(-1)?.open ?? "";
  if (open !== "") guarded.push(open);
  return withoutBlankEnds(guarded.join("\n").replaceAll(/\n{3,}/g, "\n\n"));
}

export function splitHandoff(text: string): HandoffPart[] {
  const parts: { name: string | null; lines: string[] }[] = [{ name: null, lines: [] }];
  for (const { line, isCode } of linesOf(text)) {
    const name = isCode ? null : sectionOf(line);
    if (name === null) parts.at(-1)?.lines.push(line);
    else parts.push({ name, lines: [] });
  }
  return parts.filter(({ name, lines }) => name !== null || lines.some((line) => line !== ""));
}

/** Sections of a handoff that remain useful later, each with the checkpoint section for its notes. */
const LASTING_SECTIONS: { readonly [section: string]: string } = {
  "Key Decisions": "Key Decisions",
  "Immediate Next Steps": "Next Steps",
  "Critical Context": "Learnings",
};

export function notesOf(handoff: string): string {
  return splitHandoff(handoff).flatMap(({ name, lines }) => {
    const section = LASTING_SECTIONS[name ?? ""];
    return section === undefined ? [] : [`## ${section}`, ...lines];
  }).join("\n");
}

/** Shortens the longest sections until the handoff fits. */
export function fitHandoff(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const parts = splitHandoff(text).map(({ name, lines }) => {
    const heading = name === null ? "" : `### ${name}\n`;
    return { heading, whole: (heading + lines.join("\n")).trimEnd(), fitted: "" };
  });
  let room = maxChars - GAP.length * (parts.length - 1);
  // Longer sections share the room that shorter ones leave unused.
  const byLength = parts.toSorted((a, b) => a.whole.length - b.whole.length);
  for (const [index, part] of byLength.entries()) {
    part.fitted = cutPart(part.whole, part.heading, Math.floor(room / (parts.length - index)));
    room -= part.fitted.length;
  }
  return boundText(guardHandoff(parts.map(({ fitted }) => fitted).join(GAP)), maxChars);
}

function cutPart(whole: string, heading: string, maxChars: number): string {
  if (whole.length <= maxChars) return whole;
  const start = boundText(whole, Math.max(0, maxChars - CUT_NOTE.length - 1));
  const end = start.lastIndexOf("\n");
  // The start of a section's first line is better than an empty section.
  return `${end < heading.length ? start : start.slice(0, end)}\n${CUT_NOTE}`;
}

interface Line {
  readonly line: string;
  /** Whether the line belongs to a code block, including its first and last line. */
  readonly isCode: boolean;
  /** The opening fence of the code block that is open after this line; empty if there is none. */
  readonly open: string;
}

function linesOf(text: string): Line[] {
  let open = "";
  return text.split("\n").map((line) => {
    const [, marks = "", rest = ""] = CODE.exec(line) ?? [];
    const before = open;
    if (open === "") {
      if (marks !== "" && !(marks[0] === "`" && rest.includes("`"))) open = marks;
    } else if (marks[0] === open[0] && marks.length >= open.length && rest.trim() === "") open = "";
    return { line, isCode: before !== "" || marks !== "", open };
  });
}

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

function sectionOf(line: string): string | null {
  const words = HEADING.exec(line)?.[2]?.replace(/[\s#:*]+$/, "").replace(/^\*+/, "").toLowerCase();
  return HANDOFF_SECTIONS.find((name) => name.toLowerCase() === words) ?? null;
}
