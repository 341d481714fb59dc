/** Reads decisions from the client's dialogs: answered questions and approved plans. */

import { isObject } from "../core/record.ts";
import { redactSecrets } from "../secrets/redact.ts";
import { asString } from "../transcript/entry.ts";
import { plainText, sentencesOf } from "../inject/prose.ts";
import { DECISION_CUES } from "./cues.ts";
import type { Draft } from "./draft.ts";
import type { FinishedCall } from "../core/work_state.ts";

const MAX_QUESTIONS = 8;
const MAX_OPTIONS = 12;

export function readAnswers(call: FinishedCall): Draft[] {
  if (call.isError) return [];
  const mirror = isObject(call.mirror) ? call.mirror : {};
  const answers = isObject(mirror.answers) ? mirror.answers : {};
  const asked = Array.isArray(call.input.questions) ? call.input.questions : mirror.questions;
  if (!Array.isArray(asked)) return [];
  return asked.slice(0, MAX_QUESTIONS).flatMap((item) => {
    const question = isObject(item) ? asString(item.question) : undefined;
    if (!isObject(item) || question === undefined || question === "") return [];
    const own = Object.hasOwn(answers, question) ? answers[question] : undefined;
    const answer = withoutQuestions(asString(own) || answerIn(call.result, question));
    return answer === "" ? [] : [answerOf(question, answer, item.options)];
  });
}

/** An answer that asks a question is a decision only if it contains at least this many other words. */
const MIN_DECIDED_WORDS = 6;

/** Matches the start of a question, which a user may write without a question mark. */
const ASKING =
  /^(?:what|who|where|when|why|how|which|is|are|do|does|did|can|could|should|would)\b/i;

/** Removes the user's own questions from an answer; returns an empty text if little else remains. */
function withoutQuestions(answer: string): string {
  const words = answer.trim();
  if (!words.endsWith("?") && !/^[^.!]*\?\s/.test(words.replaceAll("...", " "))) return words;
  const stated = words.split("\n").flatMap(sentencesOf)
    .filter((one) => !one.endsWith("?") && !ASKING.test(one)).join(" ");
  return stated.split(" ").length < MIN_DECIDED_WORDS ? "" : stated;
}

function answerOf(question: string, answer: string, options: unknown): Draft {
  const known = (Array.isArray(options) ? options.slice(0, MAX_OPTIONS) : []).filter(isObject)
    .map(({ label, description }) => ({
      label: asString(label),
      description: asString(description),
    }))
    .filter(({ label = "" }) => label !== "");
  const padded = `, ${answer}, `;
  const taken = known.filter(({ label }) => padded.includes(`, ${label}, `));
  return {
    decision: `${answer} (asked: ${question})`,
    rationale: taken.map(({ description }) => description).filter(Boolean).join("; "),
    // An answer in the user's own words can combine options, so no option counts as rejected.
    alternatives: taken.length === 0
      ? []
      : known.filter((option) => !taken.includes(option)).map(({ label = "" }) => label),
    kind: "answer",
  };
}

/** Reads an answer from the text of the result, where older clients write `"Which?"="This one".` */
function answerIn(result: string, question: string): string {
  const start = `"${question}"="`;
  const at = result.indexOf(start);
  const rest = at < 0 ? "" : result.slice(at + start.length).slice(0, 2_000);
  return /^([^]*?)"(?=[,.]?(?:\s|$))/.exec(rest)?.[1] ?? "";
}

export interface ApprovedPlan {
  readonly title: string;
  readonly text: string;
}

export function readApprovedPlan(call: FinishedCall): ApprovedPlan | undefined {
  if (call.isError) return undefined;
  const mirror = isObject(call.mirror) ? call.mirror : {};
  const text = (asString(mirror.plan) || asString(call.input.plan) || "").trim();
  return text === "" ? undefined : planOf(redactSecrets(text));
}

export function planToImplement(prompt: string): string {
  const text = prompt.trimStart();
  return DECISION_CUES.handedPlan.test(text)
    ? text.replace(DECISION_CUES.handedPlan, "").trim()
    : "";
}

export function planOf(text: string): ApprovedPlan {
  const first = text.split("\n", 50).find((line) => line.trim() !== "") ?? "";
  const title = plainText(first.slice(0, 300).replace(/^#{1,6}\s+/, ""))
    .replace(/^(?:implementation )?plan\s*:\s*/i, "");
  return { title, text };
}
