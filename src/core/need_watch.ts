/** Decides which part of each result is kept. Takes the blocks from the oldest to the newest. */

import { lastPart } from "./last_part.ts";
import { isObject } from "./record.ts";
import { digestOf } from "./digest.ts";
import { isLonger } from "./chars.ts";
import { readNotice } from "./marks.ts";
import { eachName, namesIn } from "./names.ts";
import { pushNewest } from "./newest.ts";
import { AGENT_HANDLE, AGENT_TOOLS, WRITERS } from "./tools.ts";
import {
  type DigestSizes,
  FOCUS_READS,
  isWorthCutting,
  type NeedReason,
  type NeedRules,
} from "./need.ts";

interface NeedCall {
  readonly id: string;
  readonly toolName: string;
  readonly input: unknown;
}

interface NeedResult {
  readonly id: string;
  readonly texts: readonly string[];
  readonly isError: boolean;
  readonly isFree: boolean;
}

export interface NeedDecision {
  readonly id: string;
  /** The remaining part of each text block, without a notice; `undefined` for a block that is kept whole. */
  readonly kept: readonly (string | undefined)[];
  readonly reason: NeedReason;
}

export interface InputDecision {
  readonly id: string;
  /** Names of arguments; for `MultiEdit`, of the arguments of each edit. */
  readonly texts: readonly string[];
  readonly reason: NeedReason;
}

interface NeedWatchOptions {
  readonly rules: NeedRules;
  readonly keepRecent: number;
  /** Longest text that is kept whole, in characters. */
  readonly threshold: number;
  /** Factor for the sizes of digests. @default {1} */
  readonly scale?: number;
  readonly noticeChars: number;
  /** Returns the number of UTF-16 code units to keep: all of them if the text was cut before. */
  readonly fixedUnits: (text: string, call: NeedCall) => number;
  /** Called with each decision, in any order. */
  readonly decide: (decision: NeedDecision) => void;
  readonly decideInput: (decision: InputDecision) => void;
}

/**
 * Maximum number of characters that wait for a decision. Beyond this, the oldest reads are digested without
 * passages.
 */
const MAX_HELD_CHARS = 16 * 1024 * 1024;

/** Names remembered as listed. Beyond this, a name can be listed again. */
const MAX_LISTED = 200_000;

const MAX_RANGES = 64;

/** Keeps only the start of the first line, for text that was read again or only confirms a call. */
const POINTER: DigestSizes = { head: 60, definitions: 0, names: 0 };

/** In characters. A shorter confirmation is not worth a notice. */
const MIN_CONFIRMATION = 250;

/** `content` is a string, or the arguments of a call. */
interface RecentBlock {
  readonly content: unknown;
  readonly isRead: boolean;
  readonly block: number;
}

interface Writing {
  readonly id: string;
  readonly isWhole: boolean;
  readonly path: string;
  readonly block: number;
}

/** Tools whose results quote files. In these, a line that names an error is code. */
const QUOTING_TOOLS: ReadonlySet<string> = new Set(["Read", "Grep", "Glob"]);

interface ReadPlace {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  readonly number: number;
  readonly block: number;
}

interface HeldResult extends NeedResult {
  readonly toolName: string;
  readonly input: unknown;
  readonly place: ReadPlace | undefined;
}

interface Shortening {
  readonly sizes: DigestSizes;
  /** Longest text that is kept whole, in characters. @default {the threshold} */
  readonly minChars?: number;
  readonly tail?: number;
  readonly trouble?: number;
  readonly focus?:
    | { readonly wanted: ReadonlyMap<string, number>; readonly lines: number }
    | undefined;
  readonly onWanted?: () => void;
}

export class NeedWatch {
  readonly #options: NeedWatchOptions;
  readonly #calls = new Map<string, NeedCall & { place: ReadPlace | undefined }>();
  readonly #recent: RecentBlock[] = [];
  readonly #newest: HeldResult[] = [];
  readonly #reads: HeldResult[] = [];
  readonly #listed = new Set<string>();
  readonly #ranges = new Map<string, ReadPlace[]>();
  readonly #writings: Writing[] = [];
  #blocks = 0;
  #readCount = 0;
  #resultChars = 0;
  #heldChars = 0;

  constructor(options: NeedWatchOptions) {
    this.#options = options;
  }

  addText(text: string): void {
    this.#addRecent(text, false);
  }

  #addRecent(content: unknown, isRead: boolean): void {
    const { focusItems, unused } = this.#options.rules;
    const added = { content, isRead, block: ++this.#blocks };
    pushNewest(this.#recent, added, Math.max(focusItems, unused.blocks));
  }

  addCall({ id, toolName, input }: NeedCall): void {
    this.#addRecent(input, toolName === "Read");
    this.#calls.set(id, { id, toolName, input, place: this.#placeOf(toolName, input) });
    if (!WRITERS.has(toolName) || !isObject(input)) return;
    const path = String(input["file_path"] ?? input["notebook_path"]);
    this.#writings.push({ id, path, isWhole: toolName === "Write", block: this.#blocks });
  }

  addResult(result: NeedResult): void {
    this.#blocks++;
    const call = this.#calls.get(result.id);
    this.#calls.delete(result.id);
    const { toolName = "", input, place } = call ?? {};
    const chars = charsOf(result);
    this.#newest.push({ ...result, toolName, input, place });
    this.#heldChars += chars;
    this.#resultChars += wholeCharsOf(result);
    if (place !== undefined && !result.isError) this.#addRange(place);
    if (this.#newest.length > this.#options.keepRecent) this.#leaveNewest(this.#newest.shift());
    while (this.#heldChars > MAX_HELD_CHARS && this.#reads.length > 0) this.#releaseOldestRead();
  }

  finish(): void {
    const wanted = this.#wantedNames();
    const unused = this.#unusedReads();
    const newestReads = this.#newest.filter(({ toolName }) => toolName === "Read").length;
    for (const [index, held] of this.#reads.entries()) {
      if (unused.has(held)) {
        this.#keepWhole(held, "not used yet");
        continue;
      }
      const age = newestReads + this.#reads.length - 1 - index;
      const nearLines = this.#options.rules.passages.find(({ reads }) => age < reads)?.lines;
      this.#digest(held, nearLines === undefined ? undefined : { wanted, lines: nearLines });
    }
    for (const result of this.#newest) this.#keepWhole(result, "newest");
    this.#reads.length = this.#newest.length = 0;
    this.#finishInputs();
  }

  #keepWhole({ id, texts }: HeldResult, reason: NeedReason): void {
    this.#options.decide({ id, kept: texts.map(() => undefined), reason });
  }

  /** Returns the newest reads for work that has not begun, up to their share of all characters. */
  #unusedReads(): Set<HeldResult> {
    const unused = new Set<HeldResult>();
    let remaining = this.#options.rules.unused.share * this.#resultChars;
    for (const held of this.#reads.toReversed()) {
      const chars = wholeCharsOf(held);
      if (chars > remaining || !this.#isUnused(held.place)) continue;
      unused.add(held);
      remaining -= chars;
    }
    return unused;
  }

  #isUnused(place: ReadPlace | undefined): boolean {
    if (place === undefined || this.#isReadAgain(place)) return false;
    if (this.#blocks - place.block > this.#options.rules.unused.blocks) return false;
    const name = lastPart(place.path);
    return !this.#recent.some(({ content, isRead, block }) =>
      block > place.block && !isRead && stringsOf(content).some((text) => text.includes(name))
    );
  }

  #finishInputs(): void {
    const { decideInput, rules } = this.#options;
    const { oldTextAge, newTextAge, wholeTextAge } = rules;
    const rewritten = new Set<string>();
    for (const { id, path, isWhole, block } of this.#writings.reverse()) {
      const age = this.#blocks - block;
      if (isWhole) {
        const texts = ["content"];
        if (rewritten.has(path)) decideInput({ id, texts, reason: "written again" });
        else if (age > wholeTextAge) decideInput({ id, texts, reason: "written text" });
        rewritten.add(path);
      } else if (age > newTextAge && this.#wasReadSince(path, block)) {
        decideInput({ id, texts: ["old_string", "new_string"], reason: "written text" });
      } else if (age > oldTextAge) {
        decideInput({ id, texts: ["old_string"], reason: "replaced text" });
      }
    }
    this.#writings.length = 0;
  }

  /** Moves a result out of the newest ones. */
  #leaveNewest(held: HeldResult | undefined): void {
    if (held === undefined) return;
    if (held.toolName !== "Read") {
      this.#heldChars -= charsOf(held);
      this.#digest(held, undefined);
      return;
    }
    this.#reads.push(held);
    if (this.#reads.length > FOCUS_READS) this.#releaseOldestRead();
  }

  #releaseOldestRead(): void {
    const held = this.#reads.shift();
    if (held === undefined) return;
    this.#heldChars -= charsOf(held);
    this.#digest(held, undefined);
  }

  #digest(
    held: HeldResult,
    focus: { wanted: ReadonlyMap<string, number>; lines: number } | undefined,
  ): void {
    if (!held.isFree) return;
    const { decide } = this.#options;
    const { id, texts } = held;
    const shortenToStart = (text: string, minChars = 0): string | undefined =>
      this.#shorten(text, held, { sizes: POINTER, minChars });
    if (WRITERS.has(held.toolName)) {
      const kept = texts.map((text) => shortenToStart(text, MIN_CONFIRMATION));
      decide({ id, kept, reason: "confirmation" });
    } else if (this.#isReadAgain(held.place)) {
      decide({ id, kept: texts.map((text) => shortenToStart(text)), reason: "read again" });
    } else {
      const { rules, scale = 1 } = this.#options;
      const isRead = held.toolName === "Read";
      const kind = isRead ? "read" : AGENT_TOOLS.has(held.toolName) ? "report" : "other";
      const sizes = scaled(rules[kind], scale);
      const tail = isRead ? 0 : rules.tail * scale;
      const trouble = QUOTING_TOOLS.has(held.toolName) ? 0 : rules.trouble * scale;
      let reason: NeedReason = "old";
      const onWanted = (): void => void (reason = "worked on");
      const shortening = { sizes, tail, trouble, focus, onWanted };
      const kept = texts.map((text) => this.#shorten(text, held, shortening));
      decide({ id, kept, reason });
    }
  }

  #shorten(text: string, call: NeedCall, shortening: Shortening): string | undefined {
    const { threshold, noticeChars, fixedUnits } = this.#options;
    const { sizes, minChars = 0, tail = 0, trouble = 0, focus } = shortening;
    // A raised threshold also applies to confirmations.
    const shortest = minChars === 0 || (this.#options.scale ?? 1) > 1 ? threshold : minChars;
    if (!isLonger(text, shortest)) return undefined;
    const fixed = fixedUnits(text, call);
    if (fixed >= text.length) return undefined;
    const body = fixed > 0 ? text.slice(0, fixed) : digestOf(text, {
      sizes,
      always: AGENT_TOOLS.has(call.toolName) ? AGENT_HANDLE : undefined,
      listed: this.#listed.size > MAX_LISTED ? new Set<string>() : this.#listed,
      tailChars: tail,
      troubleChars: trouble,
      wanted: focus?.wanted,
      nearLines: focus?.lines ?? 0,
      onWanted: shortening.onWanted,
    });
    return isWorthCutting(text.length, body.length + noticeChars) ? body : undefined;
  }

  /** Returns the names of the current work with their shares, which are smaller for names in many reads. */
  #wantedNames(): Map<string, number> {
    const wanted = new Set<string>();
    const focus = this.#recent.slice(-this.#options.rules.focusItems);
    for (const text of focus.flatMap(({ content }) => stringsOf(content))) {
      eachName(text, (name) => wanted.add(name));
    }
    const readCounts = new Map<string, number>();
    const newest = this.#newest.filter(({ toolName }) => toolName === "Read");
    for (const { texts } of [...this.#reads, ...newest].slice(-FOCUS_READS)) {
      for (const name of namesIn(texts.join("\n"))) {
        if (wanted.has(name)) readCounts.set(name, (readCounts.get(name) ?? 0) + 1);
      }
    }
    const { fade } = this.#options.rules;
    return new Map([...readCounts].flatMap(([name, count]) => {
      const share = 1 - (count - 1) / fade;
      return share > 0 ? [[name, share]] : [];
    }));
  }

  #placeOf(toolName: string, input: unknown): ReadPlace | undefined {
    if (toolName !== "Read" || !isObject(input) || input["pages"] !== undefined) return undefined;
    const { file_path: path, offset, limit } = input;
    if (typeof path !== "string") return undefined;
    const from = typeof offset === "number" && offset > 1 ? offset : 1;
    const to = typeof limit === "number" ? from + limit : Infinity;
    return { path, from, to, number: this.#readCount++, block: this.#blocks };
  }

  #addRange(place: ReadPlace): void {
    const ranges = this.#ranges.get(place.path) ?? [];
    pushNewest(ranges, place, MAX_RANGES);
    this.#ranges.set(place.path, ranges);
  }

  #wasReadSince(path: string, block: number): boolean {
    return this.#ranges.get(path)?.some((range) => range.block > block) === true;
  }

  #isReadAgain(place: ReadPlace | undefined): boolean {
    if (place === undefined) return false;
    return this.#ranges.get(place.path)?.some((later) =>
      later.number > place.number && later.from <= place.from && later.to >= place.to
    ) === true;
  }
}

function charsOf({ texts }: NeedResult): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

/** Counts the characters before any cut, so that a trim of a trimmed session keeps the same share. */
function wholeCharsOf({ texts }: NeedResult): number {
  return texts.reduce((sum, text) => sum + (readNotice(text)?.wholeChars ?? text.length), 0);
}

function scaled(sizes: DigestSizes, scale: number): DigestSizes {
  return {
    head: Math.floor(sizes.head * scale),
    definitions: Math.floor(sizes.definitions * scale),
    names: Math.floor(sizes.names * scale),
  };
}

/** Lists the strings in a value, however deeply it is nested. */
function stringsOf(value: unknown): string[] {
  const found = [value];
  for (const item of found) {
    for (const inner of typeof item === "object" ? Object.values(item ?? {}) : []) {
      found.push(inner);
    }
  }
  return found.filter((item) => typeof item === "string");
}
