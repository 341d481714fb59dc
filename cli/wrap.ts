/** In columns. A help text of this width fits a terminal with 80 columns, even if the client indents it. */
const WIDTH = 75;

/** Joins and breaks lines at spaces, but not within backquotes, or in a line with a leading space. */
export function wrapLines(lines: readonly string[], hanging = 0): string[] {
  const wrapped: string[] = [];
  let room = 0;
  for (const line of lines) {
    if (line.startsWith(" ")) {
      wrapped.push(line);
      room = 0;
      continue;
    }
    for (const word of line.match(/(?:`[^`]*`|\S)+/g) ?? []) {
      const last = wrapped.at(-1);
      if (last !== undefined && word.length < room) {
        wrapped[wrapped.length - 1] = `${last} ${word}`;
        room -= word.length + 1;
      } else {
        wrapped.push(wrapped.length === 0 ? word : " ".repeat(hanging) + word);
        room = WIDTH - hanging - word.length;
      }
    }
  }
  return wrapped;
}
