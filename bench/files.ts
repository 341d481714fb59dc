/**
 * Generates the transcripts for the benches once, and caches them in `.cache/bench`.
 *
 * @module
 */

import { GENERATOR_VERSION, parseSize, writeTranscript } from "./generate.ts";

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
 * Finds or makes a transcript. Needs read and write permission for `.cache/bench`.
 *
 * @param size For example `100MB`.
 */
export async function benchFile(size: string): Promise<BenchFile> {
  const folder = `${CACHE}/${size.toUpperCase()}-v${GENERATOR_VERSION}`;
  await Deno.mkdir(folder, { recursive: true });
  for (const { name } of Deno.readDirSync(folder)) {
    // The marker is written last, so files without it are leftovers of an interrupted run.
    if (!name.endsWith(".ready")) continue;
    const sessionId = name.slice(0, -".ready".length);
    const path = `${folder}/${sessionId}.jsonl`;
    return { size, path, sessionId, bytes: (await Deno.stat(path)).size, folder };
  }
  const draft = `${folder}/draft`;
  const { bytes, sessionId } = writeTranscript(draft, parseSize(size));
  const path = `${folder}/${sessionId}.jsonl`;
  await Deno.rename(draft, path);
  await Deno.writeTextFile(`${folder}/${sessionId}.ready`, "");
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
