/**
 * The transcripts to measure with: generated once, kept in `.cache/bench`.
 *
 * @module
 */

import { GENERATOR_VERSION, parseSize, writeTranscript } from "./generate.ts";

const CACHE = `${import.meta.dirname}/../.cache/bench`;

export interface BenchFile {
  /** As requested, such as `100MB`. */
  readonly size: string;
  readonly path: string;
  /** The session's id, which is also its file's name. */
  readonly sessionId: string;
  /** The length of the file. */
  readonly bytes: number;
  /** A folder for outputs, on the same disk. */
  readonly folder: string;
}

/**
 * Finds or makes a transcript. Needs read and write permission for `.cache/bench`.
 *
 * @param size The size, such as `100MB`.
 * @returns The transcript.
 */
export async function benchFile(size: string): Promise<BenchFile> {
  const folder = `${CACHE}/${size.toUpperCase()}-v${GENERATOR_VERSION}`;
  await Deno.mkdir(folder, { recursive: true });
  for (const { name } of Deno.readDirSync(folder)) {
    // Skips and removes leftovers of an interrupted run.
    if (!name.endsWith(".ready")) continue;
    const sessionId = name.slice(0, -".ready".length);
    const path = `${folder}/${sessionId}.jsonl`;
    return { size, path, sessionId, bytes: (await Deno.stat(path)).size, folder };
  }
  const draft = `${folder}/draft`;
  const { bytes, sessionId } = writeTranscript(draft, { sizeBytes: parseSize(size) });
  const path = `${folder}/${sessionId}.jsonl`;
  await Deno.rename(draft, path);
  await Deno.writeTextFile(`${folder}/${sessionId}.ready`, "");
  return { size, path, sessionId, bytes, folder };
}

/** Removes everything from the folder of `file` but the transcript itself. */
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
