const MARK_START = "[trimtab: ";

export const NEWLINE = "\n";

export function leftOutMark(first: number, last: number, about = ""): string {
  const place = first === last ? `line ${first}` : `lines ${first}-${last}`;
  return `${MARK_START}${place} left out${about === "" ? "" : `, ${about}`}]`;
}

export function charactersMark(count: number): string {
  return `${MARK_START}${count} characters left out]`;
}

export function moreMark(count: number, what: string, place = ""): string {
  const name = count === 1 ? what.replace(/(?<=match)es$|s$/, "") : what;
  return `${MARK_START}${count} ${name}${place}]`;
}

/** Returns the end of a string. Never splits a surrogate pair. */
export function endOf(text: string, units: number): string {
  return text.length <= units
    ? text
    : text.slice(text.length - units).replace(/^[\udc00-\udfff]/, "");
}
