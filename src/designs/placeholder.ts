/** Renders placeholders for tool results, with special wording for the tools in the designs. */

import { parseObject } from "../core/record.ts";
import { countLines } from "../core/chars.ts";
import {
  byteLength,
  firstLine,
  isAlreadyMasked,
  type MaskedPlace,
  placeholderFor,
  withPlace,
} from "../trim/placeholder.ts";

/** Options for {@linkcode generatePlaceholder}. */
export interface PlaceholderOptions extends MaskedPlace {
  /** The arguments of the call that produced the result, as the model wrote them. */
  readonly input?: unknown;
}

/**
 * Renders the placeholder for a tool's result: its subject, its size and, if known, the location of the full
 * result.
 *
 * `file_read`, `shell_exec` and `file_write` have their own wording. Placeholders for Claude Code's tools
 * contain the path, the command or the query of the call; placeholders for tools of MCP servers contain the
 * first simple arguments. Content that is already a placeholder is returned unchanged.
 *
 * @param toolName The tool's name; characters that are invalid in a tool's name become `_`.
 * @param content The result's text.
 * @param options The arguments of the call, and the location of the full result.
 * @returns One line that {@linkcode isAlreadyMasked} recognizes. It can be longer than a short result.
 *
 * @example
 * ```ts
 * import { generatePlaceholder } from "./placeholder.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   generatePlaceholder("file_read", "fn main() {\n}\n"),
 *   "[file_read result masked -- 2 lines, starts with: fn main() {]",
 * );
 * assertEquals(
 *   generatePlaceholder("Bash", "ok\n", { input: { command: "make test" } }),
 *   '[Bash result masked -- 3 bytes of output, command: "make test"]',
 * );
 * ```
 */
export function generatePlaceholder(
  toolName: string,
  content: string,
  options: PlaceholderOptions = {},
): string {
  if (isAlreadyMasked(content)) return content;
  const description = describeDesignedTool(toolName, content);
  return description === undefined
    ? placeholderFor(content, { toolName, ...options })
    : withPlace(`[${toolName} result masked -- ${description}]`, options);
}

function describeDesignedTool(toolName: string, content: string): string | undefined {
  switch (toolName) {
    case "file_read":
      return `${countLines(content)} lines, starts with: ${firstLine(content)}`;
    case "file_write":
      return `${byteLength(content)} bytes`;
    case "shell_exec":
      return describeExecution(content);
    default:
      return undefined;
  }
}

function describeExecution(content: string): string | undefined {
  // Plain output such as `42` or `null` is also valid JSON, but contains no exit code.
  const { exit_code: code, stdout } = parseObject(content) ?? {};
  if (!Number.isSafeInteger(code)) return undefined;
  return `exit_code=${code}, stdout=${typeof stdout === "string" ? byteLength(stdout) : 0} bytes`;
}
