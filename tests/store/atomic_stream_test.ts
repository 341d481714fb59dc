import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { type AtomicFileSystem, AtomicStream } from "../../src/store/atomic.ts";
import { inFolder, namesIn } from "../folder.ts";
import { failing, withFile } from "./file_system.ts";

const RUN = { numRuns: 20, seed: 20_261_122 };

/** Larger than the stream's buffer. */
const LARGE_BYTES = 300 * 1024;

const encoder = new TextEncoder();

function pattern(length: number, start = 0): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = (start + i * 7) % 251;
  return bytes;
}

/** Makes every kind of system call: writes a small and a large piece, overwrites once, and commits. */
function writeAll(path: string, fs?: AtomicFileSystem): void {
  using stream = new AtomicStream(path, { fs });
  stream.write(encoder.encode("start\n"));
  stream.write(pattern(LARGE_BYTES));
  stream.overwrite(0, encoder.encode("START"));
  stream.write(encoder.encode("end\n"));
  stream.commit();
}

Deno.test("AtomicStream replaces a file only on commit, and leaves no other file", () =>
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/a`, "old");
    for (const isCommitted of [false, true]) {
      using stream = new AtomicStream(`${folder}/a`);
      stream.write(pattern(LARGE_BYTES));
      if (isCommitted) stream.commit();
      stream[Symbol.dispose]();
      assertEquals(Deno.statSync(`${folder}/a`).size, isCommitted ? LARGE_BYTES : 3);
      assertEquals(namesIn(folder), ["a"]);
    }
  }));

Deno.test("AtomicStream.write() lets the caller reuse the bytes at once", () =>
  inFolder((folder) => {
    using stream = new AtomicStream(`${folder}/a`);
    const bytes = encoder.encode("one");
    stream.write(bytes);
    bytes.set(encoder.encode("two"));
    stream.write(bytes);
    stream.commit();
    assertEquals(Deno.readTextFileSync(`${folder}/a`), "onetwo");
  }));

Deno.test("AtomicStream.overwrite() replaces bytes at any offset, then continues at the end", () =>
  inFolder((folder) => {
    using stream = new AtomicStream(`${folder}/a`);
    stream.write(encoder.encode("0123456789"));
    stream.overwrite(2, encoder.encode("AB"));
    stream.write(encoder.encode("end"));
    stream.overwrite(10, encoder.encode("E"));
    assertEquals(stream.bytesWritten, 13);
    stream.commit();
    assertEquals(Deno.readTextFileSync(`${folder}/a`), "01AB456789End");
  }));

Deno.test("AtomicStream writes all pieces in order, even when the system writes them in parts", async () => {
  const size = fc.oneof(fc.nat(50), fc.integer({ min: 262_140, max: 262_150 }), fc.nat(600_000));
  const maxBytes = fc.constantFrom(Infinity, 100_000, 4_099);
  await fc.assert(
    fc.asyncProperty(
      fc.array(size, { maxLength: 5 }),
      maxBytes,
      (sizes, maxBytesPerWrite) =>
        inFolder((folder) => {
          const fs = withFile((file) => ({
            writeSync: (bytes) => file.writeSync(bytes.subarray(0, maxBytesPerWrite)),
            // Skips the real sync, which would dominate the run time.
            syncSync: () => {},
          }));
          using stream = new AtomicStream(`${folder}/a`, { fs });
          const whole = new Uint8Array(sizes.reduce((sum, length) => sum + length, 0));
          let offset = 0;
          for (const length of sizes) {
            const piece = pattern(length, offset);
            stream.write(piece);
            whole.set(piece, offset);
            offset += length;
          }
          assertEquals(stream.bytesWritten, whole.length);
          stream.commit();
          // A comparison of the arrays by value would take most of the time.
          const text = new TextDecoder("latin1");
          assert(text.decode(Deno.readFileSync(`${folder}/a`)) === text.decode(whole));
        }),
    ),
    RUN,
  );
});

Deno.test("AtomicStream throws the first error when closing and cleaning up fail too", () =>
  inFolder((folder) => {
    const closing = withFile((file) => ({
      writeSync: failing("disk full"),
      close(): void {
        file.close();
        throw new Error("fault in close");
      },
    }));
    assertThrows(() => writeAll(`${folder}/a`, closing), Error, "disk full");
    assertEquals(namesIn(folder), []);
    const removing = { ...closing, removeSync: failing("busy") };
    assertThrows(() => writeAll(`${folder}/a`, removing), Error, "disk full");
    assertEquals(namesIn(folder).map((name) => name.startsWith(".trimtab-tmp-")), [true]);
  }));

Deno.test("AtomicStream stops when a write accepts no bytes and reports no error", () =>
  inFolder((folder) => {
    const fs = withFile(() => ({ writeSync: () => 0 }));
    const message = `Cannot write "${folder}/a": stopped after 0 of `;
    assertThrows(() => writeAll(`${folder}/a`, fs), Error, message);
    assertEquals(namesIn(folder), []);
  }));

Deno.test("AtomicStream leaves no temporary file when the path is a folder", () =>
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/a`);
    assertThrows(() => writeAll(`${folder}/a`));
    assertEquals(namesIn(folder), ["a"]);
    assert(Deno.statSync(`${folder}/a`).isDirectory);
  }));

Deno.test("AtomicStream.commit() throws on the second call and leaves the file intact", () =>
  inFolder((folder) => {
    {
      using stream = new AtomicStream(`${folder}/a`);
      stream.write(encoder.encode("whole"));
      stream.commit();
      assertThrows(() => stream.commit(), Deno.errors.BadResource);
      stream.write(encoder.encode("late"));
      assertThrows(() => stream.commit(), Deno.errors.BadResource);
    }
    assertEquals(namesIn(folder), ["a"]);
    assertEquals(Deno.readTextFileSync(`${folder}/a`), "whole");
  }));

Deno.test("AtomicStream may be disposed of twice, and keeps a file that appeared meanwhile", () =>
  inFolder((folder) => {
    const stream = new AtomicStream(`${folder}/a`);
    stream[Symbol.dispose]();
    Deno.writeTextFileSync(`${folder}/a`, "by another");
    stream[Symbol.dispose]();
    assertEquals(namesIn(folder), ["a"]);
  }));
