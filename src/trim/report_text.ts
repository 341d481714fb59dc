/** Says in words what a trim did. */

import { NEED_REASONS } from "../core/need.ts";
import type { InUse } from "../core/record.ts";
import { grouped, thousands } from "../inject/bound.ts";
import { insteadText, WORTHWHILE_PERCENT } from "../pressure/advice.ts";
import { describeWorth } from "./worth.ts";
import type { TrimSessionResult } from "./trim_session.ts";
import type { ToolSavings } from "./trim_transcript.ts";
import type { VainTrim } from "./vain.ts";

const MAX_TOOLS_NAMED = 8;

/** What a trim counted, whether or not there is a copy. */
type AnyTrim = Omit<TrimSessionResult, "session_id" | "output" | "resume_command">;

export function describeTrim(result: TrimSessionResult): string {
  const { context_chars: context, bytes, dry_run: isDry } = result;
  const why = whyNothing(result);
  const lines = why === undefined ? [] : [why];
  lines.push(
    // The documented words, whatever the number: programs may look for them.
    `${isDry ? "Would trim" : "Trimmed"} ${grouped(sentCount(result))} tool outputs` +
      `${byTool(result)}: ${thousands(result.tokens.before)} -> ` +
      `${thousands(result.tokens.after)} tokens`,
    ...(isDry ? savedByTool(result) : [
      `Resume here with: /resume ${result.session_id}`,
      `Resume with: ${result.resume_command}`,
    ]),
  );
  const freed = share(context.before, context.after);
  lines.push(
    `Context: ${grouped(result.tokens.before)} -> ${grouped(result.tokens.after)} tokens, ` +
      `${result.percent.before}% -> ${result.percent.after}% of ${grouped(result.limit)} ` +
      `(${estimateNote(result)})`,
    `Messages: ${grouped(context.before - context.after)} of ${grouped(context.before)} ` +
      `characters freed (${freed}%)`,
  );
  if (result.is_cut_off) lines.push(cutOffWords(result.parent_session_id, result.is_start_missing));
  const saved = bytes.before - bytes.after;
  lines.push(
    saved >= 0
      ? `${isDry ? "Would save" : "Saved"} ${grouped(saved)} bytes (${
        share(bytes.before, bytes.after)
      }%) of the file`
      : `The file ${isDry ? "would grow" : "grows"} by ${
        grouped(-saved)
      } bytes: its new title and where it came from`,
  );
  lines.push(...otherCuts(result));
  if (result.torn_bytes > 0) {
    lines.push(
      `Dropped the last line: it was still being written (${grouped(result.torn_bytes)} bytes)`,
    );
  }
  lines.push(...staying(result), ...explanation(result));
  lines.push(...result.owned.notes);
  if (why === undefined) lines.push(...reasonsForLittle(result));
  if (isDry) lines.push(describeWorth(result.worth));
  return lines.join("\n");
}

/** Says what became of a trim into a copy. */
export function describeCopy(result: TrimSessionResult | VainTrim): string {
  return result.output === null ? describeVain(result) : describeTrim(result);
}

export function describeVain(vain: VainTrim): string {
  const { tokens, instead } = vain;
  const why = whyNothing(vain);
  return [
    `No copy was made: it would free ${grouped(Math.max(0, tokens.before - tokens.after))} of ` +
    `${grouped(tokens.before)} tokens.`,
    ...(vain.is_cut_off ? [cutOffWords(vain.parent_session_id, vain.is_start_missing)] : []),
    ...(why === undefined ? [] : [why]),
    ...(vain.is_cut_off && !vain.is_start_missing
      ? []
      : [insteadText({ ...instead, percent: vain.percent.before })]),
  ].join("\n");
}

/** Says of a session whose first link is lost that what is sent is not what was counted. */
export function cutOffWords(sessionId: string, isStartMissing: boolean): string {
  if (isStartMissing) {
    return "The file begins in the middle of a conversation: what came before its first message is " +
      "not in it, is not sent on resume and cannot be reconnected, although the reported usage may " +
      "include it.";
  }
  return "The conversation is cut off: the parent of its first message is not in the file, so " +
    "earlier messages are not sent, although the reported usage includes them. " +
    `Reconnect it with: trimtab rescue ${sessionId.slice(0, 8)}`;
}

/** What stays because it is still being worked on; empty where nothing does. */
export function inUseWords({ newest, passages }: InUse): string {
  const parts = [
    ...(newest === 0 ? [] : [`${grouped(newest)} long outputs among the newest`]),
    ...(passages === 0 ? [] : [`passages of ${grouped(passages)} reads`]),
  ];
  return parts.length === 0 ? "" : `Kept because it is in use: ${parts.join(", ")}`;
}

function staying(
  { kept_recent_count: newest, worked_on_count: passages }: TrimSessionResult,
): string[] {
  // Without a choice by need nothing is told apart.
  return passages === 0 ? [] : [inUseWords({ newest, passages })];
}

/** Every cut with its reason, where that was asked for. */
function explanation({ explained = [] }: TrimSessionResult): string[] {
  return explained.map(({ line, tool, part, reason, chars_saved: chars }) =>
    `  line ${line}: ${tool}${part === "input" ? " input" : ""}, ${grouped(chars)} characters: ` +
    NEED_REASONS[reason]
  );
}

function otherCuts(result: TrimSessionResult): string[] {
  const { inputs, images, thinking, protected_count: kept, target } = result;
  const parts = [
    [inputs.count, "inputs of Write and Edit"],
    [images.count, "images and documents"],
    [thinking.count, "blocks of old thinking"],
  ] as const;
  const cut = parts.filter(([count]) => count > 0)
    .map(([count, name]) => `${grouped(count)} ${name}`);
  return [
    ...(cut.length === 0
      ? []
      : [`${result.dry_run ? "Would also cut" : "Also cut"}: ${cut.join(", ")}`]),
    ...(kept === 0 ? [] : [`Kept: ${grouped(kept)} about protected paths`]),
    ...(target === null || target.is_reached
      ? []
      : [`${target.percent}% cannot be reached: nothing more can be cut. Use /rollover`]),
  ];
}

/** How many outputs that the model gets are cut; the file can hold more, such as those of other branches. */
function sentCount(result: TrimSessionResult): number {
  return Object.values(result.context_by_tool).reduce((sum, { count }) => sum + count, 0);
}

function byTool(result: TrimSessionResult): string {
  const parts = mostFirst(result.context_by_tool).map(([name, tool]) => `${name} ${tool.count}`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** What each tool's results are in the context: whoever only looks may choose what to cut by it. */
function savedByTool(result: TrimSessionResult): string[] {
  return mostFirst(result.context_by_tool).map(([name, { chars_saved: chars }]) =>
    `  ${name}: ${grouped(chars)} characters of messages`
  );
}

function mostFirst(byTool: Record<string, ToolSavings>): [name: string, tool: ToolSavings][] {
  return Object.entries(byTool).sort(([, a], [, b]) => b.chars_saved - a.chars_saved);
}

function estimateNote(result: TrimSessionResult): string {
  const { source, spans } = result.estimate;
  const isKnown = result.tokens_source !== "estimate";
  return `${isKnown ? "estimate" : "both an estimate"}${
    source === "session"
      ? ` calibrated on ${spans} turns of this session`
      : "; too few turns to calibrate it"
  }`;
}

function whyNothing(result: AnyTrim): string | undefined {
  const { kept_recent_count: kept, inputs, images, thinking, other_tools: others } = result;
  if (result.trimmed_count + inputs.count + images.count + thinking.count > 0) return undefined;
  if (kept > 0) return nothingCut(result, onlyRecent(kept));
  return others.length > 0 ? nothingCut(result, otherTools(others)) : undefined;
}

function reasonsForLittle(result: AnyTrim): string[] {
  // Tokens, since the characters of a picture say nothing about what it costs.
  const { before, after } = result.tokens;
  // What serves better there has been said.
  if (result.is_cut_off && !result.is_start_missing) return [];
  if ((before - after) * 100 >= WORTHWHILE_PERCENT * before) return [];
  return [`That frees less than ${WORTHWHILE_PERCENT}%; /rollover would help more.`];
}

function nothingCut({ dry_run: isDry }: AnyTrim, why: string): string {
  return `Nothing ${isDry ? "would be" : "was"} cut: ${why}`;
}

function onlyRecent(kept: number): string {
  const [outputs, them] = kept === 1
    ? ["the only long output is", "it"]
    : [`the only ${grouped(kept)} long outputs are`, "them"];
  return `${outputs} among the newest, which are kept. Cut ${them} too with: --keep-recent 0`;
}

/** A name that is written otherwise is hard to see in an empty result. */
function otherTools(names: readonly string[]): string {
  const more = names.length - MAX_TOOLS_NAMED;
  const named = names.slice(0, MAX_TOOLS_NAMED).join(", ") +
    (more > 0 ? ` and ${grouped(more)} more` : "");
  return `this session never calls the tools to cut, only ${named}. Name others with: --tool`;
}

function share(before: number, after: number): number {
  return before === 0 ? 0 : Math.round(((before - after) * 100) / before);
}
