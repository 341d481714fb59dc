/** Finds what a trim by need can make smaller: decides by `src/core/need_watch.ts`, and prices it. */

import type { NeedReason } from "../core/need.ts";
import { type InputDecision, type NeedDecision, NeedWatch } from "../core/need_watch.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import type { BlockChange } from "./edit/block_edits.ts";
import { inputSavings } from "./edit/cut_input.ts";
import { argumentsCut } from "./input_texts.ts";
import {
  fixedInputUnits,
  inputSizes,
  measuredNotice,
  type NeedSettings,
  watchOptions,
} from "./need_texts.ts";

/** Something that a trim can make smaller. */
export interface Piece {
  readonly index: number;
  readonly id: string | undefined;
  /** What saving it brings by the estimate before calibration, in tokens. */
  readonly priorTokens: number;
  /** What it brings besides, in tokens as they are billed. */
  readonly mediaTokens: number;
  /** Its block and the change; a result has none, since results are cut wherever they stand. */
  readonly place: { offset: number; block: number; change: BlockChange } | undefined;
  /** Why it goes or stays, in the style `need`. */
  readonly reason?: NeedReason;
}

/** What is left of the texts of a result, without notices; `undefined` for one that stays. */
export type KeptTexts = readonly (string | undefined)[];

export interface NeedFinderOptions extends NeedSettings {
  readonly cutsDeadInputs: boolean;
}

export interface FoundResult {
  readonly id: string;
  readonly index: number;
  readonly texts: readonly string[];
  readonly isError: boolean;
  readonly isFree: boolean;
  /** How many times as long it is as what was read of it. */
  readonly factor: number;
  readonly media: { readonly prior: number; readonly tokens: number; readonly isFound: boolean };
}

export interface FoundCall {
  readonly id: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly index: number;
  readonly offset: number;
  readonly block: number;
  readonly factor: number;
}

/** The line number that stands in a notice that is only measured. */
const SOME_LINE = 10_000;

export class NeedFinder {
  /** What stays of results that are cut, by the id of their call. */
  readonly kept: Map<string, KeptTexts> = new Map();
  /** Why each piece is cut or stays, by the id of its call. */
  readonly reasons: Map<string, NeedReason> = new Map();
  readonly pieces: Piece[] = [];

  readonly #options: NeedFinderOptions;
  readonly #noticeTokens: number;
  readonly #watch: NeedWatch;
  readonly #results = new Map<
    string,
    Omit<FoundResult, "texts"> & { texts: number[]; isLong: boolean }
  >();
  readonly #writings = new Map<string, FoundCall>();

  constructor(options: NeedFinderOptions) {
    this.#options = options;
    this.#noticeTokens = estimateTextTokens(measuredNotice(options.parentFile));
    this.#watch = new NeedWatch({
      ...watchOptions(options),
      decide: (decision) => this.#decide(decision),
      decideInput: (decision) => this.#decideInput(decision),
    });
  }

  addText(text: string): void {
    this.#watch.addText(text);
  }

  addCall(call: FoundCall): void {
    this.#watch.addCall(call);
    const canBeDead = argumentsCut(call.toolName, {}) !== undefined;
    if (canBeDead && this.#options.cutsDeadInputs) this.#writings.set(call.id, call);
  }

  addResult(result: FoundResult): void {
    const tokens = result.texts.map(estimateTextTokens);
    const isLong = result.texts.some((text) => text.length > this.#options.threshold);
    this.#results.set(result.id, { ...result, texts: tokens, isLong });
    this.#watch.addResult(result);
  }

  finish(): void {
    this.#watch.finish();
  }

  #inputOptions(id: string, texts: readonly string[]): Parameters<typeof inputSavings>[2] {
    const { parentFile, threshold, record } = this.#options;
    const fixed = fixedInputUnits(id, record);
    return { ...inputSizes(threshold), texts, parentFile, lineNumber: SOME_LINE, ...fixed };
  }

  #decide({ id, kept, reason }: NeedDecision): void {
    const found = this.#results.get(id);
    this.#results.delete(id);
    if (found === undefined) return;
    const isCut = kept.some((text) => text !== undefined);
    const isNewest = reason === "newest" && found.isFree && found.isLong;
    if (!isCut && !found.media.isFound && !isNewest) return;
    if (isCut) this.kept.set(id, kept);
    this.reasons.set(id, reason);
    const saved = kept.reduce((sum, text, index) => {
      if (text === undefined) return sum;
      const left = estimateTextTokens(text) + this.#noticeTokens;
      return sum + (found.texts[index] ?? 0) * found.factor - left;
    }, 0);
    this.pieces.push({
      index: found.index,
      id,
      priorTokens: saved + found.media.prior,
      mediaTokens: found.media.tokens,
      place: undefined,
      reason,
    });
  }

  #decideInput({ id, texts, reason }: InputDecision): void {
    const writing = this.#writings.get(id);
    if (writing === undefined) return;
    const { index, offset, block, toolName, factor } = writing;
    const saved = inputSavings(toolName, writing.input, this.#inputOptions(id, texts));
    if (saved.chars === 0) return;
    const change = { kind: "input", id, toolName, texts } as const;
    this.pieces.push({
      index,
      id,
      priorTokens: saved.priorTokens * factor,
      mediaTokens: 0,
      place: { offset, block, change },
      reason,
    });
  }
}
