/** Collects a session's last answers and summaries, and how often it used tools and files. */

import { namesIn } from "../core/names.ts";
import { pushNewest, setNewest } from "../core/newest.ts";
import { asString } from "../transcript/entry.ts";
import { withoutCode } from "../inject/code_blocks.ts";
import { cutEnds, cutText, excerptEnds, longestEnds, PRAISE } from "../inject/ends.ts";
import { editedFile } from "../inject/edits.ts";
import { excerpt, excerptLine } from "../inject/excerpt.ts";
import { commandOf, outcomeOf, passedChecks } from "../inject/outcome.ts";
import { patchOf } from "../inject/patches.ts";
import { isAnnouncement } from "../inject/step_words.ts";
import {
  CONCESSION,
  isWithdrawal,
  MAX_ADMISSION_CHARS,
  OVERRULED,
} from "../decisions/corrections.ts";
import { readProse, sentencesIn, withoutBlocks } from "../inject/prose.ts";
import { itemsSince, listSummaryItems } from "./summed_up.ts";
import type { Collector, Count, FinishedCall, Origin, Progress, Said } from "../core/work_state.ts";

const MAX_RECENT_TEXTS = 3;
const MAX_RECENT_CHARS = 800;
const MAX_ANSWERS = 6;
const MAX_ANSWER_CHARS = 2_800;
const MAX_REPLY_CHARS = 80;

const MIN_ANSWER_CHARS = 160;

const REPLY = ' (the user replied: "';

const CONCEDED = '; the assistant replied: "';

/**
 * Must be less than `SAID_KEY_CHARS` in the layout. If the quote were longer, the message would count as
 * shown, and the last steps would omit it.
 */
const MAX_CONCEDED_CHARS = 100;

const MIN_CUT_CHARS = 240;

/** A longer answer is shortened to `OLDER_ENDS_CHARS` once a newer one follows. */
const MAX_OLDER_CHARS = 600;
const OLDER_ENDS_CHARS = 420;
const MAX_COUNTS = 20;
const MAX_NAMES = 10_000;
const MAX_NAME_CHARS = 300;
const MAX_SUMMARIES = 20;

export class ProgressCollector implements Collector {
  readonly #recent: Said[] = [];
  readonly #tools = new Map<string, number>();
  readonly #files = new Map<string, number>();
  readonly #summaries: Origin[] = [];
  readonly #answers: Said[] = [];
  #summedUp: Progress["summed_up"];
  readonly #passed = new Map<string, true>();
  readonly #named = new Map<string, true>();
  #lastPrompt = "";
  /** Whether the newest prompt replied to the newest answer, which the assistant has not corrected since. */
  #isRepliedTo = false;
  /** Whether the assistant has said more than an announcement since the newest prompt. */
  #hasSpoken = false;
  /** The assistant's last message, until a call or a prompt follows. */
  #last: Said | undefined;

  prompt(text: string): void {
    const last = this.#last;
    this.#last = undefined;
    this.#isRepliedTo = false;
    this.#hasSpoken = false;
    this.#lastPrompt = text.slice(0, MAX_ANSWER_CHARS);
    const summary = this.#summedUp;
    if (summary !== undefined) {
      this.#summedUp = { ...summary, requests_since: summary.requests_since + 1 };
    }
    // A message that ends in a colon was interrupted, so it is not an answer.
    if (last === undefined || last.text.length < MIN_ANSWER_CHARS || /:\s*$/.test(last.text)) {
      return;
    }
    const answer = excerptEnds(withoutBlocks(last.text), MAX_ANSWER_CHARS);
    const answered = `${answer}${REPLY}${excerptLine(text, MAX_REPLY_CHARS)}")`;
    pushNewest(this.#answers, { text: answered, from: last.from }, MAX_ANSWERS);
    this.#isRepliedTo = true;
  }

  said(text: string, from: Origin): void {
    if (this.#isRepliedTo) this.#correct(text);
    this.#hasSpoken ||= !isAnnouncement(text);
    this.#last = { text: longestEnds(text), from };
    pushNewest(this.#recent, { text, from }, MAX_RECENT_TEXTS);
  }

  /** Drops a withdrawn answer. Appends the assistant's words to an answer that it corrects. */
  #correct(text: string): void {
    // A later "You're right" answers a message that the user sent in the meantime.
    const isWithdrawn = !this.#hasSpoken && isWithdrawal(text, this.#lastPrompt);
    const isOverruled = OVERRULED.test(text.slice(0, MAX_ADMISSION_CHARS));
    const isConceded = isOverruled || (!this.#hasSpoken && CONCESSION.test(text));
    if (!isWithdrawn && !isConceded) return;
    this.#isRepliedTo = false;
    const answer = this.#answers.pop();
    if (isWithdrawn || answer === undefined) return;
    const lines = readProse(text);
    const end = lines.findIndex(({ kind }) => kind !== "text");
    const conceded = sentencesIn(lines.slice(0, end < 0 ? undefined : end))
      .filter((one) => !isAnnouncement(one) && (isOverruled || !one.endsWith(":")));
    const words = excerptLine(conceded.join(" ").replace(/:$/, ""), MAX_CONCEDED_CHARS);
    this.#answers.push({ ...answer, text: `${answer.text.slice(0, -1)}${CONCEDED}${words}")` });
  }

  call(call: FinishedCall): void {
    this.#last = undefined;
    increment(this.#tools, call.name);
    if (this.#summedUp !== undefined) this.#addSinceSummary(call);
    const file = call.name === "Read" && !call.isError ? asString(call.input.file_path) : undefined;
    if (file !== undefined) increment(this.#files, file);
  }

  summary(from: Origin, text: string): void {
    pushNewest(this.#summaries, from, MAX_SUMMARIES);
    const items = listSummaryItems(text);
    this.#summedUp = items.length === 0 ? undefined : { items, requests_since: 0, from };
    this.#passed.clear();
    this.#named.clear();
  }

  #addSinceSummary(call: FinishedCall): void {
    const command = commandOf(call);
    for (const { head } of command === "" ? [] : passedChecks(outcomeOf(command, call))) {
      setNewest(this.#passed, head, true, MAX_NAMES);
    }
    if (call.isError || editedFile(call) === undefined) return;
    const { added, removed } = patchOf(call);
    for (const name of namesIn([...added, ...removed].join("\n"))) {
      setNewest(this.#named, name, true, MAX_NAMES);
    }
  }

  #summary(): Progress["summed_up"] {
    if (this.#summedUp === undefined) return undefined;
    const items = itemsSince(this.#summedUp.items, {
      passed: new Set(this.#passed.keys()),
      named: new Set(this.#named.keys()),
      requests: this.#summedUp.requests_since,
    });
    return items.length === 0 ? undefined : { ...this.#summedUp, items };
  }

  finish(): Progress {
    const summary = this.#summary();
    return {
      recent: this.#recent.map(({ text, from }) => ({
        text: excerpt(text, MAX_RECENT_CHARS),
        from,
      })),
      answers: [...this.#answers],
      tools: mostUsed(this.#tools),
      files_read: mostUsed(this.#files),
      summaries: [...this.#summaries],
      ...(summary === undefined ? {} : { summed_up: summary }),
    };
  }
}

/** Returns the newest answer if `reply` contains the stored reply to that answer. */
export function answerTo({ answers = [] }: Progress, reply: string): string | undefined {
  const [answer, rest] = splitReply(answers.at(-1)?.text ?? "");
  const [said = ""] = rest.slice(REPLY.length).split(`"${CONCEDED}`, 1);
  const stored = said.replace(/…?(?:"\))?$/, "");
  return stored !== "" && reply.includes(stored) ? answer : undefined;
}

/** @param isOlder Whether later work may have settled or replaced the answer. Only its ends are then kept. */
export function cutAnswer(text: string, maxChars: number, isOlder = false): string {
  const [answer, reply] = splitReply(text);
  const room = Math.max(MIN_CUT_CHARS, maxChars - reply.length);
  const short = isOlder && answer.length > MAX_OLDER_CHARS
    ? cutEnds(withoutCode(answer.replaceAll(PRAISE, "")), Math.min(room, OLDER_ENDS_CHARS), 1 / 2)
    : cutText(answer, room);
  return excerptLine(short + reply, Infinity);
}

function splitReply(text: string): [answer: string, reply: string] {
  const at = text.lastIndexOf(REPLY);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}

function increment(counts: Map<string, number>, name: string): void {
  const known = counts.get(name);
  if (known === undefined && counts.size >= MAX_NAMES) return;
  counts.set(name, (known ?? 0) + 1);
}

function mostUsed(counts: ReadonlyMap<string, number>): Count[] {
  // The sort is stable, so equal counts keep the order of first use.
  return [...counts].sort(([, a], [, b]) => b - a).slice(0, MAX_COUNTS)
    .map(([name, count]) => ({ name: excerptLine(name, MAX_NAME_CHARS), count }));
}
