/** Looks up the targets of earlier trims' notices in transcripts. */

import { isNameOf, type MarkedPart, type MarkRecord, type Place } from "../core/marks.ts";
import { exists } from "../store/exists.ts";
import { fileName, joinPath, parentPath } from "../store/paths.ts";
import { openFileSync, readStart } from "../store/read_file.ts";
import { readEntries } from "../transcript/entry.ts";
import { readLines } from "../transcript/lines.ts";
import { markedTexts } from "../transcript/content.ts";
import { trimmedFrom } from "../transcript/origin.ts";

const MAX_GENERATIONS = 64;

const EXTENSION = ".jsonl";

/** Reads the transcripts that a notice can name: the session's own, and others in the same folder. */
export class TranscriptRecord implements MarkRecord, Disposable {
  readonly #path: string;
  readonly #named = new Map<string, IndexedTranscript[]>();
  #isLineageLost: boolean | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  textsAt({ session, line }: Place, part: MarkedPart): readonly string[] | null | undefined {
    const transcripts = this.#transcriptsOf(session);
    if (transcripts.length === 0) return this.#hasLostLineage() ? null : undefined;
    for (const transcript of transcripts) {
      const entries = readEntries(transcript.lineAt(line));
      const texts = entries.flatMap((entry) => markedTexts(entry, part) ?? []);
      if (texts.length > 0) return texts;
    }
    return undefined;
  }

  [Symbol.dispose](): void {
    for (const transcript of [...this.#named.values()].flat()) transcript[Symbol.dispose]();
  }

  #transcriptsOf(session: string): IndexedTranscript[] {
    const known = this.#named.get(session);
    if (known !== undefined) return known;
    const folder = parentPath(this.#path);
    const names = new Set([fileName(this.#path), ...namesIn(folder)]);
    const found = [...names].filter((name) => isNameOf(session, name))
      .map((name) => new IndexedTranscript(joinPath(folder, name)));
    this.#named.set(session, found);
    return found;
  }

  /** Whether the session is a copy and one of its ancestors was deleted. */
  #hasLostLineage(): boolean {
    this.#isLineageLost ??= isLineageLost(this.#path);
    return this.#isLineageLost;
  }
}

function isLineageLost(path: string): boolean {
  let child = path;
  for (let generation = 0; generation < MAX_GENERATIONS; generation++) {
    const parent = trimmedFrom(child);
    if (parent === null) return false;
    child = joinPath(parentPath(path), parent + EXTENSION);
    if (!exists(child)) return true;
  }
  return false;
}

function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile).map(({ name }) => name);
  } catch (error) {
    // A program that trims a single file may lack permission to read its folder.
    if (error instanceof Deno.errors.NotCapable) return [];
    throw error;
  }
}

class IndexedTranscript implements Disposable {
  readonly #file: Deno.FsFile;
  #offsets: number[] | undefined;

  constructor(path: string) {
    this.#file = openFileSync(path);
  }

  /** Returns a line, counted from 1; no bytes if the line does not exist. */
  lineAt(number: number): Uint8Array {
    const offsets = this.#offsets ??= this.#readOffsets();
    const [from, to] = [offsets[number - 1], offsets[number]];
    if (from === undefined || to === undefined) return new Uint8Array(0);
    this.#file.seekSync(from, Deno.SeekMode.Start);
    return readStart(this.#file, to - from);
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }

  /** Returns the offset of each line, and the end of the last line. */
  #readOffsets(): number[] {
    const offsets = [0];
    for (const { offset, bytes } of readLines(this.#file)) {
      offsets.push(offset + bytes.length + 1);
    }
    return offsets;
  }
}
