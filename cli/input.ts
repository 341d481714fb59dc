/** Reads a file given on the command line, or stdin for `-`. */

import { reasonOf } from "../src/store/atomic.ts";
import { readFileSync, readStart } from "../src/store/read_file.ts";

/** Far above the size of notes, handoffs, guidelines and lists of tasks. */
const MAX_INPUT_BYTES = 1024 * 1024;

export function readInput(path: string, what: string): string {
  const name = path === "-" ? "stdin" : JSON.stringify(path);
  const bytes = path === "-"
    ? readStart(Deno.stdin, MAX_INPUT_BYTES + 1)
    : readFile(path, what, name);
  if (bytes.length > MAX_INPUT_BYTES) throw tooLongError(what, name);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`Cannot read ${what} ${name}: it is not UTF-8 text`);
  }
  if (text.trim() === "") throw new Error(`Cannot read ${what} ${name}: it is empty`);
  return text;
}

function readFile(path: string, what: string, name: string): Uint8Array {
  try {
    if (!Deno.statSync(path).isFile) {
      throw new TypeError("it is not a regular file. Give - to read stdin");
    }
    return readFileSync(path, MAX_INPUT_BYTES);
  } catch (error) {
    // The caller reports a missing permission, with one message for all commands.
    if (error instanceof Deno.errors.NotCapable) throw error;
    if (error instanceof RangeError) throw tooLongError(what, name);
    if (error instanceof Deno.errors.NotFound) {
      throw new Error(
        `Cannot read ${what} ${name}: there is no such file. Give a path, or - for stdin`,
      );
    }
    throw new Error(`Cannot read ${what} ${name}: ${reasonOf(error)}`);
  }
}

function tooLongError(what: string, name: string): Error {
  return new Error(
    `Cannot read ${what} ${name}: it is over ${MAX_INPUT_BYTES} bytes. Shorten it`,
  );
}
