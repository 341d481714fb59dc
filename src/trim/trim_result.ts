/** Counts of a trim. */

import type { NeedReason } from "../core/need.ts";

/** A size before and after. */
export interface BeforeAfter {
  /** Of the session. */
  before: number;
  /** Of the copy. */
  after: number;
}

/** What was cut of one kind, such as one tool's results. */
export interface ToolSavings {
  /** How many were cut. */
  count: number;
  /** How many characters fewer they hold. */
  chars_saved: number;
}

/** One cut, and why. */
export interface ExplainedCut {
  /** The line of the session that holds it whole, from 1. */
  line: number;
  /** The tool. */
  tool: string;
  /** Whether it is a result, or what a call wrote. */
  part: "result" | "input";
  /** Why. */
  reason: NeedReason;
  /** How many characters fewer it holds. */
  chars_saved: number;
}

/** What a trim did, or would do. */
export interface TrimCounts {
  /** How many results were cut, in the whole file. */
  trimmed_count: number;
  /** What was cut of the texts of results, by tool, in the whole file. */
  by_tool: Record<string, ToolSavings>;
  /** The same of those results alone that the client would send on resume. */
  context_by_tool: Record<string, ToolSavings>;
  /** The tools that the session calls, where it calls none of those whose results are cut. */
  other_tools: string[];
  /** What was cut of the arguments of calls. */
  inputs: ToolSavings;
  /** What pictures and documents, in results and in messages, gave way to. */
  images: ToolSavings;
  /** What was taken out of thinking. */
  thinking: ToolSavings;
  /** Characters of message content that the client would send on resume. */
  context_chars: BeforeAfter;
  /** Whether a link is lost: messages before what the client would send are left out. */
  is_cut_off: boolean;
  /** Whether those messages are not even in the file, so that nothing can reconnect them. */
  is_start_missing: boolean;
  /** Tokens in the context. After the trim: by the calibrated estimate. */
  tokens: BeforeAfter;
  /** Who told the size before: the API, or a metadata line that is later; else an estimate. */
  tokens_source: "api" | "metadata" | "estimate";
  /** The window that such a metadata line names, in tokens. */
  metadata_window: number | undefined;
  /** How the estimate was calibrated. */
  estimate: { scale: number; source: "session" | "prior"; spans: number };
  /** The size of the file. */
  bytes: BeforeAfter;
  /** How many results were not cut just because they are recent. */
  kept_recent_count: number;
  /** How many results were not cut just because they are about protected files. */
  protected_count: number;
  /** How many results were cut but for passages about what is being worked on. */
  worked_on_count: number;
  /** Each cut with the reason for it, where that was asked for. */
  explained?: ExplainedCut[];
  /** How far down the context was to come, and whether it did; `null` where nobody said. */
  target: { percent: number; tokens: number; is_reached: boolean } | null;
  /** When the newest answer was written, ISO 8601. */
  newest_at: string | undefined;
  /** How long the prompt cache lives, as the newest answers tell, in seconds. */
  cache_ttl_seconds: number | undefined;
  /** How many bytes of a last line that was still being written were left out. */
  torn_bytes: number;
  /** The model that answered last. */
  model: string | undefined;
}
