/**
 * Makes the transcripts for the benches in `.cache/bench`.
 *
 * @module
 */

import { parseSize, writeTranscript } from "./generate.ts";

const CACHE = `${import.meta.dirname}/../.cache/bench`;

export interface BenchFile {
  /** As requested, such as `100MB`. */
  readonly size: string;
  readonly path: string;
  /** Also the name of the file, without its extension. */
  readonly sessionId: string;
  readonly bytes: number;
  readonly folder: string;
}

/**
 * Makes a transcript. Needs read and write permission for `.cache/bench`.
 *
 * @param size For example `100MB`.
 */
export function benchFile(size: string): BenchFile {
  const folder = `${CACHE}/${size.toUpperCase()}`;
  Deno.mkdirSync(folder, { recursive: true });
  const draft = `${folder}/draft`;
  const { bytes, sessionId } = writeTranscript(draft, parseSize(size));
  const path = `${folder}/${sessionId}.jsonl`;
  Deno.renameSync(draft, path);
  return { size, path, sessionId, bytes, folder };
}

export async function removeOutputs(file: BenchFile): Promise<void> {
  for await (const { name } of Deno.readDir(file.folder)) {
    if (name.startsWith(file.sessionId)) continue;
    await Deno.remove(`${file.folder}/${name}`, { recursive: true });
  }
}

/** Reads the whole file once, so that later reads find it in the system's page cache. */
export function warm(path: string): void {
  using file = Deno.openSync(path);
  const buffer = new Uint8Array(1 << 20);
  while (file.readSync(buffer) !== null);
}
