const MARK_START = "[trimtab: ";

export function leftOutMark(first: number, last: number, remark = ""): string {
  const place = first === last ? `line ${first}` : `lines ${first}-${last}`;
  return `${MARK_START}${place} left out${remark === "" ? "" : `, ${remark}`}]`;
}

export function charactersMark(count: number): string {
  return `${MARK_START}${count} characters left out]`;
}

export function moreMark(count: number, plural: string, place = ""): string {
  const noun = count === 1 ? plural.replace(/(?<=match)es$|s$/, "") : plural;
  return `${MARK_START}${count} ${noun}${place}]`;
}

/** Never splits a surrogate pair. */
export function endOf(text: string, units: number): string {
  return text.length <= units
    ? text
    : text.slice(text.length - units).replace(/^[\udc00-\udfff]/, "");
}
