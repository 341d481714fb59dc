/** Masking of observations in a list of messages, for loops that hold their own conversation. */

import { generatePlaceholder, isAlreadyMasked } from "../trim/placeholder.ts";

/** A tool call of an assistant message. */
export interface ToolCall {
  /** Pairs the call with its result. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /** The arguments, as the model wrote them. */
  readonly input?: unknown;
}

/** A message of an agent loop; an observation has the role `tool`. */
export interface AgentMessage {
  /** The speaker. */
  readonly role: "system" | "user" | "assistant" | "tool";
  /** The text; the only part that masking changes. */
  content: string;
  /** The calls of an assistant message. */
  readonly toolCalls?: readonly ToolCall[];
  /** The call that an observation answers. */
  readonly toolCallId?: string;
}

/** The result of a round of masking. */
export interface MaskResult {
  /** The observations masked in this round. */
  readonly masked_count: number;
  /** The masked observations in the list now, this round's and all others. */
  readonly total_masked: number;
}

/** Options of {@linkcode maskOldestObservations}. */
export interface MaskOptions {
  /** Pass over an observation whose placeholder would not be shorter. @default {false} */
  readonly onlyIfShorter?: boolean;
}

const UNKNOWN_TOOL = "unknown";

/**
 * Replaces the oldest observations by placeholders, in place. All messages keep their places, so every
 * call keeps its answer.
 *
 * An observation that is shorter than its placeholder is masked as well: the caller asked for a
 * number of the oldest ones, gets exactly that, and can reason about what is still in view. With
 * `onlyIfShorter`, which only saves space, fewer than `count` may be masked.
 *
 * @param messages The conversation, oldest first; the content of masked messages is overwritten.
 * @param count Number of observations to mask.
 * @param options Which observations to skip.
 * @returns The number masked now, and in all.
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
  options: MaskOptions = {},
): MaskResult {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`Cannot mask observations: count is ${count}, expected a whole number`);
  }
  const anywhere = callsById(messages);
  const before = new Map<string, ToolCall>();
  let masked = 0;
  let total = 0;
  for (const message of messages) {
    // Some APIs restart their call numbers in every turn: the nearest call before a result is its own.
    for (const call of message.toolCalls ?? []) before.set(call.id, call);
    if (message.role !== "tool") continue;
    if (isAlreadyMasked(message.content)) {
      total += 1;
      continue;
    }
    if (masked === count) continue;
    const id = message.toolCallId;
    const call = id === undefined ? undefined : before.get(id) ?? anywhere.get(id);
    const placeholder = generatePlaceholder(call?.name ?? UNKNOWN_TOOL, message.content, {
      input: call?.input,
    });
    if (options.onlyIfShorter && placeholder.length >= message.content.length) continue;
    message.content = placeholder;
    masked += 1;
    total += 1;
  }
  return { masked_count: masked, total_masked: total };
}

/** A result can precede its call, so the whole list is looked at. */
function callsById(messages: readonly AgentMessage[]): Map<string, ToolCall> {
  const calls = new Map<string, ToolCall>();
  for (const message of messages) {
    for (const call of message.toolCalls ?? []) {
      if (!calls.has(call.id)) calls.set(call.id, call);
    }
  }
  return calls;
}

/**
 * The line that tells a model that observations were masked.
 *
 * @param masked The observations masked in this round.
 * @param total The observations masked in all.
 * @param reclaimedPercent The share of the context that this freed, in percent; shown rounded.
 * @returns The line.
 * @throws {RangeError} When a figure is negative or not a finite number.
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
    throw new RangeError(`Cannot word a notification: got ${value}, expected 0 or more`);
  }
  return `[Context compressed: ${masked} observations masked this round, ${total} total, ` +
    `~${Math.round(reclaimedPercent)}% context reclaimed]`;
}
