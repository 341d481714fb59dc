/** Collects replacements that are made in a string in several rounds. */

/** A replacement; offsets are in UTF-16 code units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A string, and the replacements made in it so far. */
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

  /** The replacements in order, with offsets in the source. */
  get edits(): readonly Edit[] {
    return this.#edits;
  }

  /** Applies replacements, in order, to the current text; one that overlaps an older one absorbs it. */
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

/** Merges newer replacements, with offsets in the edited text, into the older ones of the source. */
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

/** The end of an edit's new text, if earlier edits had kept all lengths. */
function endOf({ start, text }: Edit): number {
  return start + text.length;
}
