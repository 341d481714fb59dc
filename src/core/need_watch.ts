/** Decides which parts of results and of written text are kept. */

import { lastPart } from "./last_part.ts";
import { isObject, stringsIn } from "./record.ts";
import { digestOf, type DigestOptions } from "./digest.ts";
import { countChars } from "./chars.ts";
import { readNotice } from "./marks.ts";
import { eachName, namesIn } from "./names.ts";
import { pushNewest } from "./newest.ts";
import { AGENT_HANDLE, AGENT_TOOLS, REPLACED_ARGUMENT, WRITERS } from "./tools.ts";
import {
  type DigestSizes,
  FOCUS_READS,
  isWorthCutting,
  type NeedReason,
  type NeedRules,
} from "./need.ts";

export interface NeedCall {
  readonly id: string;
  readonly toolName: string;
  readonly input: unknown;
}

export interface NeedResult {
  readonly id: string;
  readonly texts: readonly string[];
  readonly isError: boolean;
  readonly isCuttable: boolean;
}

export interface NeedDecision<Result> {
  readonly result: Result;
  /** The remaining part of each text block, without a notice; missing for a block that is kept whole. */
  readonly kept: readonly (string | undefined)[];
  readonly reason: NeedReason;
}

/** For `MultiEdit`, the arguments of each edit are cut. */
export interface InputDecision {
  readonly argumentNames: readonly string[];
  readonly reason: NeedReason;
}

interface NeedWatchOptions<Call, Result> {
  readonly rules: NeedRules;
  readonly keepRecent: number;
  readonly threshold: number;
  readonly scale: number;
  readonly noticeChars: number;
  /** Returns the number of UTF-16 code units that must be kept, such as a reference to a file. */
  readonly unitsToKeep: (text: string, call: NeedCall) => number;
  readonly decide: (decision: NeedDecision<Result>) => void;
  readonly decideInput: (call: Call, decision: InputDecision) => void;
}

const MAX_READS = 1_000;

const LINE_NUMBERS = /^ *\d+(?=[→\t:])/gm;

/** Keeps little more than the first line, for text that was read again or only confirms a call. */
const FIRST_LINE_DIGEST: DigestSizes = { head: 60, definitions: 0, names: 0 };

/** In characters. A shorter confirmation is not worth a notice. */
const MIN_CONFIRMATION = 250;

interface RecentBlock {
  /** A string, or the arguments of a call. */
  readonly content: unknown;
  readonly isRead: boolean;
  readonly block: number;
}

/** A quoted line that mentions an error is usually code, so these results keep no error lines. */
const QUOTING_TOOLS: ReadonlySet<string> = new Set(["Read", "Grep", "Glob"]);

interface FileUse {
  readonly path: string;
  readonly block: number;
  /** The first line that a read returned; `NaN` for other calls, and if a read returned no lines. */
  from: number;
  /** The last line that a read returned; `NaN` if `from` is `NaN`. */
  to: number;
}

type HeldCall<Call> = Call & { readonly file: FileUse };

interface HeldResult<Call, Result> {
  readonly result: Result;
  readonly call: HeldCall<Call>;
}

interface Shortening extends Omit<DigestOptions, "always" | "listed"> {
  readonly minChars?: number;
}

/** Expects the blocks of a conversation oldest first. */
export class NeedWatch<Call extends NeedCall, Result extends NeedResult> {
  readonly #options: NeedWatchOptions<Call, Result>;
  readonly #calls = new Map<string, HeldCall<Call>>();
  readonly #recent: RecentBlock[] = [];
  readonly #newest: HeldResult<Call, Result>[] = [];
  readonly #reads: HeldResult<Call, Result>[] = [];
  readonly #listed = new Set<string>();
  readonly #readFiles: FileUse[] = [];
  readonly #writings: HeldCall<Call>[] = [];
  #blocks = 0;
  #resultChars = 0;

  constructor(options: NeedWatchOptions<Call, Result>) {
    this.#options = options;
  }

  addContent(content: unknown, isRead = false): void {
    const { focusItems, unused } = this.#options.rules;
    const added = { content, isRead, block: ++this.#blocks };
    pushNewest(this.#recent, added, Math.max(focusItems, unused.blocks));
  }

  addCall(call: Call): void {
    const { id, toolName, input } = call;
    this.addContent(input, toolName === "Read");
    const path = isObject(input) ? String(input["file_path"] ?? input["notebook_path"]) : "";
    const file = { path, block: this.#blocks, from: NaN, to: NaN };
    this.#calls.set(id, { ...call, file });
  }

  /** Ignores a result without a call, which the client does not send. */
  addResult(result: Result): void {
    this.#blocks++;
    const { id, texts } = result;
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    this.#newest.push({ result, call });
    this.#resultChars += originalCharsOf(result);
    if (!result.isError) this.#addFileUse(call, texts);
    if (this.#newest.length > this.#options.keepRecent) {
      const held = this.#newest.shift();
      if (held?.call.toolName === "Read") this.#reads.push(held);
      else this.#digest(held);
    }
    if (this.#reads.length > FOCUS_READS) this.#digest(this.#reads.shift());
  }

  #addFileUse(call: HeldCall<Call>, texts: readonly string[]): void {
    const { toolName, file } = call;
    if (WRITERS.has(toolName)) this.#writings.push(call);
    if (toolName !== "Read") return;
    const numbers = texts.join("\n").match(LINE_NUMBERS) ?? [];
    file.from = Number(numbers[0]);
    file.to = file.from + numbers.length - 1;
    pushNewest(this.#readFiles, file, MAX_READS);
  }

  finish(): void {
    const wanted = this.#wantedNames();
    const unused = this.#unusedReads();
    const newestReads = this.#newest.filter(({ call }) => call.toolName === "Read").length;
    for (const [index, held] of this.#reads.entries()) {
      if (unused.has(held)) {
        this.#options.decide({ result: held.result, kept: [], reason: "not used yet" });
        continue;
      }
      const age = newestReads + this.#reads.length - 1 - index;
      const nearLines = this.#options.rules.passages.find(({ reads }) => age < reads)?.lines;
      this.#digest(held, nearLines === undefined ? {} : { wanted, nearLines });
    }
    for (const { result } of this.#newest) {
      this.#options.decide({ result, kept: [], reason: "newest" });
    }
    this.#finishInputs();
  }

  #unusedReads(): Set<HeldResult<Call, Result>> {
    const unused = new Set<HeldResult<Call, Result>>();
    let remaining = this.#options.rules.unused.share * this.#resultChars;
    for (const held of this.#reads.toReversed()) {
      const chars = originalCharsOf(held.result);
      if (chars > remaining || !this.#isUnused(held.call.file)) continue;
      unused.add(held);
      remaining -= chars;
    }
    return unused;
  }

  #isUnused(file: FileUse): boolean {
    if (this.#isReadAgain(file)) return false;
    if (this.#blocks - file.block > this.#options.rules.unused.blocks) return false;
    const name = lastPart(file.path);
    return !this.#recent.some(({ content, isRead, block }) =>
      block > file.block && !isRead && stringsIn(content).some((text) => text.includes(name))
    );
  }

  #finishInputs(): void {
    const { decideInput, rules } = this.#options;
    const { oldTextAge, newTextAge, wholeTextAge } = rules;
    const rewritten = new Set<string>();
    for (const call of this.#writings.toReversed()) {
      const { toolName, file } = call;
      const age = this.#blocks - file.block;
      const argumentNames = WRITERS.get(toolName) ?? [];
      if (toolName === "Write") {
        if (rewritten.has(file.path)) decideInput(call, { argumentNames, reason: "written again" });
        else if (age > wholeTextAge) decideInput(call, { argumentNames, reason: "written text" });
        rewritten.add(file.path);
      } else if (age > newTextAge && this.#readsSince(file).length > 0) {
        decideInput(call, { argumentNames, reason: "written text" });
      } else if (age > oldTextAge) {
        decideInput(call, { argumentNames: [REPLACED_ARGUMENT], reason: "replaced text" });
      }
    }
  }

  #digest(
    held: HeldResult<Call, Result> | undefined,
    focus: Pick<DigestOptions, "wanted" | "nearLines"> = {},
  ): void {
    if (held?.result.isCuttable !== true) return;
    const { result, call } = held;
    const { toolName, file } = call;
    const isRead = toolName === "Read";
    let reason: NeedReason = "old";
    let shortening: Shortening = { sizes: FIRST_LINE_DIGEST };
    if (WRITERS.has(toolName)) {
      reason = "confirmation";
      shortening = { sizes: FIRST_LINE_DIGEST, minChars: MIN_CONFIRMATION };
    } else if (isRead && this.#isReadAgain(file)) {
      reason = "read again";
    } else {
      const { rules, scale } = this.#options;
      const kind = isRead ? "read" : AGENT_TOOLS.has(toolName) ? "report" : "other";
      shortening = {
        sizes: scaleSizes(rules[kind], scale),
        maxLastLineChars: isRead ? 0 : rules.maxLastLineChars * scale,
        errorChars: QUOTING_TOOLS.has(toolName) ? 0 : rules.errorChars * scale,
        ...focus,
        onWanted: () => reason = "worked on",
      };
    }
    const kept = result.texts.map((text) => this.#shorten(text, call, shortening));
    this.#options.decide({ result, kept, reason });
  }

  #shorten(
    text: string,
    call: NeedCall,
    { minChars = 0, ...digest }: Shortening,
  ): string | undefined {
    const { threshold, noticeChars, unitsToKeep, scale } = this.#options;
    // A raised threshold also applies to confirmations.
    const shortest = minChars === 0 || scale > 1 ? threshold : minChars;
    if (countChars(text) <= shortest) return undefined;
    const fixed = unitsToKeep(text, call);
    const body = fixed > 0 ? text.slice(0, fixed) : digestOf(text, {
      ...digest,
      always: AGENT_TOOLS.has(call.toolName) ? AGENT_HANDLE : undefined,
      listed: this.#listed,
    });
    return isWorthCutting(text.length, body.length + noticeChars) ? body : undefined;
  }

  /** The more reads contain a name of the current work, the smaller its factor for `nearLines`. */
  #wantedNames(): Map<string, number> {
    const wanted = new Set<string>();
    const focus = this.#recent.slice(-this.#options.rules.focusItems);
    for (const text of focus.flatMap(({ content }) => stringsIn(content))) {
      eachName(text, (name) => wanted.add(name));
    }
    const readCounts = new Map<string, number>();
    const newest = this.#newest.filter(({ call }) => call.toolName === "Read");
    for (const { result } of [...this.#reads, ...newest].slice(-FOCUS_READS)) {
      for (const name of namesIn(result.texts.join("\n"))) {
        if (wanted.has(name)) readCounts.set(name, (readCounts.get(name) ?? 0) + 1);
      }
    }
    const { fade } = this.#options.rules;
    return new Map([...readCounts].flatMap(([name, count]) => {
      const share = 1 - (count - 1) / fade;
      return share > 0 ? [[name, share]] : [];
    }));
  }

  #readsSince({ path, block }: FileUse): FileUse[] {
    return this.#readFiles.filter((read) => read.path === path && read.block > block);
  }

  #isReadAgain(file: FileUse): boolean {
    return this.#readsSince(file).some(({ from, to }) => from <= file.from && to >= file.to);
  }
}

/** Counts the characters before any cut, so that the limit for unused reads is the same in a second trim. */
function originalCharsOf({ texts }: NeedResult): number {
  return texts.reduce((sum, text) => sum + (readNotice(text)?.wholeChars ?? text.length), 0);
}

function scaleSizes(sizes: DigestSizes, scale: number): DigestSizes {
  return {
    head: Math.floor(sizes.head * scale),
    definitions: Math.floor(sizes.definitions * scale),
    names: Math.floor(sizes.names * scale),
  };
}
