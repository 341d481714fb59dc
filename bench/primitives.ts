/**
 * Compares methods of scanning the bytes of a transcript of 100 MB. The trimmer uses the fastest:
 * `latin1Slice` makes strings from chunks of about 64 KB, and `indexOf` searches them. This is faster than
 * any search in bytes. V8 allocates larger strings separately, which is slow once the heap is large.
 *
 *     deno bench --allow-read --allow-write bench/primitives.ts
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { benchFile } from "./files.ts";

const KB = 1024;
const MB = 1024 * KB;
const NEWLINE = 10;
const QUOTE = 34;
const BACKSLASH = 92;
const PATTERNS = [
  '"sessionId":"',
  '"tool_use_id":"',
  '"type":"tool_use"',
  '"type":"tool_result"',
] as const;

const file = await benchFile("100MB");
const data = await Deno.readFile(file.path);
const decodeLatin1 = Reflect.get(Buffer.prototype, "latin1Slice");

/** Receives the results of the benches, so that the engine cannot remove the work as unused. */
let sink = 0;

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return String(decodeLatin1.call(bytes, from, to));
}

function* chunks(size: number): Generator<Uint8Array<ArrayBuffer>> {
  for (let index = 0; index < data.length; index += size) yield data.subarray(index, index + size);
}

const strings = [...chunks(256 * KB)].map((chunk) => latin1(chunk, 0, chunk.length));
const lineEnds: number[] = [];
for (let index = data.indexOf(NEWLINE); index !== -1; index = data.indexOf(NEWLINE, index + 1)) {
  lineEnds.push(index);
}

function bench(group: string, name: string, work: () => number | Promise<number>): void {
  Deno.bench({
    group,
    name,
    n: 5,
    warmup: 1,
    fn: async () => {
      sink += await work();
    },
  });
}

/** Sums `work` over all chunks of `size` bytes. */
function overChunks(size: number, work: (chunk: Uint8Array<ArrayBuffer>) => number): () => number {
  return () => {
    let sum = 0;
    for (const chunk of chunks(size)) sum += work(chunk);
    return sum;
  };
}

function overStrings(work: (text: string) => number): () => number {
  return () => strings.reduce((sum, text) => sum + work(text), 0);
}

function overLines(work: (from: number, to: number) => number): () => number {
  return () => {
    let sum = 0;
    let from = 0;
    for (const to of lineEnds) {
      sum += work(from, to);
      from = to + 1;
    }
    return sum;
  };
}

function countByte(chunk: Uint8Array, byte: number): number {
  let count = 0;
  for (let index = chunk.indexOf(byte); index !== -1; index = chunk.indexOf(byte, index + 1)) {
    count++;
  }
  return count;
}

function countText(text: string, pattern: string): number {
  let count = 0;
  for (
    let index = text.indexOf(pattern);
    index !== -1;
    index = text.indexOf(pattern, index + pattern.length)
  ) {
    count++;
  }
  return count;
}

function countInBuffer(chunk: Uint8Array<ArrayBuffer>, pattern: string): number {
  const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
  let count = 0;
  for (
    let index = buffer.indexOf(pattern);
    index !== -1;
    index = buffer.indexOf(pattern, index + 1)
  ) count++;
  return count;
}

/** Counts strings byte by byte, skipping their escapes. */
function walkBytes(chunk: Uint8Array): number {
  let inside = false;
  let count = 0;
  for (let index = 0; index < chunk.length; index++) {
    const byte = chunk[index];
    if (byte === QUOTE) {
      inside = !inside;
      if (inside) count++;
    } else if (byte === BACKSLASH && inside) index++;
  }
  return count;
}

/** Counts strings in text. `indexOf` jumps from quote to quote. */
function walkText(text: string): number {
  let count = 0;
  for (let open = text.indexOf('"'); open !== -1;) {
    let close = text.indexOf('"', open + 1);
    while (close !== -1 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
    if (close === -1) break;
    count++;
    open = text.indexOf('"', close + 1);
  }
  return count;
}

function isEscaped(text: string, index: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(index - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

for (const size of [64 * KB, 256 * KB, MB, 8 * MB]) {
  const name = `${size / KB} KB chunks`;
  bench("newlines by Uint8Array.indexOf", name, overChunks(size, (c) => countByte(c, NEWLINE)));
  bench("latin1Slice", name, overChunks(size, (c) => latin1(c, 0, c.length).length));
}
bench("newlines", "Uint8Array.indexOf", overChunks(256 * KB, (c) => countByte(c, NEWLINE)));
bench(
  "newlines",
  "latin1Slice, then String.indexOf",
  overChunks(64 * KB, (c) => countText(latin1(c, 0, c.length), "\n")),
);
bench("newlines", "String.indexOf alone", overStrings((text) => countText(text, "\n")));

for (const pattern of PATTERNS) {
  bench("patterns", `String.indexOf ${pattern}`, overStrings((text) => countText(text, pattern)));
}
bench("patterns", "one RegExp of all four", () => {
  const pattern = new RegExp(PATTERNS.join("|"), "g");
  return overStrings((text) => [...text.matchAll(pattern)].length)();
});
bench("patterns", "Buffer.indexOf", overChunks(256 * KB, (c) => countInBuffer(c, PATTERNS[0])));

function slice(from: number, to: number): number {
  return latin1(data, from, to).length;
}

bench("lines", "latin1Slice of the head", overLines((a, b) => slice(a, Math.min(b, a + 400))));
bench("lines", "latin1Slice of the tail", overLines((a, b) => slice(Math.max(a, b - 600), b)));
bench("lines", "latin1Slice of all", overLines(slice));
bench("lines", "JSON.parse", () => {
  const decoder = new TextDecoder();
  const parse = (a: number, b: number) =>
    Object.keys(JSON.parse(decoder.decode(data.subarray(a, b)))).length;
  return overLines(parse)();
});

bench("strings and escapes", "byte by byte", overChunks(256 * KB, walkBytes));
bench("strings and escapes", "String.indexOf from quote to quote", overStrings(walkText));

for (const label of ["latin1", "utf-8"]) {
  const decoder = new TextDecoder(label);
  bench("decoding", `TextDecoder ${label}`, overChunks(256 * KB, (c) => decoder.decode(c).length));
}

const target = new Uint8Array(8 * MB);
bench("copying", "set, 256 KB", () => {
  return overChunks(256 * KB, (chunk) => {
    target.set(chunk);
    return target.length;
  })();
});
bench("copying", "set, line by line", () => {
  return overLines((from, to) => {
    target.set(data.subarray(from, to));
    return target.length;
  })();
});

/** Copies the transcript to a fresh file, lets `finish` flush it, and removes it. */
function copy(size: number, finish: (output: Deno.FsFile) => void): number {
  const path = `${file.folder}/primitives`;
  using input = Deno.openSync(file.path);
  using output = Deno.openSync(path, { write: true, createNew: true });
  const buffer = new Uint8Array(size);
  let bytes = 0;
  for (let read = input.readSync(buffer); read !== null; read = input.readSync(buffer)) {
    for (let index = 0; index < read;) index += output.writeSync(buffer.subarray(index, read));
    bytes += read;
  }
  finish(output);
  Deno.removeSync(path);
  return bytes;
}

async function copyOverlapped(size: number): Promise<number> {
  const path = `${file.folder}/primitives`;
  using input = await Deno.open(file.path);
  using output = await Deno.open(path, { write: true, createNew: true });
  const buffers = [new Uint8Array(size), new Uint8Array(size)] as const;
  let bytes = 0;
  let writing: Promise<void> = Promise.resolve();
  for (let turn = 0;; turn++) {
    const buffer = buffers[turn % 2 === 0 ? 0 : 1];
    const read = await input.read(buffer);
    await writing;
    if (read === null) break;
    writing = writeWhole(output, buffer.subarray(0, read));
    bytes += read;
  }
  await Deno.remove(path);
  return bytes;
}

async function writeWhole(output: Deno.FsFile, chunk: Uint8Array): Promise<void> {
  for (let index = 0; index < chunk.length;) index += await output.write(chunk.subarray(index));
}

for (const size of [64 * KB, 256 * KB, MB, 8 * MB]) {
  bench("read and write", `sync, ${size / KB} KB`, () => copy(size, () => {}));
}
bench("read and write", "overlapped, 256 KB", () => copyOverlapped(256 * KB));
bench("read and write", "overlapped, 1024 KB", () => copyOverlapped(MB));
bench("read and write", "sync, 256 KB, syncData", () => copy(256 * KB, (f) => f.syncDataSync()));
bench("read and write", "sync, 256 KB, sync", () => copy(256 * KB, (f) => f.syncSync()));

globalThis.addEventListener("unload", () => {
  if (sink === 0) throw new Error("Cannot trust the figures: the benches did nothing");
});
