/** Splits the prose of a message into lines, sections and sentences, in linear time and up to a limit. */

import { SHELL_TAG } from "../core/shell.ts";
import { boundText } from "./bound.ts";
import { withoutCode } from "./code_blocks.ts";
import { RULE } from "./ends.ts";

const MAX_READ_CHARS = 32 * 1024;
const MAX_LINE_CHARS = 2_000;
const MAX_OUTLINE_LINE_CHARS = 180;
const MAX_OUTLINE_CHILD_CHARS = 60;

export interface ProseLine {
  /** A `label` is a line that is entirely bold. A `rule` is a horizontal line. */
  readonly kind: "heading" | "label" | "item" | "text" | "rule";
  /** The text without list marks, heading marks, emphasis and leading pictographs. */
  readonly text: string;
  /** Number or letter of an item, in lower case; empty for a bullet and for other kinds. */
  readonly key: string;
  readonly indent: number;
}

export interface Section {
  /** Empty for the lines before the first heading. */
  readonly heading: string;
  /** Without headings and rules. */
  readonly lines: readonly ProseLine[];
}

const BLOCK = /(:\**)?[ \t]*\n{0,2}^[ \t]*```(\w*)[^\n]*\n([^]*?)^[ \t]*```[ \t]*$/gm;

const MAX_SHELL_LINES = 6;
const MAX_PLAIN_LINES = 2;
const MAX_CODE_CHARS = 200;

/**
 * Like {@linkcode withoutCode}, but first turns short shell blocks, and short blocks of plain text after a
 * colon, into text.
 */
export function withoutBlocks(text: string): string {
  return withoutCode(
    text.replaceAll(BLOCK, (block, mark: string | undefined, tag: string, code: string) => {
      const colon = mark ?? "";
      const lines = code.split("\n").map((line) => line.trim()).filter((line) => line !== "");
      const isShell = SHELL_TAG.test(tag);
      const isShort = lines.length <= MAX_PLAIN_LINES && colon !== "";
      const isKept = isShell ? lines.length <= MAX_SHELL_LINES : isShort && /^(?:text)?$/.test(tag);
      if (!isKept || lines.some((line) => line.includes("`") || line.length > MAX_CODE_CHARS)) {
        return block;
      }
      // A comment describes the command below it, so both stay together.
      const shown = lines.map((line) => /^# /.test(line) ? `(${line.slice(2)})` : `\`${line}\``);
      return isShort
        ? `${colon} ${shown.join(" ")}`
        : `${colon}\n\n${shown.join("\n").replaceAll(")\n`", ") `")}`;
    }),
  );
}

export function readProse(text: string): ProseLine[] {
  const lines: ProseLine[] = [];
  let fence = "";
  for (const whole of boundText(text, MAX_READ_CHARS).split("\n")) {
    const line = whole.slice(0, MAX_LINE_CHARS).trimEnd();
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? "";
    if (fence !== "") {
      if (mark.startsWith(fence)) fence = "";
      continue;
    }
    if (mark !== "") {
      fence = mark;
      continue;
    }
    const read = readLine(line);
    if (read !== undefined) lines.push(read);
  }
  return lines;
}

const ITEM =
  /^(?:[-*+•]|(?:✅|❌|☑️?|✔️?|✓|⚠️?)|(?:\*\*)?\(?(\d{1,2}|[A-Za-z])[.):]\)?(?:\*\*)?)\s+(.*)$/u;

function readLine(line: string): ProseLine | undefined {
  const body = line.trimStart();
  const indent = line.length - body.length;
  if (RULE.test(body)) return { kind: "rule", text: "", key: "", indent };
  // Skips empty lines, tables, quotations and box drawings.
  if (/^(?:$|[|>│├└┌┐┘─╭╰])/.test(body)) return undefined;
  const heading = /^#{1,6}\s+(.*)$/.exec(body)?.[1];
  const [, key = "", item] = ITEM.exec(body) ?? [];
  const text = plainText(heading ?? item ?? body);
  if (text === "") return undefined;
  const other = /^\*\*[^*]+\*\*:?$/.test(body) ? "label" : "text";
  const kind = heading !== undefined ? "heading" : item !== undefined ? "item" : other;
  return { kind, text, key: key.toLowerCase(), indent };
}

export function plainText(text: string): string {
  return text.replaceAll("**", "").replace(/[*_]+$/, "")
    .replace(/^[\p{Extended_Pictographic}\u{fe0f}\s]+(?=\D)/u, "").trim();
}

export function readSections(lines: readonly ProseLine[]): Section[] {
  const sections: { heading: string; lines: ProseLine[] }[] = [{ heading: "", lines: [] }];
  for (const line of lines) {
    if (line.kind === "heading") sections.push({ heading: line.text, lines: [] });
    else if (line.kind !== "rule") sections.at(-1)?.lines.push(line);
  }
  return sections.filter((section) => section.lines.length > 0);
}

/** Summarizes a section in one line: the first sentence of each paragraph, and the start of each item. */
export function outline(lines: readonly ProseLine[], maxChars: number): string {
  let summary = "";
  let base = 0;
  for (const [index, { kind, text, indent }] of lines.entries()) {
    if (summary.length >= maxChars) break;
    // If the next line also ends in a colon, the table or code between the two lines is not shown.
    const next = lines[index + 1];
    if (/:$/.test(text) && next !== undefined && next.kind !== "item" && /:$/.test(next.text)) {
      continue;
    }
    if (kind !== "item") base = indent;
    const isChild = kind === "item" && indent > base + 1;
    const limit = isChild ? MAX_OUTLINE_CHILD_CHARS : MAX_OUTLINE_LINE_CHARS;
    const sentences = sentencesOf(text);
    const last = sentences.length > 1 && next?.kind === "item" ? sentences.at(-1) ?? "" : "";
    // The items below a paragraph need the words that introduce them.
    const introduction = last.endsWith(":") ? ` ${last}` : "";
    // A question says little without the answer after it.
    const opening = sentences.slice(0, sentences[0]?.endsWith("?") ? 2 : 1).join(" ") || text;
    const first = kind === "item"
      ? text
      : opening + (opening.endsWith(introduction) ? "" : introduction);
    const part = first.length > limit ? `${boundText(first, limit).trimEnd()}…` : first;
    summary += `${separatorAfter(summary)}${part}`;
  }
  return summary;
}

export function withItems(text: string, below: readonly ProseLine[], maxChars: number): string {
  if (!text.endsWith(":")) return text;
  const items = outlineItems(below, maxChars);
  return items === "" ? text.replace(/:$/, ".") : `${text} ${items}`;
}

/** Summarizes the items at the start; a line such as "with:" continues the sentence above the first item. */
export function outlineItems(lines: readonly ProseLine[], maxChars: number): string {
  const end = lines.findIndex(({ kind, text }, at) =>
    kind !== "item" &&
    !(at > 0 && /^\p{Ll}[^.]{0,20}:$/u.test(text) && lines[at + 1]?.kind === "item")
  );
  return outline(lines.slice(0, end < 0 ? undefined : end), maxChars);
}

function separatorAfter(before: string): string {
  if (before === "") return "";
  return /[:.;!?]$/.test(before) ? " " : "; ";
}

export function sentencesOf(text: string): string[] {
  return text.split(
    /(?<=[.!?。！？]["”’')]?)(?<!\b(?:vs|e\.g|i\.e|cf)\.)\s+(?=[\p{Lu}\p{Lo}`"'(\p{Ll}])/u,
  )
    .map((sentence) => sentence.trim()).filter((sentence) => sentence !== "");
}

export function sentencesIn(
  lines: readonly ProseLine[],
  ...kinds: readonly ProseLine["kind"][]
): string[] {
  return lines.filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
    .flatMap(({ text }) => sentencesOf(text));
}
