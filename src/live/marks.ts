export const MARK_START = "[trimtab: ";

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

/** Returns the end of a text. Never splits a surrogate pair. */
export function endOf(text: string, units: number): string {
  return text.length <= units
    ? text
    : text.slice(text.length - units).replace(/^[\udc00-\udfff]/, "");
}
