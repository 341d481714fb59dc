/** Reads lists of tasks in JSON, JSON with comments, and TOML. */

import { parse as parseJsonc } from "@std/jsonc";
import { parse as parseToml } from "@std/toml";
import { reasonOf } from "../store/atomic.ts";
import { checkTasks } from "./check_tasks.ts";
import type { BatchTask } from "./task.ts";

export function parseTasks(text: string, name: string): BatchTask[] {
  // An editor on Windows may have added a byte order mark.
  const plain = text.replace(/^\ufeff/, "");
  const isToml = isTomlFile(plain, name);
  let tasks: unknown;
  try {
    tasks = isToml ? parseToml(plain) : parseJsonc(plain);
  } catch (error) {
    // The parsers are recursive, so deep nesting exceeds the stack.
    const reason = error instanceof RangeError ? "It is nested too deeply" : reasonOf(error);
    const shown = name === "-" ? "stdin" : JSON.stringify(name);
    const format = isToml ? "TOML" : "JSON";
    throw new SyntaxError(`Cannot read tasks ${shown}: not valid ${format}. ${reason}`);
  }
  return checkTasks(tasks);
}

function isTomlFile(text: string, name: string): boolean {
  if (/\.(?:toml|jsonc?)$/i.test(name)) return /\.toml$/i.test(name);
  // JSON starts with `{`, a comment or `[`. In JSON, `{`, a comment, a value or `]` follows the first `[`; in
  // TOML, a second `[` or a table's name follows, as in `[[tasks]]` or `[table]`.
  return !/^\s*(?:\{|\/[/*]|\[\s*(?:[{\]"]|-?\d|(?:null|true|false)\b|\/[/*]|$))/.test(text);
}
