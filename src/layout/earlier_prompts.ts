/** Renders the part with the earlier requests, and picks those that fit. */

import { isRule } from "../extract/requirements.ts";
import { NO_ORIGIN } from "./lines.ts";
import { GAP_CHARS, MIN_LINE_CHARS, sizeOfLines, withGaps } from "../inject/fit_lines.ts";
import type { Fit, PartOptions, Work } from "./part.ts";
import { ownWords, promptText } from "./prompt_text.ts";
import { currentRequests, refusalWith } from "./requests.ts";
import type { Said } from "../core/work_state.ts";

export const LAST_PROMPT_LIMITS = { count: 2, maxChars: 1_300 };
const LATER_PROMPT_LIMITS = { count: 4, maxChars: 620 };
export const FIRST_PROMPT_CHARS = 900;
const OTHER_PROMPT_CHARS = 360;

const MAX_RULES = 3;
const NO_PROMPT: Said = { text: "", from: NO_ORIGIN };

const BRIEF_PROMPT_FACTOR = 3 / 4;

const EARLIER = "(earlier requests, oldest first; the newest is above)";

export function taskPart(work: Work, options: PartOptions): Fit {
  const { shown, isBrief, isRecord, hasNow } = options;
  const asked = hasNow ? currentRequests(work) : [];
  const prompts = work.requirements.filter(({ text }) => !asked.some((one) => one.text === text));
  for (const { text } of prompts) shown.remember(text);
  const isFirstMarked = work.requirements.length > 1;
  const refused = work.trail?.refused;
  const lineOf = (at: number, maxChars: number): string => {
    const prompt = prompts[at] ?? NO_PROMPT;
    const { occasion, stoppedCall } = refusalWith(prompt, refused);
    const text = promptText(prompt, maxChars, isRecord) + occasion + stoppedCall;
    const isFirst = isFirstMarked && prompts[at] === work.requirements[0];
    return shown.item(isFirst ? `(first) ${text}` : text);
  };
  const head = hasNow && prompts.length > 0 ? [EARLIER] : [];
  const linesOf = (kept: ReadonlyMap<number, string>): string[] =>
    kept.size === 0 ? [] : [...head, ...withGaps(kept, prompts.length, !isRecord)];
  const whole = linesOf(new Map(prompts.map((_, at) => [at, lineOf(at, Infinity)])));
  return (room) => {
    if (!isBrief && sizeOfLines(whole) <= room) return { lines: whole, omitted: 0 };
    const factor = isBrief ? BRIEF_PROMPT_FACTOR : 1;
    const kept = newestPrompts(prompts, room - sizeOfLines(head), factor, lineOf);
    return { lines: linesOf(kept), omitted: prompts.length - kept.size };
  };
}

/**
 * Picks the prompts that fit, in this order: the newest two, the first, rules, a few before the newest two,
 * other prompts, and commands.
 */
function newestPrompts(
  prompts: readonly Said[],
  room: number,
  factor: number,
  lineOf: (at: number, maxChars: number) => string,
): ReadonlyMap<number, string> {
  const count = prompts.length;
  const kept = new Map<number, string>();
  const left = (): number => room - GAP_CHARS - sizeOfLines(withGaps(kept, count, true));
  const take = (at: number, maxChars: number): void => {
    if (kept.has(at) || at < 0 || at >= count) return;
    const line = lineOf(at, Math.min(maxChars, Math.max(MIN_LINE_CHARS, left())));
    if (line.length + 1 <= left()) kept.set(at, line);
  };
  const last = count - 1;
  // If there are only a few prompts, they share all of the room.
  const lastChars = count <= LAST_PROMPT_LIMITS.count
    ? Math.max(LAST_PROMPT_LIMITS.maxChars, Math.floor(room / count))
    : LAST_PROMPT_LIMITS.maxChars;
  for (let at = last; at > last - LAST_PROMPT_LIMITS.count; at--) take(at, lastChars);
  take(0, Math.min(FIRST_PROMPT_CHARS, Math.max(300, left() * 0.6)));
  const others = [...prompts.keys()].slice(1, -LAST_PROMPT_LIMITS.count).reverse();
  const later = others.slice(0, LATER_PROMPT_LIMITS.count);
  const textOf = (at: number): string => prompts[at]?.text ?? "";
  const rules = others.filter((at) => isRule(ownWords(textOf(at)))).slice(0, MAX_RULES);
  const own = others.filter((at) => !textOf(at).startsWith("/"));
  for (const at of [...rules, ...later, ...own, ...others]) {
    const maxChars = later.includes(at) ? LATER_PROMPT_LIMITS.maxChars : OTHER_PROMPT_CHARS;
    take(at, maxChars * factor);
  }
  return kept;
}
