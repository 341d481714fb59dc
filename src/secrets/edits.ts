/** A replacement. Offsets are in UTF-16 code units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies replacements, which must be in order and must not overlap. */
export function replaceIn(text: string, edits: readonly Edit[]): string {
  let result = "";
  let from = 0;
  for (const edit of edits) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return from === 0 ? text : result + text.slice(from);
}

/** Adds the later replacements that do not overlap an earlier one. Both lists are in order. */
export function addEdits(earlier: readonly Edit[], later: readonly Edit[]): readonly Edit[] {
  if (earlier.length === 0) return later;
  let next = 0;
  const free = later.filter(({ start, end }) => {
    while ((earlier[next]?.end ?? Infinity) <= start) next++;
    return (earlier[next]?.start ?? Infinity) >= end;
  });
  return free.length === 0 ? earlier : [...earlier, ...free].sort((a, b) => a.start - b.start);
}
