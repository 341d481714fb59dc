/** Counts of a trim. */

import type { NeedReason } from "../core/need.ts";

/** A size before and after. */
export interface BeforeAfter {
  /** The figure of the session. */
  before: number;
  /** The figure of the copy. */
  after: number;
}

/** Savings of one kind, such as one tool's results. */
export interface ToolSavings {
  /** Number of cuts. */
  count: number;
  /** Characters saved. */
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
  /** Characters saved. */
  chars_saved: number;
}

/** The counts of a trim, made or planned. */
export interface TrimCounts {
  /** Number of cut results, in the whole file. */
  trimmed_count: number;
  /** Savings in the texts of results, by tool, in the whole file. */
  by_tool: Record<string, ToolSavings>;
  /** The same of those results alone that the client would send on resume. */
  context_by_tool: Record<string, ToolSavings>;
  /** The tools that the session calls, where it calls none of those whose results are cut. */
  other_tools: string[];
  /** Savings in the arguments of calls. */
  inputs: ToolSavings;
  /** Savings from pictures and documents, in results and in messages. */
  images: ToolSavings;
  /** Savings from thinking. */
  thinking: ToolSavings;
  /** Characters of message content that the client would send on resume. */
  context_chars: BeforeAfter;
  /** Whether a link is lost: messages before what the client would send are left out. */
  is_cut_off: boolean;
  /** Whether those messages are not even in the file, so that nothing can reconnect them. */
  is_start_missing: boolean;
  /** Tokens in the context. After the trim: by the calibrated estimate. */
  tokens: BeforeAfter;
  /** Source of the size before: the API, a later metadata line, or an estimate. */
  tokens_source: "api" | "metadata" | "estimate";
  /** The window that such a metadata line names, in tokens. */
  metadata_window: number | undefined;
  /** The calibration of the estimate. */
  estimate: { scale: number; source: "session" | "prior"; spans: number };
  /** The size of the file. */
  bytes: BeforeAfter;
  /** Number of results kept only because they are recent. */
  kept_recent_count: number;
  /** Number of results kept only because they are about protected files. */
  protected_count: number;
  /** Number of results cut except for passages about the current work. */
  worked_on_count: number;
  /** Each cut with the reason for it, where that was asked for. */
  explained?: ExplainedCut[];
  /** The target, and whether it was reached; `null` without one. */
  target: { percent: number; tokens: number; is_reached: boolean } | null;
  /** When the newest answer was written, ISO 8601. */
  newest_at: string | undefined;
  /** Lifetime of the prompt cache by the newest answers, in seconds. */
  cache_ttl_seconds: number | undefined;
  /** Bytes of an unfinished last line that were left out. */
  torn_bytes: number;
  /** The model that answered last. */
  model: string | undefined;
}
