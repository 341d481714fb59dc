/** A refusal or correction by the user, with the words for it. */

import { asString, jsonText } from "../../transcript/entry.ts";
import { excerptLine } from "../excerpt.ts";
import { cutEnds, heldEnds } from "../ends.ts";
import { refusalWords } from "../own_words.ts";
import type { FinishedCall, Origin, Said } from "../work_state.ts";

/** The most refusals and corrections; the newest stay. */
const MAX_ITEMS = 12;

/** The most UTF-16 code units of what was refused, and of the words for it. */
const MAX_ABOUT_CHARS = 140;
const MAX_WORDS_CHARS = 260;

/** Longer prompts are tasks, whatever words they hold, in UTF-16 code units. */
const MAX_CORRECTION_CHARS = 1_500;

const REFUSED = "The user doesn't want to";

/** Beginnings of messages in which people say that something is not as they want it. */
const OBJECTION =
  /^(?:no\b(?! (?:problem|worries))|nope|don'?t|do not|stop|wait|actually|instead|never|not |why (?:did|are|do) you|that'?s (?:not|wrong)|you (?:should|forgot|missed)|i (?:don'?t|meant|said|want|prefer)|please don)/i;

const DEMAND =
  /\b(?:instead of|rather than|must not|make sure|should(?:n'?t| not)|don'?t (?:use|want|like|need|add|change|do|commit|push|touch)|do not|never)\b/i;

export class RefusalCollector {
  #items: Said[] = [];

  prompt(text: string, from: Origin): void {
    if (text.length > MAX_CORRECTION_CHARS) return;
    if (!OBJECTION.test(text) && !DEMAND.test(text)) return;
    // The words that came with a refusal stand with it.
    const known = this.#items.at(-1)?.from;
    if (known !== undefined && isSame(known, from)) return;
    this.#add({ text: `"${lineOf(text)}"`, from });
  }

  call(call: FinishedCall): void {
    if (!call.isError || !call.result.startsWith(REFUSED)) return;
    const words = refusalWords(call.result);
    const { input } = call;
    const about = asString(input.file_path) ?? asString(input.command) ?? asString(input.plan) ??
      asString(input.description) ?? jsonText(input);
    const tool = excerptLine(call.name, 60);
    // Without a word it may be an Esc in the middle of a call as well as a "No".
    const verb = words === "" ? "stopped" : "refused";
    const what = `${verb} ${tool} ${excerptLine(about, MAX_ABOUT_CHARS)}`.trim();
    this.#add({ text: words === "" ? what : `${what}: "${lineOf(words)}"`, from: call.from });
  }

  /** Ends the collection: newest first. */
  finish(): Said[] {
    return this.#items.toReversed();
  }

  #add(item: Said): void {
    this.#items.push(item);
    if (this.#items.length > MAX_ITEMS) this.#items.shift();
  }
}

function lineOf(text: string): string {
  return cutEnds(excerptLine(heldEnds(text), Infinity), MAX_WORDS_CHARS);
}

function isSame(a: Origin, b: Origin): boolean {
  return a.uuid !== null ? a.uuid === b.uuid : a.line !== null && a.line === b.line;
}
