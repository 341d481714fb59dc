/**
 * Says in words what a trim did.
 *
 * @module
 */

import { describeWorth } from "./worth.ts";
import type { TrimSessionResult } from "./trim_session.ts";

/** Under this share of the context freed, in percent, a rollover serves better. */
export const WORTHWHILE_PERCENT = 10;

/**
 * Describes a trim for a person.
 *
 * @param result What was done, or would be.
 * @returns Lines of text, without colours.
 */
export function describeTrim(result: TrimSessionResult): string {
  const { context_chars: context, bytes, dry_run: isDry } = result;
  const lines: string[] = [];
  const count = result.trimmed_count;
  lines.push(
    `${isDry ? "Would trim" : "Trimmed"} ${grouped(count)} tool output${count === 1 ? "" : "s"}` +
      `${byTool(result)}`,
  );
  const freed = share(context.before, context.after);
  lines.push(
    `Context: ${grouped(result.tokens.before)} -> ${grouped(result.tokens.after)} tokens, ` +
      `${result.percent.before}% -> ${result.percent.after}% of ${grouped(result.window)} ` +
      `(${estimateNote(result)})`,
    `Messages: ${grouped(context.before - context.after)} of ${grouped(context.before)} ` +
      `characters freed (${freed}%)`,
  );
  const saved = bytes.before - bytes.after;
  lines.push(
    saved >= 0
      ? `Saved ${grouped(saved)} bytes (${share(bytes.before, bytes.after)}%) of the file`
      : `The file grows by ${grouped(-saved)} bytes: its new title and where it came from`,
  );
  lines.push(...otherCuts(result));
  if (result.torn_bytes > 0) {
    lines.push(
      `Left out the last line: it was still being written (${grouped(result.torn_bytes)} bytes)`,
    );
  }
  lines.push(...result.owned.notes, ...advice(result, freed));
  if (isDry) {
    lines.push(describeWorth(result.worth));
  } else {
    lines.push(
      `Resume here with: /resume ${result.session_id}`,
      `Resume with: ${result.resume_command}`,
    );
  }
  return lines.join("\n");
}

/** What a deep trim cut besides results. */
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
    ...(cut.length === 0 ? [] : [`Also cut: ${cut.join(", ")}`]),
    ...(kept === 0 ? [] : [`Left whole: ${grouped(kept)} about protected paths`]),
    ...(target === null || target.is_reached
      ? []
      : [`${target.percent}% cannot be reached: this is all that may be cut`]),
  ];
}

function byTool(result: TrimSessionResult): string {
  const parts = Object.entries(result.by_tool)
    .sort(([, a], [, b]) => b.chars_saved - a.chars_saved)
    .map(([name, tool]) => `${name} ${tool.count}`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function estimateNote(result: TrimSessionResult): string {
  const { source, spans } = result.estimate;
  const after = source === "session"
    ? `estimate calibrated on ${spans} turns of this session`
    : "estimate; too few turns to calibrate it";
  return result.tokens_source === "api" ? after : `both an estimate; ${after}`;
}

function advice(result: TrimSessionResult, freed: number): string[] {
  const kept = result.kept_recent_count;
  if (result.trimmed_count === 0 && kept > 0) {
    return [
      `Nothing was cut: the only long outputs are among the newest ${kept}, which stay whole. ` +
      "Cut them too with: --keep-recent 0",
    ];
  }
  if (freed >= WORTHWHILE_PERCENT) return [];
  return [`That frees less than ${WORTHWHILE_PERCENT}%: /rollover would serve better.`];
}

function share(before: number, after: number): number {
  return before === 0 ? 0 : Math.round(((before - after) * 100) / before);
}

function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
