/** Masks observations in the messages of an agent program that stores its own conversation. */

import { countLines } from "../core/chars.ts";
import { parseObject } from "../core/record.ts";
import {
  byteLength,
  firstLine,
  isAlreadyMasked,
  type MaskedPlace,
  placeholderFor,
  withPlace,
} from "../trim/placeholder.ts";

/** A tool call in an assistant message. */
export interface ToolCall {
  /** The id that the result refers to. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /** The arguments as the model wrote them. */
  readonly input?: unknown;
}

/** A message of an agent loop. An observation has the role `tool`. */
export interface AgentMessage {
  /** The role of the speaker. */
  readonly role: "system" | "user" | "assistant" | "tool";
  /** The text. Masking changes only this field. */
  content: string;
  /** The calls of an assistant message. */
  readonly toolCalls?: readonly ToolCall[];
  /** The id of the call that an observation answers. */
  readonly toolCallId?: string;
}

/** The result of a round of masking. */
export interface MaskResult {
  /** Number of observations masked in this round. */
  readonly masked_count: number;
  /** Number of masked observations in the list, including earlier rounds. */
  readonly total_masked: number;
}

/**
 * Replaces the oldest observations with placeholders, in place. Messages are neither moved nor removed, so
 * every call keeps its result.
 *
 * An observation that is shorter than its placeholder is masked as well, so that exactly `count` of the
 * oldest observations are masked and the caller can tell which ones are left.
 *
 * @param messages The conversation, oldest first; the content of masked messages is overwritten.
 * @returns The number masked now, and the number masked in total.
 * @throws {RangeError} When the count is not a whole number of 0 or more.
 *
 * @example
 * ```ts
 * import { type AgentMessage, maskOldestObservations } from "./mask_messages.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const messages: AgentMessage[] = [
 *   { role: "assistant", content: "", toolCalls: [{ id: "a", name: "file_write" }] },
 *   { role: "tool", content: "wrote 12 lines", toolCallId: "a" },
 * ];
 * assertEquals(maskOldestObservations(messages, 1), { masked_count: 1, total_masked: 1 });
 * assertEquals(messages[1]?.content, "[file_write result masked -- 14 bytes]");
 * ```
 */
export function maskOldestObservations(
  messages: readonly AgentMessage[],
  count: number,
): MaskResult {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(
      `Cannot mask observations: count is ${count}, expected a whole number of 0 or more`,
    );
  }
  const calls = new Map<string, ToolCall>();
  let masked = 0;
  let total = 0;
  for (const message of messages) {
    // Some APIs reuse call ids in every turn, so the nearest earlier call is used.
    for (const call of message.toolCalls ?? []) calls.set(call.id, call);
    if (message.role !== "tool") continue;
    if (isAlreadyMasked(message.content)) {
      total += 1;
      continue;
    }
    if (masked === count) continue;
    const { name = "unknown", input } = calls.get(message.toolCallId ?? "") ?? {};
    message.content = generatePlaceholder(name, message.content, { input });
    masked += 1;
    total += 1;
  }
  return { masked_count: masked, total_masked: total };
}

/**
 * Renders the line that tells the model that observations were masked.
 *
 * @param reclaimedPercent The freed context as a percentage of the whole context; shown rounded.
 * @throws {RangeError} When a number is negative or not finite.
 *
 * @example
 * ```ts
 * import { generateMaskNotification } from "./mask_messages.ts";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(
 *   generateMaskNotification(3, 9, 11.6),
 *   "[Context compressed: 3 observations masked this round, 9 total, ~12% context reclaimed]",
 * );
 * ```
 */
export function generateMaskNotification(
  masked: number,
  total: number,
  reclaimedPercent: number,
): string {
  for (const value of [masked, total, reclaimedPercent]) {
    if (Number.isFinite(value) && value >= 0) continue;
    throw new RangeError(`Cannot write a notification: got ${value}, expected 0 or more`);
  }
  return `[Context compressed: ${masked} observations masked this round, ${total} total, ` +
    `~${Math.round(reclaimedPercent)}% context reclaimed]`;
}

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
 * @returns One line that {@linkcode isAlreadyMasked} recognizes. It can be longer than a short result.
 *
 * @example
 * ```ts
 * import { generatePlaceholder } from "./mask_messages.ts";
 * import { assertEquals } from "@std/assert";
 *
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
