/** Masks observations in a list of messages, for agent programs that store their own conversation. */

import { isAlreadyMasked } from "../trim/placeholder.ts";
import { generatePlaceholder } from "./placeholder.ts";

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
 * @param count Number of observations to mask.
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
  // For a result that precedes its call, the first call with the id is used.
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls).toReversed();
  const allCalls = new Map(calls.map((call) => [call.id, call]));
  const earlierCalls = new Map<string, ToolCall>();
  let masked = 0;
  let total = 0;
  for (const message of messages) {
    // Some APIs reuse call ids in every turn, so the nearest earlier call is used.
    for (const call of message.toolCalls ?? []) earlierCalls.set(call.id, call);
    if (message.role !== "tool") continue;
    if (isAlreadyMasked(message.content)) {
      total += 1;
      continue;
    }
    if (masked === count) continue;
    const id = message.toolCallId;
    const call = id === undefined ? undefined : earlierCalls.get(id) ?? allCalls.get(id);
    const { name = "unknown", input } = call ?? {};
    message.content = generatePlaceholder(name, message.content, { input });
    masked += 1;
    total += 1;
  }
  return { masked_count: masked, total_masked: total };
}

/**
 * Renders the line that tells the model that observations were masked.
 *
 * @param masked Number of observations masked in this round.
 * @param total Number of observations masked in total.
 * @param reclaimedPercent The freed context as a percentage of the whole context; shown rounded.
 * @returns The line.
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
