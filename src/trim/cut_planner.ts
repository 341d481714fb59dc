/** Decides which blocks of a conversation a trim cuts; a copy and a trim in place apply the same cuts. */

import { type NeedReason, regretOf } from "../core/need.ts";
import {
  type NeedCall,
  type NeedDecision,
  type NeedResult,
  NeedWatch,
} from "../core/need_watch.ts";
import type { InUse } from "../core/record.ts";
import { NO_ANSWER } from "../transcript/content.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { inputSavings } from "./inputs.ts";
import {
  digestNotice,
  type Remainder,
  remainderText,
  resultRemainder,
  SAMPLE_LINE,
  unitsToKeep,
} from "./remainder.ts";
import type { MediaOrigin } from "./media.ts";
import { isMediaPlaceholder } from "./placeholder.ts";
import type { TrimSettings } from "./trim_options.ts";

export interface CutRules extends TrimSettings {
  readonly parentFile: string;
  /**
   * Whether the user selected this call or result. If set, nothing else is cut. @default {no
   * restriction}
   */
  readonly isSelected?: ((id: string, kind: "call" | "result") => boolean) | undefined;
}

interface Block {
  /** Index in the order in which the client sends the conversation. */
  readonly index: number;
  readonly place?: { readonly offset: number; readonly block: number } | undefined;
}

interface CallBlock extends NeedCall, Block {
  /** Whether the transcript lacks the call, so that a notice cannot refer to its line. @default {false} */
  readonly hasNoLine?: boolean;
}

interface ResultBlock extends Omit<NeedResult, "isCuttable">, Block {
  readonly media?: Savings | undefined;
}

interface WeighedResult extends ResultBlock, NeedResult {
  readonly tokens: readonly number[];
  /** Whether the result is long and may be cut, so that it is counted if it is kept. */
  readonly isCounted: boolean;
}

export interface Savings {
  /** Tokens saved, estimated before calibration. */
  readonly priorTokens: number;
  /** Tokens saved on pictures and documents, whose cost is known without calibration. */
  readonly mediaTokens: number;
}

export interface Cut extends Block, Savings {
  readonly kind: "call" | "result" | "media" | "thinking";
  readonly id: string | undefined;
  readonly toolName?: string;
  /** The reason for cutting a result or a call; set only if `keep` is `need`. */
  readonly reason?: NeedReason | undefined;
  readonly remainders?: readonly (Remainder | undefined)[];
  readonly media?: MediaOrigin | undefined;
  readonly argumentNames?: readonly string[] | undefined;
  readonly thinkingChars?: number;
  /** Whether the client does not send the block, such as a block on a rewound branch. @default {false} */
  readonly isUnsent?: boolean;
}

export interface KeptCounts extends Required<InUse> {
  /** Long results that are kept because they are about protected files, including those among the newest. */
  readonly protectedCount: number;
}

export interface CutPlan extends KeptCounts {
  /** In the order of the conversation or, if a number of tokens must be freed, the least needed first. */
  readonly cuts: readonly Cut[];
  readonly savedTokens: number;
  readonly otherTools: readonly string[];
  readonly namedTools: readonly string[];
}

interface KnownCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly isProtected: boolean;
}

/** Matches reminders and command outputs, which neither the user nor the model wrote. */
const CLIENT_TEXT =
  /^(?:(?:<local-command-caveat>)?<system-reminder>|<local-command-std(?:out|err)>)/;

/** Digests are sized for this threshold, in characters; a different threshold scales them. */
const BASE_THRESHOLD = 500;

const MAX_SCALE = 4;

export class CutPlanner {
  readonly #calls: Map<string, KnownCall>;
  readonly #rules: CutRules;
  readonly #noticeTokens: number;
  readonly #watch: NeedWatch<CallBlock, WeighedResult> | undefined;
  readonly #resultIds: Set<string>;
  readonly #unreadIds = new Set<string>();
  readonly #cuts: Cut[] = [];
  #unused = 0;

  constructor(rules: CutRules, known?: CutPlanner) {
    this.#rules = rules;
    this.#calls = known === undefined ? new Map() : known.#calls;
    this.#resultIds = new Set(known === undefined ? [] : known.#resultIds);
    const { keep, need, keepRecent, threshold, parentFile } = rules;
    const notice = digestNotice(SAMPLE_LINE, SAMPLE_LINE, { lineNumber: SAMPLE_LINE, parentFile });
    this.#noticeTokens = estimateTextTokens(notice);
    this.#watch = keep !== "need" ? undefined : new NeedWatch({
      rules: need,
      keepRecent,
      threshold: threshold > BASE_THRESHOLD ? threshold : Math.min(threshold, need.minChars),
      scale: Math.min(MAX_SCALE, threshold / BASE_THRESHOLD),
      noticeChars: notice.length,
      unitsToKeep,
      decide: (decision) => this.#decide(decision),
      decideInput: (call, decision) => this.#addInput(call, decision),
    });
  }

  /** Called for each part of an answer, before which the model has read all results. */
  addAnswer(text: string): void {
    if (text !== NO_ANSWER) this.#unreadIds.clear();
  }

  /** Ignores text that the client or a trim wrote. */
  addText(text: string): void {
    if (!CLIENT_TEXT.test(text) && !isMediaPlaceholder(text)) this.#watch?.addContent(text);
  }

  addCall(call: CallBlock): void {
    const { id, toolName, input } = call;
    const { cutsInputs, isProtected } = this.#rules;
    this.#calls.set(id, { toolName, input, isProtected: isProtected?.(toolName, input) === true });
    this.#watch?.addCall(call);
    if (cutsInputs) this.#addInput(call);
  }

  addResult(result: ResultBlock): void {
    const { id, texts, media } = result;
    // The API accepts only one result per call.
    if (this.#resultIds.has(id)) return;
    this.#resultIds.add(id);
    this.#unreadIds.add(id);
    const { toolName = "", isProtected = false, input } = this.#calls.get(id) ?? {};
    const { isTarget, threshold } = this.#rules;
    const isCuttable = isTarget(toolName) && !isProtected;
    const isLong = texts.some((text) => text.length > threshold);
    const tokens = texts.map(estimateTextTokens);
    const weighed = { ...result, tokens, isCuttable, isCounted: isCuttable && isLong };
    if (this.#watch !== undefined) {
      // The line that replaces a picture is not part of the tool's output.
      const outputs = texts.map((text) => isMediaPlaceholder(text) ? "" : text);
      this.#watch.addResult({ ...weighed, texts: outputs });
      // The watch decides about other results. A protected result is still planned here, to count results
      // that are kept because they are protected.
      if (!isProtected) return;
    }
    const cut = { ...this.#rules, id, toolName: toolName || "unknown", input };
    const remainders = texts.map((text) => resultRemainder(text, cut));
    const hasMedia = media !== undefined && this.#watch === undefined;
    if (hasMedia || remainders.some((rest) => rest !== undefined)) {
      this.#addResultCut(weighed, remainders);
    }
  }

  addBlockCut(cut: Cut): void {
    this.#cuts.push(cut);
  }

  originOf(id: string | undefined): MediaOrigin {
    return this.#calls.get(id ?? "") ?? {};
  }

  /**
   * Returns all cuts, except those of calls and results that are protected or among the newest, and those of
   * results that the model has not read yet. If the user selected calls or results, returns only their cuts.
   * If `excess` is given, returns only as many cuts as necessary: the least needed first, older cuts before
   * newer cuts, and unread results last.
   *
   * @param excess Tokens to free.
   * @param scale Factor for every token estimate.
   */
  finish(excess: number | undefined, scale: number): CutPlan {
    this.#watch?.finish();
    const { keepRecent, isSelected, isTarget, namedTools } = this.#rules;
    const newestIds = new Set(keepRecent === 0 ? [] : [...this.#resultIds].slice(-keepRecent));
    const isProtected = (id: string): boolean => this.#calls.get(id)?.isProtected === true;
    const isCuttable = ({ id, kind }: Cut): boolean => {
      if (isSelected !== undefined) {
        return id !== undefined && (kind === "call" || kind === "result") && isSelected(id, kind);
      }
      return id === undefined || (!newestIds.has(id) && !isProtected(id));
    };
    // With `keepRecent: 0`, even results that the model has not read are cut.
    const isUnread = ({ id, kind }: Cut): boolean =>
      keepRecent > 0 && isSelected === undefined && kind !== "call" &&
      this.#unreadIds.has(id ?? "");
    const all = this.#cuts.filter((cut) => this.#isTarget(cut))
      .map((cut) => ({ ...cut, toolName: this.originOf(cut.id).toolName ?? "" }))
      .sort((a, b) => a.index - b.index);
    const cuttable = all.filter(isCuttable);
    const read = cuttable.filter((cut) => !isUnread(cut));
    const cuts = excess === undefined
      ? read
      : leastNeeded(read, cuttable.filter(isUnread), { excess, scale });
    const kept = all.filter((cut) =>
      cut.kind === "result" && (!isCuttable(cut) || (isUnread(cut) && !cuts.includes(cut)))
    );
    const protectedCount =
      kept.filter((cut) => !isCuttable(cut) && isProtected(cut.id ?? "")).length;
    const called = [...new Set([...this.#calls.values()].map(({ toolName }) => toolName))].sort();
    return {
      cuts,
      savedTokens: tokensFreed(cuts, scale),
      otherTools: called.some(isTarget) ? [] : called,
      namedTools,
      newest: kept.length - protectedCount,
      unused: this.#unused,
      passages:
        cuts.filter(({ remainders = [], reason }) =>
          reason === "worked on" && remainders.some((rest) => rest !== undefined)
        ).length,
      protectedCount,
    };
  }

  /** Excludes tools that are not targets, and results without a call, which the client does not send. */
  #isTarget({ id }: Cut): boolean {
    if (id === undefined) return true;
    const { toolName } = this.originOf(id);
    return toolName !== undefined && this.#rules.isTarget(toolName);
  }

  #addInput(call: CallBlock, decision: Pick<Cut, "argumentNames" | "reason"> = {}): void {
    const { id, toolName, input, index, place, hasNoLine = false } = call;
    if (hasNoLine) return;
    const priorTokens = inputSavings(toolName, input, {
      ...this.#rules,
      argumentNames: decision.argumentNames,
    });
    if (priorTokens === undefined) return;
    const cut = { kind: "call", id, index, place, priorTokens, mediaTokens: 0 } as const;
    this.#cuts.push({ ...cut, ...decision });
  }

  #decide({ result, kept, reason }: NeedDecision<WeighedResult>): void {
    const { media, isCounted } = result;
    if (reason === "not used yet" && isCounted) this.#unused++;
    const remainders = kept.map((digest) => digest === undefined ? undefined : { digest });
    const isCut = media !== undefined || remainders.some((rest) => rest !== undefined);
    if (isCut || (reason === "newest" && isCounted)) this.#addResultCut(result, remainders, reason);
  }

  #addResultCut(
    { id, index, place, texts, tokens, media }: WeighedResult,
    remainders: readonly (Remainder | undefined)[],
    reason?: NeedReason,
  ): void {
    const saved = remainders.reduce(
      (sum, rest, at) =>
        rest === undefined
          ? sum
          : sum + (tokens[at] ?? 0) - this.#remainingTokens(texts[at] ?? "", rest),
      0,
    );
    this.#cuts.push({
      kind: "result",
      id,
      index,
      place,
      remainders,
      reason,
      priorTokens: saved + (media?.priorTokens ?? 0),
      mediaTokens: media?.mediaTokens ?? 0,
      media: media === undefined ? undefined : this.originOf(id),
    });
  }

  #remainingTokens(text: string, rest: Remainder): number {
    if ("digest" in rest) return estimateTextTokens(rest.digest) + this.#noticeTokens;
    const { parentFile } = this.#rules;
    return estimateTextTokens(remainderText(text, rest, { lineNumber: SAMPLE_LINE, parentFile }));
  }
}

function leastNeeded(
  read: readonly Cut[],
  unread: readonly Cut[],
  { excess, scale }: { readonly excess: number; readonly scale: number },
): Cut[] {
  const chosen: Cut[] = [];
  let saved = 0;
  const ranked = read.toSorted((a, b) =>
    regretOf(a.reason) - regretOf(b.reason) || a.index - b.index
  );
  for (const cut of [...ranked, ...unread]) {
    if (Math.round(saved) >= excess) break;
    const tokens = tokensOf(cut, scale);
    if (tokens <= 0) continue;
    saved += tokens;
    chosen.push(cut);
  }
  return chosen;
}

export function tokensFreed(cuts: readonly Cut[], scale: number): number {
  return cuts.reduce((sum, cut) => sum + tokensOf(cut, scale), 0);
}

function tokensOf({ priorTokens, mediaTokens }: Cut, scale: number): number {
  return priorTokens * scale + mediaTokens;
}
