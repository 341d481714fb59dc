/** Reads a file given on the command line, or stdin for `-`. */

import { reasonOf } from "../src/store/atomic.ts";
import { readFileSync, readStart } from "../src/store/read_file.ts";

/** Well above the size of any notes, handoff, guidelines or task list. */
const MAX_INPUT_BYTES = 1024 * 1024;

export function readInput(path: string, what: string): string {
  const name = path === "-" ? "stdin" : JSON.stringify(path);
  const problem = (why: string) => new Error(`Cannot read ${what} ${name}: ${why}`);
  let bytes: Uint8Array;
  try {
    if (path !== "-" && !Deno.statSync(path).isFile) {
      throw new TypeError("it is not a regular file. Give - to read stdin");
    }
    bytes = path === "-"
      ? readStart(Deno.stdin, MAX_INPUT_BYTES + 1)
      : readFileSync(path, MAX_INPUT_BYTES);
    if (bytes.length > MAX_INPUT_BYTES) throw new RangeError();
  } catch (error) {
    // The caller reports a missing permission, with one message for all commands.
    if (error instanceof Deno.errors.NotCapable) throw error;
    if (error instanceof RangeError) {
      throw problem(`it is over ${MAX_INPUT_BYTES} bytes. Shorten it`);
    }
    if (error instanceof Deno.errors.NotFound) {
      throw problem("there is no such file. Give a path, or - for stdin");
    }
    throw problem(reasonOf(error));
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw problem("it is not UTF-8 text");
  }
  if (text.trim() === "") throw problem("it is empty");
  return text;
}
