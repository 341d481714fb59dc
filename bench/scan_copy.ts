/**
 * Does the minimum work of a Deno program that streams a transcript: reads it, finds its lines, and writes it.
 * This is the baseline for every command that streams a session.
 *
 *     deno run --allow-read --allow-write bench/scan_copy.ts [--fsync] IN OUT
 */

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;

function countLines(chunk: Uint8Array): number {
  let lines = 0;
  for (
    let newline = chunk.indexOf(NEWLINE);
    newline !== -1;
    newline = chunk.indexOf(NEWLINE, newline + 1)
  ) lines++;
  return lines;
}

/**
 * Copies `input` to `output` and counts its lines. Needs read and write permission for them.
 *
 * @param fsync Whether to flush the copy to disk before returning, as a trim does.
 * @returns The number of newlines.
 */
export function scanCopy(input: string, output: string, fsync: boolean): number {
  using source = Deno.openSync(input);
  using target = Deno.openSync(output, { write: true, create: true, truncate: true });
  const buffer = new Uint8Array(CHUNK_BYTES);
  let lines = 0;
  for (let read = source.readSync(buffer); read !== null; read = source.readSync(buffer)) {
    const chunk = buffer.subarray(0, read);
    lines += countLines(chunk);
    for (let written = 0; written < read;) {
      written += target.writeSync(chunk.subarray(written));
    }
  }
  if (fsync) target.syncDataSync();
  return lines;
}

if (import.meta.main) {
  const fsync = Deno.args.includes("--fsync");
  const [input, output] = Deno.args.filter((arg) => arg !== "--fsync");
  if (input === undefined || output === undefined) {
    console.error("Usage: scan_copy.ts [--fsync] IN OUT");
    Deno.exit(2);
  }
  console.log(scanCopy(input, output, fsync));
}
