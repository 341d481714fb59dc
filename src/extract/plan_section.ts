/** Finds the section of a plan that describes the current step. */

import { excerptEnds } from "../inject/ends.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { wordsOf } from "../inject/word_set.ts";
import { openStep } from "./todos.ts";
import type { NextStep, Said } from "../core/work_state.ts";

const MAX_SECTION_CHARS = 1_000;

const MIN_SHARE = 0.6;
const MIN_WORDS = 2;

/** A request counts as containing a section if it contains this many of the section's last characters. */
const KEY_CHARS = 60;

/** Matches the check commands that are added to a step. */
const COMMANDS = / \(`[^]*`\)$/;

const SECTION = /^(?=#{1,6} |\*\*(?:step|task|phase|part) \d)/im;

/**
 * Returns the section for the step that {@linkcode openStep} returns. Returns an empty string if that step has
 * too few words, no heading matches, or the requests contain the section.
 */
export function sectionForStep(
  plan: string,
  steps: readonly NextStep[],
  requests: readonly Said[],
): string {
  const words = wordsOf(openStep(steps)?.step.replace(COMMANDS, "") ?? "");
  if (words.size < MIN_WORDS) return "";
  const parts = plan.split(SECTION);
  const shares = parts.map((part) =>
    words.intersection(wordsOf(part.split("\n", 1)[0] ?? "")).size / words.size
  );
  const share = Math.max(...shares);
  const at = shares.indexOf(share);
  if (share < MIN_SHARE) return "";
  const level = levelOf(parts[at]);
  const below = parts.slice(at + 1);
  const end = below.findIndex((part) => levelOf(part) <= level);
  const section = [parts[at] ?? "", ...end < 0 ? below : below.slice(0, end)].join("").trim();
  const key = section.slice(-KEY_CHARS);
  if (requests.some(({ text }) => text.includes(key))) return "";
  return excerptLine(excerptEnds(section, MAX_SECTION_CHARS), Infinity);
}

/** A numbered step in bold is treated as a heading of the lowest level. */
function levelOf(part = ""): number {
  return /^#*/.exec(part)?.[0].length || 6;
}
