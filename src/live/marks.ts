/** Words of a shaped text about the parts left out. */

/** Beginning of every mark. */
export const MARK_START = "[trimtab: ";

/** A line's break, which joins and parts lines. */
export const NEWLINE = "\n";

export function leftOutMark(first: number, last: number, about = ""): string {
  const where = first === last ? `line ${first}` : `lines ${first}-${last}`;
  return `${MARK_START}${where} left out${about === "" ? "" : `, ${about}`}]`;
}

export function charactersMark(count: number): string {
  return `${MARK_START}${count} characters left out]`;
}

export function moreMark(count: number, what: string, where = ""): string {
  const name = count === 1 ? what.replace(/(?<=match)es$|s$/, "") : what;
  return `${MARK_START}${count} ${name}${where}]`;
}

/** Cuts the end of a text, never inside a surrogate pair. */
export function endOf(text: string, units: number): string {
  if (text.length <= units) return text;
  const at = text.length - units;
  const [before, behind] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  const isSplit = before >= 0xd800 && before <= 0xdbff && behind >= 0xdc00 && behind <= 0xdfff;
  return text.slice(isSplit ? at + 1 : at);
}

/** Counts the lines of a text as an editor does: a break at its end begins none. */
export function countLines(text: string): number {
  return text.split(NEWLINE).length - (text.endsWith(NEWLINE) ? 1 : 0);
}
