/** Makes the transcripts for the benches in `.cache/bench`. */

import { parseSize, writeTranscript } from "./generate.ts";

const CACHE = `${import.meta.dirname}/../.cache/bench`;

export interface BenchFile {
  /** As requested, such as `100MB`. */
  readonly size: string;
  readonly path: string;
  /** Also the name of the file, without its extension. */
  readonly sessionId: string;
  readonly bytes: number;
  /** The folder of the client's configuration, and of the project. The commands may write below it. */
  readonly folder: string;
}

/** Where the client keeps a project's sessions, below `folder`; trims write their copies there. */
const SESSIONS = "projects";

/**
 * Makes a transcript. Needs read and write permission for `parent`.
 *
 * @param size For example `100MB`.
 * @param parent The folder in which to create the folder of this size.
 */
export function benchFile(size: string, parent = CACHE): BenchFile {
  const folder = `${parent}/${size.toUpperCase()}`;
  const sessions = `${folder}/${SESSIONS}/bench`;
  Deno.mkdirSync(sessions, { recursive: true });
  const draft = `${folder}/draft`;
  const { bytes, sessionId } = writeTranscript(draft, parseSize(size));
  const path = `${sessions}/${sessionId}.jsonl`;
  Deno.renameSync(draft, path);
  return { size, path, sessionId, bytes, folder };
}

export async function removeOutputs(file: BenchFile): Promise<void> {
  const sessions = file.path.slice(0, file.path.lastIndexOf("/"));
  for (const [folder, kept] of [[file.folder, SESSIONS], [sessions, file.sessionId]] as const) {
    for await (const { name } of Deno.readDir(folder)) {
      if (!name.startsWith(kept)) await Deno.remove(`${folder}/${name}`, { recursive: true });
    }
  }
}

/** Reads the whole file once, so that later reads find it in the system's page cache. */
export function warm(path: string): void {
  using file = Deno.openSync(path);
  const buffer = new Uint8Array(1 << 20);
  while (file.readSync(buffer) !== null);
}
