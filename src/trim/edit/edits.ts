/** Replacements within one entry. Everything that no edit covers stays byte for byte. */

export interface Edit {
  /** The first position that goes. */
  start: number;
  /** The position behind the last that goes; equal to `start` for an insertion. */
  end: number;
  /** The replacement, as UTF-8. */
  bytes: Uint8Array;
}

export class EditList {
  /** The edits, in order once {@linkcode sort} was called. */
  readonly edits: Edit[] = [];

  readonly #encoder = new TextEncoder();

  /** Notes a replacement. Edits must not overlap. */
  add(start: number, end: number, replacement: string | Uint8Array): void {
    const bytes = typeof replacement === "string" ? this.#encoder.encode(replacement) : replacement;
    this.edits.push({ start, end, bytes });
  }

  sort(): void {
    if (this.edits.length > 1) this.edits.sort((a, b) => a.start - b.start || a.end - b.end);
  }

  truncate(kept: number): void {
    this.edits.length = kept;
  }
}
