/** Removes code blocks from a text, except for short shell commands. */

import { SHELL_TAG } from "../core/shell.ts";

/** Marks a place where text is left out. */
export const LEFT_OUT = " […] ";
export const MARK = LEFT_OUT.trim();

/** Code is removed only if this much other text remains, in UTF-16 code units. */
const MIN_PROSE_CHARS = 160;

export const CODE = /^[ \t]*(`{3,}|~{3,})[^]*?(?:^[ \t]*\1[ \t]*$\n?|$(?![^]))/gm;

const BLOCK = /^[ \t]*```(\w+)[ \t]*\n([^]*?)\n[ \t]*```\s*$/;

const CONTINUATION = /[ \t]*\\\n[ \t]*/g;

/** A shell block with more commands than this is left out. */
const MAX_COMMANDS = 3;

/** A shell block whose commands are longer than this in total is left out; in UTF-16 code units. */
const MAX_COMMANDS_CHARS = 400;

/** Returns the commands of a short shell block, or a mark in place of any other code. */
export function markOf(block: string): string {
  const [, tag = "", code = ""] = BLOCK.exec(block) ?? [];
  const commands = code.replaceAll(CONTINUATION, " ").split("\n").map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const line = commands.join("; ");
  // The lines of a here-document or of an unfinished command are not separate commands.
  const isWhole = SHELL_TAG.test(tag) && !/<<|`|[|&{(](?:; |$)|; [})]/.test(line);
  const isShort = commands.length <= MAX_COMMANDS && line.length <= MAX_COMMANDS_CHARS;
  return line !== "" && isWhole && isShort ? `\`${line}\`\n` : `${MARK}\n`;
}

/** Longest code block that is kept in a question, in UTF-16 code units. */
const MAX_QUESTION_CODE_CHARS = 300;

/**
 * Replaces each code block with its commands or a mark, unless too little prose would remain. A question
 * keeps short blocks, because it may be about them.
 */
export function withoutCode(text: string): string {
  const isQuestion = text.trimEnd().endsWith("?");
  const prose = text.replaceAll(CODE, (block) => {
    const code = block.replaceAll(/^[ \t]*(?:`{3,}|~{3,}).*\n?/gm, "");
    return isQuestion && code.length <= MAX_QUESTION_CODE_CHARS ? code : markOf(block);
  });
  return prose.trim().length >= MIN_PROSE_CHARS ? prose : text;
}
