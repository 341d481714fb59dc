/** Decides which blocks of a conversation a trim cuts; a copy and a trim in place apply the same cuts. */

import type { MarkRecord } from "../core/marks.ts";
import { type NeedReason, regretOf } from "../core/need.ts";
import { type InputDecision, type NeedDecision, NeedWatch } from "../core/need_watch.ts";
import { WRITERS } from "../core/tools.ts";
import { isObject, type JsonObject } from "../core/record.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import { inputSavings } from "./inputs.ts";
import { digestNotice, fixedUnitsOf, type Left, leftText, resultLeft, SOME_LINE } from "./left.ts";
import type { MediaOrigin } from "./media.ts";
import { isMediaPlaceholder, shownArgument, usesArgument } from "./placeholder.ts";
import type { TrimSettings } from "./trim_options.ts";

/** The settings of a trim, and the session that its notices name. */
export interface CutRules extends TrimSettings {
  readonly parentFile: string;
  /** Marks of earlier trims. @default {undefined: a mark is recognized by its text} */
  readonly record?: MarkRecord | undefined;
  /** Whether the user named a call or a result; then nothing else is cut. @default {none is named} */
  readonly isNamed?: ((id: string, kind: "call" | "result") => boolean) | undefined;
}

interface CallBlock {
  readonly id: string;
  readonly toolName: string;
  readonly input: unknown;
  /** Its index in the order in which the conversation is sent. */
  readonly index: number;
  readonly place?: BlockPlace;
  /** Whether no transcript line contains it, so that a notice names none. @default {false} */
  readonly isPlaceless?: boolean;
}

interface ResultBlock {
  /** The id of its call. */
  readonly id: string;
  readonly texts: readonly string[];
  readonly isError: boolean;
  readonly index: number;
  readonly place?: BlockPlace;
  /** Savings from dropping its pictures and documents. @default {it has none} */
  readonly media?: MediaSavings | undefined;
}

export interface MediaSavings {
  readonly prior: number;
  readonly tokens: number;
}

/** A block's place in a transcript. */
interface BlockPlace {
  /** Where its entry starts, in bytes. */
  readonly offset: number;
  readonly block: number;
}

/** A part of the conversation that a trim makes smaller. */
export interface Cut {
  readonly kind: "call" | "result" | "media" | "thinking";
  /** The id of the call; undefined for a block without one. */
  readonly id: string | undefined;
  readonly toolName?: string;
  readonly index: number;
  /** Tokens saved, by the estimate before calibration. */
  readonly priorTokens: number;
  /** Further tokens saved, whose cost is known and needs no calibration. */
  readonly mediaTokens: number;
  readonly place?: BlockPlace | undefined;
  /** The reason for the cut; set if `keep` is `need`. */
  readonly reason?: NeedReason;
  /** The remaining part of each text of a result; undefined for a text that stays whole. */
  readonly left?: readonly (Left | undefined)[];
  /** The call whose pictures and documents become a line. @default {they stay} */
  readonly media?: MediaOrigin;
  /** The only arguments of a call that are cut. @default {all that can be} */
  readonly texts?: readonly string[];
  /** Characters that are sent of a block of thinking. */
  readonly chars?: number;
  /** Whether the client does not send the block, as on a branch that was left. @default {false} */
  readonly isUnsent?: boolean;
}

/** The possible cuts, and the blocks that stay for another reason. */
export interface CutPlan {
  /** In the order of the conversation. */
  readonly cuts: readonly Cut[];
  /** Number of results that stay only because they are among the newest. */
  readonly newestCount: number;
  /** Number of long reads that stay whole because nothing has used them yet. */
  readonly unusedCount: number;
  /** Number of results that stay only because they are about protected files. */
  readonly protectedCount: number;
}

interface KnownCall {
  readonly toolName: string;
  /** Arguments that a placeholder names, where one can be needed. */
  readonly input: JsonObject | undefined;
  readonly isProtected: boolean;
}

/** Reminders, also in the form in which a trim in place hides them from the screen. */
const BESIDE = /^(?:(?:<local-command-caveat>)?<system-reminder>|<local-command-std(?:out|err)>)/;

/** Most arguments remembered of a call. */
const MAX_ARGUMENTS = 8;

/** Threshold for which digests are sized, in characters; they grow with a larger one. */
const USUAL_THRESHOLD = 500;

/** Largest factor by which digests grow. */
const MAX_SCALE = 4;

/** Plans the cuts of a conversation from its blocks, oldest first. */
export class CutPlanner {
  readonly calls: Map<string, KnownCall>;

  readonly #rules: CutRules;
  readonly #noticeTokens: number;
  readonly #watch: NeedWatch | undefined;
  /** Ids of all results, oldest first. */
  readonly #resultIds: Set<string>;
  /** Results whose cut depends on later blocks. */
  readonly #open = new Map<string, OpenResult>();
  readonly #writings = new Map<string, CallBlock>();
  readonly #cuts: Cut[] = [];
  #unusedCount = 0;

  /** @param known A planner that has already seen calls and results. */
  constructor(rules: CutRules, known?: CutPlanner) {
    this.#rules = rules;
    this.calls = known?.calls ?? new Map();
    this.#resultIds = known === undefined ? new Set() : new Set(known.#resultIds);
    const { keep, need, keepRecent, threshold, parentFile, record } = rules;
    const notice = digestNotice(SOME_LINE, SOME_LINE, { lineNumber: SOME_LINE, parentFile });
    this.#noticeTokens = estimateTextTokens(notice);
    this.#watch = keep !== "need" ? undefined : new NeedWatch({
      rules: need,
      keepRecent,
      threshold: threshold > USUAL_THRESHOLD ? threshold : Math.min(threshold, need.shortest),
      scale: Math.min(MAX_SCALE, threshold / USUAL_THRESHOLD),
      noticeChars: notice.length,
      fixedUnits: (text, call, allowedChars) =>
        fixedUnitsOf({ record, part: { id: call.id, kind: "result" }, call, allowedChars })(text),
      decide: (decision) => this.#decide(decision),
      decideInput: (decision) => this.#decideInput(decision),
    });
  }

  /** Adds a text of the user or the model; texts of the client and of a trim are ignored. */
  addText(text: string): void {
    if (!BESIDE.test(text) && !isMediaPlaceholder(text)) this.#watch?.addText(text);
  }

  addCall(call: CallBlock): void {
    const { id, toolName, input } = call;
    const { keep, dropsImages, cutsInputs, isProtected } = this.#rules;
    this.calls.set(id, {
      toolName,
      input: keep === "line" || dropsImages ? namingArguments(toolName, input) : undefined,
      isProtected: isProtected?.(toolName, input) === true,
    });
    this.#watch?.addCall(call);
    if (call.isPlaceless === true) return;
    if (cutsInputs) this.#addInput(call);
    else if (this.#watch !== undefined && WRITERS.has(toolName)) this.#writings.set(id, call);
  }

  addResult(result: ResultBlock): void {
    const { id, index, place, texts, isError, media } = result;
    // The API accepts only one result per call.
    if (this.#resultIds.has(id)) return;
    this.#resultIds.add(id);
    const { toolName = "", isProtected = false } = this.calls.get(id) ?? {};
    if (this.#watch !== undefined) {
      const isFree = this.#rules.isTarget(toolName) && !isProtected;
      const isLong = texts.some((text) => text.length > this.#rules.threshold);
      const tokens = texts.map(estimateTextTokens);
      this.#open.set(id, { index, place, media, tokens, isCounted: isFree && isLong });
      // The line that replaces a picture does not belong to the tool's output.
      const own = texts.map((text) => isMediaPlaceholder(text) ? "" : text);
      this.#watch.addResult({ id, texts: own, isError, isFree });
      // A protected result is planned too, to count results that stay only for that reason.
      if (!isProtected) return;
    }
    const { input } = this.originOf(id);
    const cut = { ...this.#rules, id, toolName: toolName || "unknown", input };
    const left = texts.map((text) => resultLeft(text, cut));
    const hasMedia = media !== undefined && this.#watch === undefined;
    if (left.every((one) => one === undefined) && !hasMedia) return;
    const prior = texts.reduce((sum, text, at) => {
      const rest = left[at];
      if (rest === undefined) return sum;
      const { parentFile } = this.#rules;
      const after = leftText(text, rest, { lineNumber: SOME_LINE, parentFile });
      return sum + estimateTextTokens(text) - estimateTextTokens(after);
    }, 0);
    this.#addResultCut({ id, index, place, left }, prior, media);
  }

  /** Adds a block that is cut as a whole, such as a picture in a message or old thinking. */
  addOther(cut: Cut): void {
    this.#cuts.push(cut);
  }

  /** The tool and the arguments of a call, as far as a placeholder names them. */
  originOf(id: string | undefined): MediaOrigin {
    const { toolName, input } = this.calls.get(id ?? "") ?? {};
    return { toolName, input };
  }

  finish(): CutPlan {
    this.#watch?.finish();
    const { keepRecent, isNamed } = this.#rules;
    const newestIds = new Set(keepRecent === 0 ? [] : [...this.#resultIds].slice(-keepRecent));
    const isProtected = (id: string): boolean => this.calls.get(id)?.isProtected === true;
    const isFree = ({ id, kind }: Cut): boolean => {
      if (isNamed !== undefined) {
        return id !== undefined && (kind === "call" || kind === "result") && isNamed(id, kind);
      }
      return id === undefined || (!newestIds.has(id) && !isProtected(id));
    };
    const all = this.#cuts.filter((cut) => this.#isTarget(cut)).sort((a, b) => a.index - b.index);
    const held = all.filter((cut) => cut.kind === "result" && !isFree(cut));
    const protectedCount = held.filter(({ id = "" }) => isProtected(id)).length;
    return {
      cuts: all.filter(isFree).map((cut) => ({
        ...cut,
        toolName: this.calls.get(cut.id ?? "")?.toolName ?? "",
      })),
      newestCount: held.length - protectedCount,
      unusedCount: this.#unusedCount,
      protectedCount,
    };
  }

  /**
   * Takes cuts until they free enough, least missed first, then oldest first.
   *
   * @param excess Tokens to free.
   * @param scale Factor of every estimate of tokens.
   */
  choose({ cuts }: CutPlan, excess: number, scale: number): Cut[] {
    const chosen: Cut[] = [];
    let saved = 0;
    const rank = ({ reason }: Cut): number => this.#watch === undefined ? 0 : regretOf(reason);
    for (const cut of cuts.toSorted((a, b) => rank(a) - rank(b) || a.index - b.index)) {
      if (Math.round(saved) >= excess) break;
      const tokens = tokensOf(cut, scale);
      if (tokens <= 0) continue;
      saved += tokens;
      chosen.push(cut);
    }
    return chosen;
  }

  /** A result without its call is not sent, and not cut either. */
  #isTarget({ kind, id }: Cut): boolean {
    if (kind === "call" || id === undefined) return true;
    const toolName = this.calls.get(id)?.toolName;
    return toolName !== undefined && this.#rules.isTarget(toolName);
  }

  #addInput(call: CallBlock, decision?: InputDecision): void {
    const { id, toolName, input, index, place } = call;
    const saved = inputSavings(toolName, input, { ...this.#rules, id, texts: decision?.texts });
    if (saved === undefined) return;
    this.#cuts.push({
      kind: "call",
      id,
      index,
      place,
      priorTokens: saved,
      mediaTokens: 0,
      ...(decision === undefined ? {} : { texts: decision.texts, reason: decision.reason }),
    });
  }

  #decide({ id, kept, reason }: NeedDecision): void {
    const found = this.#open.get(id);
    this.#open.delete(id);
    if (found === undefined) return;
    const { index, place, media, tokens } = found;
    if (reason === "not used yet" && found.isCounted) this.#unusedCount++;
    const left = kept.map((digest) => digest === undefined ? undefined : { digest });
    const isCounted = reason === "newest" && found.isCounted;
    if (left.every((one) => one === undefined) && media === undefined && !isCounted) return;
    const prior = kept.reduce((sum, digest, at) => {
      if (digest === undefined) return sum;
      const after = estimateTextTokens(digest) + this.#noticeTokens;
      return sum + (tokens[at] ?? 0) - after;
    }, 0);
    this.#addResultCut({ id, index, place, left, reason }, prior, media);
  }

  #addResultCut(
    cut: Pick<Cut, "index" | "place" | "left" | "reason"> & { readonly id: string },
    prior: number,
    media: MediaSavings | undefined,
  ): void {
    this.#cuts.push({
      ...cut,
      kind: "result",
      priorTokens: prior + (media?.prior ?? 0),
      mediaTokens: media?.tokens ?? 0,
      ...(media === undefined ? {} : { media: this.originOf(cut.id) }),
    });
  }

  #decideInput(decision: InputDecision): void {
    const call = this.#writings.get(decision.id);
    if (call !== undefined) this.#addInput(call, decision);
  }
}

function namingArguments(toolName: string, input: unknown): JsonObject | undefined {
  const shown = Object.entries(isObject(input) ? input : {}).flatMap(([name, value]) => {
    const text = usesArgument(toolName, name) ? shownArgument(value) : undefined;
    return text === undefined ? [] : [[name, text]];
  });
  return shown.length === 0 ? undefined : Object.fromEntries(shown.slice(0, MAX_ARGUMENTS));
}

interface OpenResult {
  readonly index: number;
  readonly place: BlockPlace | undefined;
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

/** Whether passages of a result stay because they are about the current work. */
export function isWorkedOn({ left, reason }: Cut): boolean {
  return reason === "worked on" && left?.some((one) => one !== undefined) === true;
}
