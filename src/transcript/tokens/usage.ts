import { isObject, type JsonObject } from "../../core/record.ts";
import { asString, type Entry } from "../entry.ts";

export interface SessionUsage {
  tokens: number;
  /** Output tokens of the answer, which the next request includes. */
  output?: number;
  /** `api`: the API's own figure. `metadata`: a `contextTokens` line. */
  source: "api" | "metadata";
  window?: number;
  model?: string;
  messageId?: string;
  timestamp?: string;
}

export interface TailUsage {
  usage: SessionUsage | null;
  /** Whether a compaction came after the last answer, so that the usage is unknown. */
  isCompacted: boolean;
}

/** Sums the input tokens, cached or not, as Claude Code 2.1.197 does for its percentage. */
export function contextTokens(usage: JsonObject): number | undefined {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  const counts = [input_tokens, cache_creation_input_tokens, cache_read_input_tokens]
    .filter((n): n is number => typeof n === "number" && n >= 0 && n < Infinity);
  return counts.length === 0 ? undefined : counts.reduce((sum, count) => sum + count, 0);
}

export function usageOfEntry(entry: Entry): SessionUsage | undefined {
  const { message } = entry;
  if (entry.type !== "assistant" || message === undefined || !isObject(message.usage)) {
    return undefined;
  }
  const model = asString(message.model);
  if (model === "<synthetic>" || entry.raw.isApiErrorMessage === true) return undefined;
  const tokens = contextTokens(message.usage);
  if (tokens === undefined || tokens === 0) return undefined;
  const found: SessionUsage = { tokens, source: "api" };
  const { output_tokens: output } = message.usage;
  if (typeof output === "number" && output > 0 && output < Infinity) found.output = output;
  if (model !== undefined) found.model = model;
  const messageId = asString(message.id);
  if (messageId !== undefined) found.messageId = messageId;
  if (entry.timestamp !== undefined) found.timestamp = entry.timestamp;
  return found;
}

export function usageOfMetadata(raw: JsonObject): SessionUsage | undefined {
  const { contextTokens: tokens, maxContextTokens: window } = raw;
  if (typeof tokens !== "number" || typeof window !== "number") return undefined;
  // JSON.parse returns Infinity for a number that is too large.
  if (!(tokens >= 0 && tokens < Infinity) || !(window > 0 && window < Infinity)) return undefined;
  return { tokens, source: "metadata", window };
}
