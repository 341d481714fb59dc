/** In columns; fits an 80-column terminal even if the client indents the help text. */
const WIDTH = 75;

/** Joins lines and rewraps them at spaces, except in backquotes and in lines that start with a space. */
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
