import { shortId } from "../core/marks.ts";
import type { NeedReason } from "../core/need.ts";
import { grouped, thousands } from "../inject/bound.ts";
import { alternativeText, isWorthwhile, WORTHWHILE_PERCENT } from "../gauge/advice.ts";
import {
  byToolText,
  freesLittleText,
  keptTexts,
  otherCutTexts,
  sizeChangeText,
  unreachedText,
  whyNothingWasCut,
} from "./trim_words.ts";
import { describeWorth, rolloverSavings } from "./worth.ts";
import type { SkippedTrim, TrimSessionResult } from "./trim_session.ts";
import type { BeforeAfter } from "./trim_transcript.ts";

type AnyTrim = Omit<TrimSessionResult, "session_id" | "output" | "resume_command">;

export function describeTrim(result: TrimSessionResult): string {
  const { context_chars: context, bytes, dry_run: isDry, torn_bytes: torn } = result;
  const { inputs, images, thinking, target, tokens } = result;
  const estimated = result.tokens_source === "estimate" ? "both are estimates" : "estimate";
  const saved = bytes.before - bytes.after;
  const tools = Object.entries(result.context_by_tool)
    .sort(([, a], [, b]) => b.chars_saved - a.chars_saved);
  const sent = tools.reduce((sum, [, { count }]) => sum + count, 0);
  const others = otherCutTexts({
    inputs: inputs.count,
    images: images.count,
    thinking: thinking.count,
  });
  return [
    // Programs may match the documented wording, so it is plural even for one output.
    `${isDry ? "Would trim" : "Trimmed"} ${grouped(sent)} tool outputs` +
    `${byToolText(tools.map(([name, { count }]) => [name, count]))}: ` +
    `${thousands(tokens.before)} -> ${thousands(tokens.after)} tokens`,
    ...(isDry
      ? tools.map(([name, { chars_saved: chars }]) =>
        `  ${name}: ${grouped(chars)} characters of messages`
      )
      : [
        `Resume here with: /resume ${result.session_id}`,
        `Resume with: ${result.resume_command}`,
      ]),
    `Context: ${sizeChangeText(result)} (${estimated})`,
    `Messages: ${grouped(context.before - context.after)} of ${grouped(context.before)} ` +
    `characters freed (${share(context)}%)`,
    cutOffLine(result),
    saved >= 0
      ? `${isDry ? "Would save" : "Saved"} ${grouped(saved)} bytes (${share(bytes)}%) of the file`
      : `The file ${isDry ? "would grow" : "grows"} by ${grouped(-saved)} bytes, because its new ` +
        "title and its origin are added",
    others.length > 0 && `${isDry ? "Would also cut" : "Also cut"}: ${others.join(", ")}`,
    target?.is_reached === false && unreachedText(target.percent),
    torn > 0 && `Dropped the last line: it was still being written (${grouped(torn)} bytes)`,
    ...keptTexts(keptCounts(result)),
    ...explanationLines(result),
    ...result.owned.notes,
    // Compares tokens, because the characters of a picture do not show its cost.
    !isWorthwhile(tokens) && !canReconnect(result) &&
    `This trim frees less than ${WORTHWHILE_PERCENT}%; /rollover ` +
      `${isRolloverBetter(result) ? "would" : "would not"} free more.`,
    isDry && describeWorth(result.worth),
  ].filter((line) => line !== false).join("\n");
}

export function describeCopy(result: TrimSessionResult | SkippedTrim): string {
  return result.output === null ? describeSkipped(result) : describeTrim(result);
}

function describeSkipped(skipped: SkippedTrim): string {
  const { tokens, instead, percent } = skipped;
  const otherwise = isRolloverBetter(skipped)
    ? undefined
    : "No command can free more: most of the context is not messages";
  return [
    `No copy was made: ${freesLittleText(tokens.before - tokens.after, tokens.before)}.`,
    cutOffLine(skipped),
    whyNothing(skipped),
    ...explanationLines(skipped),
    !canReconnect(skipped) && alternativeText({ ...instead, percent: percent.before, otherwise }),
  ].filter((line) => line !== false).join("\n");
}

function cutOffLine(result: AnyTrim): string | false {
  return result.is_cut_off && cutOffText(result.parent_session_id, result.is_start_missing);
}

function canReconnect(result: AnyTrim): boolean {
  return result.is_cut_off && !result.is_start_missing;
}

export function cutOffText(sessionId: string, isStartMissing: boolean): string {
  if (isStartMissing) {
    return "The file begins in the middle of a conversation: earlier messages are not in the " +
      "file, are not sent on resume and cannot be reconnected, although the reported usage may " +
      "include them.";
  }
  return "The conversation is cut off: the parent of its first message is not in the file, so " +
    "earlier messages are not sent, although the reported usage includes them. " +
    `Reconnect it with: trimtab rescue ${shortId(sessionId)}`;
}

const REASON_WORDS: Readonly<Record<NeedReason, string>> = {
  "read again": "the same lines were read again later",
  "written again": "the whole file was written again later",
  "replaced text": "no longer in the file",
  "confirmation": "only confirms the call",
  "old": "not used recently: a digest is kept",
  "worked on": "the passages about the current work are kept",
  "written text": "already in the file",
  "not used yet": "read for work that has not begun",
  "newest": "one of the newest",
};

function explanationLines({ explained = [] }: AnyTrim): string[] {
  return explained.map(({ line, tool, part, reason, chars_saved: chars }) =>
    `  line ${line}: ${tool}${part === "input" ? " input" : ""}, ${grouped(chars)} characters: ` +
    REASON_WORDS[reason]
  );
}

function keptCounts(result: AnyTrim): Parameters<typeof keptTexts>[0] {
  return {
    newest: result.kept_recent_count,
    passages: result.worked_on_count,
    unused: result.kept_unused_count,
    protectedCount: result.protected_count,
    otherTools: result.other_tools,
    namedTools: result.named_tools,
  };
}

function whyNothing(result: AnyTrim): string | false {
  const { kept_recent_count: newest, inputs, images, thinking } = result;
  if (result.trimmed_count + inputs.count + images.count + thinking.count > 0) return false;
  const why = whyNothingWasCut(keptCounts(result));
  const hint = newest === 0 ? "" : `. Cut the newest too with: --keep-recent 0`;
  return why !== undefined && `Nothing would be cut: ${why}${hint}`;
}

function isRolloverBetter(
  { message_tokens: messages, tokens: { before, after } }: AnyTrim,
): boolean {
  return rolloverSavings(messages) > before - after;
}

function share({ before, after }: BeforeAfter): number {
  return before === 0 ? 0 : Math.round(((before - after) * 100) / before);
}
