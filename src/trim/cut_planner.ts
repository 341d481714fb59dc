/** Decides what a trim cuts of a conversation in blocks; a copy and a trim in place apply the same cuts. */

import type { MarkRecord } from "../core/marks.ts";
import { type NeedReason, regretOf } from "../core/need.ts";
import { type InputDecision, type NeedDecision, NeedWatch } from "../core/need_watch.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { CallInputs } from "./call_inputs.ts";
import type { MediaOrigin } from "./edit/media.ts";
import { argumentsCut, inputSavings } from "./input_texts.ts";
import { shortenResult } from "./mask_text.ts";
import { inputOptions, measuredNotice, watchOptions } from "./need_texts.ts";
import { type FileUse, fileUseOf, supersededUses } from "./superseded.ts";
import type { TrimSettings } from "./trim_options.ts";
import { SOME_LINE } from "./truncate.ts";

/** The settings of a trim, and the session that its notices name. */
export interface CutRules extends TrimSettings {
  /** The session as notices name it. */
  readonly parentFile: string;
  /** Marks of earlier trims. @default {undefined: a mark is recognized by its text} */
  readonly record?: MarkRecord | undefined;
  /** Whether a person named a call or a result; then nothing else is cut. @default {nobody did} */
  readonly isNamed?: ((id: string, kind: "call" | "result") => boolean) | undefined;
}

/** A call of a tool. */
export interface CallBlock {
  readonly id: string;
  readonly toolName: string;
  readonly input: unknown;
  /** Its place in the order in which the conversation is sent. */
  readonly index: number;
  /** Where a copy finds it. */
  readonly place?: BlockPlace;
  /** Its length divided by the length that was read. @default {1} */
  readonly factor?: number;
  /** Whether no line holds it, so that no notice can name one. @default {false} */
  readonly isPlaceless?: boolean;
}

/** A result of a tool. */
export interface ResultBlock {
  /** The id of its call. */
  readonly id: string;
  readonly texts: readonly string[];
  readonly isError: boolean;
  readonly index: number;
  /** Its length divided by the length that was read. @default {1} */
  readonly factor?: number;
  /** Savings from dropping its pictures and documents. @default {it has none} */
  readonly media?: MediaSavings | undefined;
}

interface MediaSavings {
  readonly prior: number;
  readonly tokens: number;
}

/** Where a block stands in a transcript. */
export interface BlockPlace {
  /** Where its entry starts, in bytes. */
  readonly offset: number;
  /** Its index in the entry's content. */
  readonly block: number;
}

/** Texts left of a result, without notices; `undefined` for one that stays whole. */
export type KeptTexts = readonly (string | undefined)[];

/** A part of the conversation that a trim makes smaller. */
export interface Cut {
  readonly kind: "call" | "result" | "other";
  /** The id of the call; undefined for what belongs to none. */
  readonly id: string | undefined;
  readonly index: number;
  /** Tokens saved by the estimate before calibration. */
  readonly priorTokens: number;
  /** Tokens saved besides, as they are billed. */
  readonly mediaTokens: number;
  /** The reason, in the style `need`. */
  readonly reason?: NeedReason;
  /** The passages that the style `need` keeps of a result. */
  readonly kept?: KeptTexts;
  /** The only arguments of a call that are cut. @default {all that can be} */
  readonly texts?: readonly string[];
  /** Where a copy finds it; a result is found by its call. */
  readonly place?: BlockPlace | undefined;
  /** The edit in a copy, if the block is neither call nor result. */
  readonly change?: BlockChange;
}

/** A change to a block of an entry. */
export type BlockChange =
  | {
    readonly kind: "input";
    readonly id: string;
    readonly toolName: string;
    readonly texts?: readonly string[];
  }
  | { readonly kind: "image"; readonly origin: MediaOrigin }
  | { readonly kind: "thinking"; readonly chars: number };

/** A change of one block of an entry. */
export interface PlannedChange {
  /** The block's place in the entry's content, from 0. */
  readonly block: number;
  readonly change: BlockChange;
  /** Why, in the style `need`. */
  readonly reason?: NeedReason | undefined;
}

/** The possible cuts, and the blocks that stay for another reason. */
export interface CutPlan {
  /** In the order of the conversation. */
  readonly cuts: readonly Cut[];
  /** The newest results, by the id of their call. */
  readonly newestIds: ReadonlySet<string>;
  /** Number of those that would be cut otherwise. */
  readonly newestCount: number;
  /** Number of results that stay only because they are about protected files. */
  readonly protectedCount: number;
}

/** Takes the blocks of a conversation, oldest first, and says what to cut. */
export class CutPlanner {
  readonly calls: CallInputs;
  /** Names of tools, by the ids of their calls. */
  readonly names: Map<string, string> = new Map();
  /** Ids of all results, oldest first. */
  readonly resultIds: string[] = [];

  readonly #rules: CutRules;
  readonly #noticeTokens: number;
  readonly #watch: NeedWatch | undefined;
  /** Results that are decided on later: by what follows them. */
  readonly #open = new Map<string, OpenResult>();
  readonly #writings = new Map<string, CallBlock>();
  readonly #uses = new Map<string, FileUse>();
  readonly #cuts: Cut[] = [];

  constructor(rules: CutRules) {
    this.#rules = rules;
    this.calls = new CallInputs({
      keepsArguments: rules.style === "mask" || rules.dropsImages,
      isProtected: rules.isProtected,
    });
    this.#noticeTokens = estimateTextTokens(measuredNotice(rules.parentFile));
    this.#watch = rules.style !== "need" ? undefined : new NeedWatch({
      ...watchOptions(rules),
      decide: (decision) => this.#decide(decision),
      decideInput: (decision) => this.#decideInput(decision),
    });
  }

  addText(text: string): void {
    this.#watch?.addText(text);
  }

  addCall(call: CallBlock): void {
    const { id, toolName, input } = call;
    this.names.set(id, toolName);
    this.calls.add(id, toolName, input);
    this.#watch?.addCall(call);
    const use = this.#watch === undefined ? fileUseOf({ id, toolName, input }) : undefined;
    if (use !== undefined) this.#uses.set(id, use);
    if (call.isPlaceless === true) return;
    if (this.#rules.cutsInputs) this.#addInput(call);
    else if (this.#watch !== undefined && argumentsCut(toolName, {}) !== undefined) {
      this.#writings.set(id, call);
    }
  }

  addResult(result: ResultBlock): void {
    const { id, index, texts, isError, factor = 1, media } = result;
    this.resultIds.push(id);
    const use = this.#uses.get(id);
    if (use !== undefined && isError) use.isError = true;
    const isProtected = this.calls.isProtected(id);
    if (this.#watch !== undefined) {
      const isFree = this.#rules.isTarget(this.names.get(id) ?? "") && !isProtected;
      const isLong = texts.some((text) => text.length > this.#rules.threshold);
      const tokens = texts.map(estimateTextTokens);
      this.#open.set(id, { index, factor, media, tokens, isCounted: isFree && isLong });
      this.#watch.addResult({ id, texts, isError, isFree });
      // Results that stay because they are protected are counted.
      if (!isProtected) return;
    }
    let prior = 0;
    let isCut = this.#watch === undefined && media !== undefined;
    for (const text of texts) {
      const left = this.#shorten(id, text);
      if (left === text) continue;
      isCut = true;
      prior += estimateTextTokens(text) * factor - estimateTextTokens(left);
    }
    if (!isCut) return;
    const { prior: mediaPrior = 0, tokens: mediaTokens = 0 } = media ?? {};
    this.#cuts.push({ kind: "result", id, index, priorTokens: prior + mediaPrior, mediaTokens });
  }

  /** Adds what goes as a whole, such as a picture in a message or old thinking. */
  addOther(cut: Omit<Cut, "kind">): void {
    this.#cuts.push({ ...cut, kind: "other" });
  }

  finish(): CutPlan {
    this.#watch?.finish();
    const { keepRecent, isNamed } = this.#rules;
    const newestIds = new Set(keepRecent === 0 ? [] : this.resultIds.slice(-keepRecent));
    const isFree = ({ id, kind }: Cut): boolean => {
      if (isNamed !== undefined) return id !== undefined && kind !== "other" && isNamed(id, kind);
      return id === undefined || (!newestIds.has(id) && !this.calls.isProtected(id));
    };
    const all = this.#cuts.filter((cut) => this.#isTarget(cut)).sort((a, b) => a.index - b.index);
    const held = all.filter((cut) => cut.kind === "result" && !isFree(cut));
    const protectedCount = held.filter(({ id = "" }) => this.calls.isProtected(id)).length;
    return {
      cuts: all.filter(isFree),
      newestIds,
      newestCount: held.length - protectedCount,
      protectedCount,
    };
  }

  /**
   * Takes cuts until they free enough, least missed first, then oldest first.
   *
   * @param excess Tokens to free.
   * @param scale What an estimate of tokens is multiplied by.
   */
  choose({ cuts }: CutPlan, excess: number, scale: number): Cut[] {
    const chosen: Cut[] = [];
    let saved = 0;
    for (const cut of this.#leastMissedFirst(cuts)) {
      if (Math.round(saved) >= excess) break;
      const tokens = tokensOf(cut, scale);
      if (tokens <= 0) continue;
      saved += tokens;
      chosen.push(cut);
    }
    return chosen;
  }

  #leastMissedFirst(cuts: readonly Cut[]): Cut[] {
    const superseded = supersededUses([...this.#uses.values()]);
    const rank = ({ kind, id = "", reason }: Cut): number =>
      this.#watch !== undefined
        ? regretOf(reason)
        : Number(kind !== "result" || !superseded.has(id));
    return cuts.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index);
  }

  /** A result without its call is not sent, and not cut either. */
  #isTarget({ kind, id }: Cut): boolean {
    if (kind === "call" || id === undefined) return true;
    const toolName = this.names.get(id);
    return toolName !== undefined && this.#rules.isTarget(toolName);
  }

  #addInput(call: CallBlock, decision?: InputDecision): void {
    const { id, toolName, input, index, place, factor = 1 } = call;
    const { parentFile } = this.#rules;
    const texts = decision?.texts;
    const options = inputOptions({ ...this.#rules, id, texts });
    const saved = inputSavings(toolName, input, { ...options, parentFile, lineNumber: SOME_LINE });
    if (saved.chars === 0) return;
    this.#cuts.push({
      kind: "call",
      id,
      index,
      priorTokens: saved.priorTokens * factor,
      mediaTokens: 0,
      place,
      ...(decision === undefined ? {} : { texts: decision.texts, reason: decision.reason }),
    });
  }

  #shorten(id: string, text: string): string {
    const call = { toolName: this.names.get(id) ?? "unknown", input: this.calls.inputOf(id) };
    return shortenResult(text, { ...this.#rules, ...call, id, lineNumber: SOME_LINE });
  }

  #decide({ id, kept, reason }: NeedDecision): void {
    const found = this.#open.get(id);
    this.#open.delete(id);
    if (found === undefined) return;
    const { index, media, factor, tokens } = found;
    const isCut = kept.some((text) => text !== undefined);
    const isCounted = reason === "newest" && found.isCounted;
    if (!isCut && media === undefined && !isCounted) return;
    const saved = kept.reduce((sum, text, at) => {
      if (text === undefined) return sum;
      const left = estimateTextTokens(text) + this.#noticeTokens;
      return sum + (tokens[at] ?? 0) * factor - left;
    }, 0);
    this.#cuts.push({
      kind: "result",
      id,
      index,
      priorTokens: saved + (media?.prior ?? 0),
      mediaTokens: media?.tokens ?? 0,
      reason,
      ...(isCut ? { kept } : {}),
    });
  }

  #decideInput(decision: InputDecision): void {
    const call = this.#writings.get(decision.id);
    if (call !== undefined) this.#addInput(call, decision);
  }
}

interface OpenResult {
  readonly index: number;
  readonly factor: number;
  readonly media: MediaSavings | undefined;
  /** Estimates for its texts. */
  readonly tokens: readonly number[];
  /** Whether it is counted if it stays only because it is among the newest. */
  readonly isCounted: boolean;
}

/** Tokens that a cut frees, not rounded. */
export function tokensOf({ priorTokens, mediaTokens }: Cut, scale: number): number {
  return priorTokens * scale + mediaTokens;
}
