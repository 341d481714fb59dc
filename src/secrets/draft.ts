/** Collects replacements that are made in a text in several rounds. */

/** A replacement. Offsets are in UTF-16 code units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export class Draft {
  readonly source: string;
  #edits: readonly Edit[] = [];
  #text: string;

  constructor(source: string) {
    this.source = source;
    this.#text = source;
  }

  get text(): string {
    return this.#text;
  }

  /** Returns the replacements in order, with offsets in the source. */
  get edits(): readonly Edit[] {
    return this.#edits;
  }

  /**
   * Adds replacements, which are given in order. A newer replacement absorbs any older one that it overlaps.
   */
  apply(edits: readonly Edit[]): void {
    if (edits.length === 0) return;
    this.#edits = this.#edits.length === 0 ? edits : merged(this.#edits, edits);
    this.#text = replaceIn(this.source, this.#edits);
  }
}

export function replaceIn(text: string, edits: readonly Edit[]): string {
  let result = "";
  let from = 0;
  for (const edit of edits) {
    result += text.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return from === 0 ? text : result + text.slice(from);
}

/** Converts newer replacements to offsets in the source, and merges them into the older ones. */
function merged(older: readonly Edit[], newer: readonly Edit[]): Edit[] {
  const result: Edit[] = [];
  // Offset in the edited text minus offset in the source.
  let shift = 0;
  let next = 0;
  for (const edit of newer) {
    let old = older[next];
    while (old !== undefined && endOf(old) + shift <= edit.start) {
      result.push(old);
      shift += endOf(old) - old.end;
      old = older[++next];
    }
    const isCut = old !== undefined && old.start + shift < edit.start;
    let start = isCut ? old?.start ?? 0 : edit.start - shift;
    let end = 0;
    while (old !== undefined && old.start + shift < edit.end) {
      end = old.end;
      shift += endOf(old) - old.end;
      old = older[++next];
    }
    start = Math.max(start, result.at(-1)?.end ?? 0);
    result.push({ start, end: Math.max(start, end, edit.end - shift), text: edit.text });
  }
  return [...result, ...older.slice(next)];
}

/** Returns where the new text would end if earlier edits had kept all lengths. */
function endOf({ start, text }: Edit): number {
  return start + text.length;
}
