/** Finds code blocks in a text, and shortens or removes them. */

export const LEFT_OUT = " […] ";

export const MARK = LEFT_OUT.trim();

/** Code is removed only if this much other text remains, in UTF-16 code units. */
const MIN_PROSE_CHARS = 160;

/** Matches a code block, terminated or not. */
export const CODE = /^[ \t]*(`{3,}|~{3,})[^]*?(?:^[ \t]*\1[ \t]*$\n?|$(?![^]))/gm;

/** Matches a block of one shell command, and captures the command. */
const SHELL_LINE =
  /^[ \t]*```(?:bash|sh|shell|zsh|console)[ \t]*\n[ \t]*([^\n`]{1,200})\n[ \t]*```\s*$/;

/** Returns the only command of a shell block, or a mark in place of any other code. */
export function markOf(block: string): string {
  const command = SHELL_LINE.exec(block)?.[1];
  return command === undefined ? `${MARK}\n` : `\`${command.trim()}\`\n`;
}

/** Matches a name that code and the prose around it can share. */
const NAME = /\b(?=\w*[a-z_][A-Z])\w{6,}/g;

/** Sizes to try for each code block, in UTF-16 code units. */
const CODE_ROOMS = [480, 320, 160] as const;

/** Longest code block that is kept in a question, in UTF-16 code units. */
const MAX_PROPOSED_CHARS = 300;

/** Removes code blocks if enough prose remains. A question keeps short blocks, which it may be about. */
export function withoutCode(text: string): string {
  const isQuestion = text.trimEnd().endsWith("?");
  const prose = text.replaceAll(CODE, (block) => {
    const code = block.replaceAll(/^[ \t]*(?:`{3,}|~{3,}).*\n?/gm, "");
    return isQuestion && code.length <= MAX_PROPOSED_CHARS ? code : markOf(block);
  });
  return prose.trim().length >= MIN_PROSE_CHARS ? prose : text;
}

/** Keeps the lines of a code block that fit, those with a name from the prose first. */
function linesOfCode(block: string, names: readonly string[], room: number): string {
  const lines = block.trimEnd().split("\n");
  if (lines.length < 3) return block;
  const inner = [...lines.keys()].slice(1, -1);
  const isNamed = (at: number): boolean => names.some((name) => lines[at]?.includes(name));
  const kept = new Set<number>();
  let left = room;
  for (const at of inner.toSorted((a, b) => Number(isNamed(b)) - Number(isNamed(a)))) {
    left -= (lines[at] ?? "").length + 1;
    if (left < 0) break;
    kept.add(at);
  }
  const shown = inner.flatMap((at) =>
    kept.has(at) ? lines[at] ?? "" : kept.has(at - 1) || at === 1 ? MARK : []
  );
  return [lines[0], ...shown, lines.at(-1)].join("\n") + "\n";
}

/** Shortens each code block to whole lines; `undefined` if the text is still too long. */
export function shortenCode(text: string, maxChars: number): string | undefined {
  const names = text.replaceAll(CODE, "").match(NAME) ?? [];
  return CODE_ROOMS
    .map((room) => text.replaceAll(CODE, (block) => linesOfCode(block, names, room)))
    .find((short) => short.length <= maxChars);
}
