/** Reads lists of tasks in JSON, JSON with comments, and TOML. */

import { parse as parseJsonc } from "@std/jsonc";
import { parse as parseToml } from "@std/toml";
import { checkTasks } from "./check_tasks.ts";
import type { BatchTask } from "./task.ts";

type TaskFormat = "json" | "toml";

export function parseTasks(text: string, name: string): BatchTask[] {
  // An editor on Windows may have added a byte order mark.
  const plain = text.replace(/^\ufeff/, "");
  return checkTasks(parseAs(formatOf(plain, name), plain, name));
}

function parseAs(format: TaskFormat, text: string, name: string): unknown {
  try {
    return format === "toml" ? parseToml(text) : parseJsonc(text);
  } catch (error) {
    // The parsers are recursive, so deep nesting exceeds the stack.
    const reason = error instanceof RangeError
      ? "It is nested too deeply"
      : error instanceof Error
      ? error.message
      : String(error);
    const shown = name === "-" ? "stdin" : JSON.stringify(name);
    throw new SyntaxError(
      `Cannot read tasks ${shown}: not valid ${format.toUpperCase()}. ${reason}`,
    );
  }
}

function formatOf(text: string, name: string): TaskFormat {
  if (/\.toml$/i.test(name)) return "toml";
  if (/\.jsonc?$/i.test(name)) return "json";
  // TOML starts with `[[tasks]]` or `[table]`. In a JSON list, a brace, a comment or `]` follows the first
  // bracket.
  const start = text.trimStart();
  if (/^(?:\{|\/[/*]|\[\s*(?:[{\]"\d]|\/[/*]|$))/.test(start)) return "json";
  return "toml";
}
