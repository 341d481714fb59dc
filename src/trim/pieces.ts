/** Lists what a trim could make smaller in an active context, with what each piece would save. */

import { sentAttachedBlocks } from "./spans.ts";
import type { TreeNode } from "../transcript/tree/conversation.ts";
import { type ContentPart, hiddenFactor, resultTexts } from "../transcript/content.ts";
import { asString, type Entry, isObject, type JsonObject } from "../transcript/entry.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import type { BlockChange } from "./edit/block_edits.ts";
import type { CallInputs } from "./call_inputs.ts";
import { inputSavings } from "./edit/cut_input.ts";
import { maskText, type TrimStyle } from "./mask_text.ts";
import { isMedia, mediaTokens, replaceMedia } from "./edit/media.ts";
import type { NeedFinder, Piece } from "./need_pieces.ts";
import { type FileUse, fileUseOf, supersededUses } from "./superseded.ts";
import { ThinkingFinder } from "./thinking.ts";
import { fixedUnitsOf } from "./marks/fixed_units.ts";
import type { MarkRecord } from "../core/marks.ts";
import { truncateContent } from "./truncate.ts";

export interface PieceRules {
  /** What earlier trims of the session left. @default {undefined: the look of a mark decides} */
  record?: MarkRecord | undefined;
  threshold: number;
  parentFile: string;
  /** How a result is made smaller. @default {"truncate"} */
  style?: TrimStyle;
  isTarget(toolName: string): boolean;
  /** Whether what calls write into files is cut. @default {false} */
  cutsInputs?: boolean;
  /** Whether pictures and documents become a line. @default {false} */
  dropsImages?: boolean;
  /** Whether the thinking of finished turns goes. @default {false} */
  dropsThinking?: boolean;
}

/** The line number that stands in a notice for one that is not known yet: its digits hardly matter. */
const SOME_LINE = 1000;

/** Tells how much of a long argument stays: a mask leaves nothing of it but a notice. */
export function keptInputChars(style: TrimStyle | undefined): number | undefined {
  return style === "truncate" || style === undefined ? undefined : 0;
}

export class PieceFinder {
  /** The ids of all results, in the order in which they are sent. */
  readonly resultIds: string[] = [];
  readonly names: Map<string, string> = new Map();

  readonly #rules: PieceRules;
  readonly #calls: CallInputs;
  readonly #model: string | undefined;
  readonly #thinking: ThinkingFinder;
  readonly #need: NeedFinder | undefined;
  readonly #pieces: Piece[] = [];
  readonly #userMedia: Piece[] = [];
  readonly #uses: FileUse[] = [];
  readonly #useById = new Map<string, FileUse>();
  readonly #resultOfLine = new Map<string, string>();
  #index = -1;

  constructor(
    rules: PieceRules,
    calls: CallInputs,
    model: string | undefined,
    need?: NeedFinder,
  ) {
    this.#need = need;
    this.#rules = rules;
    this.#calls = calls;
    this.#model = model;
    this.#thinking = new ThinkingFinder(model);
  }

  add(node: TreeNode, entry: Entry, parts: readonly ContentPart[]): void {
    this.#index++;
    if (this.#rules.dropsThinking || this.#rules.dropsImages) {
      this.#thinking.add(node, entry, this.#index, parts);
    }
    if (this.#need !== undefined) {
      for (const part of parts) if (part.kind === "text") this.#need.addText(part.text);
    }
    if (entry.type === "attachment" && this.#rules.dropsImages) {
      for (const [block, value] of sentAttachedBlocks(entry).entries()) {
        if (isMedia(value)) this.#addMedia(node, entry, block, value);
      }
    }
    const content = entry.message?.content;
    if (!Array.isArray(content)) return;
    for (const [block, value] of content.entries()) {
      if (!isObject(value)) continue;
      if (entry.type === "assistant" && value.type === "tool_use") {
        this.#addCall(node, block, value, parts);
      } else if (entry.type === "user" && value.type === "tool_result") {
        this.#addResult(entry, value, parts);
      } else if (entry.type === "user" && this.#rules.dropsImages && isMedia(value)) {
        this.#addMedia(node, entry, block, value);
      }
    }
  }

  finish(): Piece[] {
    const isTarget = ({ id }: Piece): boolean => {
      if (id === undefined) return true;
      // A result without its call is not sent, and not cut either.
      const toolName = this.names.get(id);
      return toolName !== undefined && this.#rules.isTarget(toolName);
    };
    // A picture that somebody has just shown is what the newest turn is about.
    const media = this.#userMedia.filter(({ id, index }) =>
      id !== undefined || index < this.#thinking.newestTurn
    );
    this.#need?.finish();
    this.#pieces.push(...this.#need?.pieces ?? []);
    const results = [...this.#pieces.filter(({ place }) => place === undefined), ...media];
    const inputs = this.#pieces.filter(({ place }) => place !== undefined);
    const thinking = this.#rules.dropsThinking ? this.#thinkingPieces() : [];
    return [...results.filter(isTarget), ...inputs, ...thinking].sort((a, b) => a.index - b.index);
  }

  superseded(): Set<string> {
    return supersededUses(this.#uses);
  }

  #addCall(
    node: TreeNode,
    block: number,
    value: JsonObject,
    parts: readonly ContentPart[],
  ): void {
    const id = asString(value.id);
    const toolName = asString(value.name);
    if (id === undefined || toolName === undefined) return;
    const { input } = value;
    this.names.set(id, toolName);
    this.#calls.add(id, toolName, input);
    const use = fileUseOf({ id, toolName, input });
    if (use !== undefined) {
      this.#uses.push(use);
      this.#useById.set(id, use);
    }
    const { index: place, offset } = { index: this.#index, offset: node.offset };
    const factor = factorOf(parts, "tool_use", id);
    this.#need?.addCall({ id, toolName, input, index: place, offset, block, factor });
    if (!this.#rules.cutsInputs) return;
    const { threshold, parentFile, style, record } = this.#rules;
    const keep = keptInputChars(style);
    const part = { id, kind: "call" } as const;
    const fixed = fixedUnitsOf({ record, part, allowedChars: keep ?? threshold });
    const options = { threshold, keep, parentFile, lineNumber: SOME_LINE, ...fixed };
    const saved = inputSavings(toolName, input, options);
    if (saved.chars === 0) return;
    const change: BlockChange = { kind: "input", id, toolName };
    this.#pieces.push({
      index: this.#index,
      id,
      priorTokens: saved.priorTokens * factor,
      mediaTokens: 0,
      place: { offset: node.offset, block, change },
    });
  }

  #addResult(entry: Entry, value: JsonObject, parts: readonly ContentPart[]): void {
    const id = asString(value.tool_use_id);
    if (id === undefined || !parts.some((part) => isPartOf(part, "tool_result", id))) return;
    this.resultIds.push(id);
    if (entry.uuid !== undefined) this.#resultOfLine.set(entry.uuid, id);
    const use = this.#useById.get(id);
    if (use !== undefined && value.is_error === true) use.isError = true;
    const factor = factorOf(parts, "tool_result", id);
    let isCut = false;
    const media = { prior: 0, tokens: 0 };
    const inner = this.#rules.dropsImages && Array.isArray(value.content) ? value.content : [];
    for (const block of inner.filter(isMedia)) {
      const found = this.#mediaSavings(block, id);
      if (found === undefined) continue;
      isCut = true;
      media.prior += found.prior;
      media.tokens += found.tokens;
    }
    const texts = resultTexts(value.content);
    if (this.#need !== undefined) {
      this.#need.addResult({
        id,
        index: this.#index,
        texts,
        isError: value.is_error === true,
        isFree: this.#rules.isTarget(this.names.get(id) ?? "") && !this.#calls.isProtected(id),
        factor,
        media: { ...media, isFound: isCut },
      });
      // How many are left whole because they are protected is told, too.
      if (!this.#calls.isProtected(id) || !texts.some((text) => this.#cutText(id, text) !== text)) {
        return;
      }
    }
    let priorTokens = 0;
    for (const text of texts) {
      const cut = this.#cutText(id, text);
      if (cut === text) continue;
      isCut = true;
      priorTokens += estimateTextTokens(text) * factor - estimateTextTokens(cut);
    }
    if (!isCut) return;
    this.#pieces.push({
      index: this.#index,
      id,
      priorTokens: priorTokens + media.prior,
      mediaTokens: media.tokens,
      place: undefined,
    });
  }

  #cutText(id: string, text: string): string {
    const { threshold, parentFile, style, record } = this.#rules;
    const call = { toolName: this.names.get(id) ?? "unknown", input: this.#calls.inputOf(id) };
    const part = { id, kind: "result" } as const;
    const allowedChars = style === "mask" ? 0 : threshold;
    const fixed = fixedUnitsOf({ record, part, call, allowedChars });
    const options = { threshold, parentFile, lineNumber: SOME_LINE, ...fixed };
    return style === "mask"
      ? maskText(text, { ...options, ...call })
      : truncateContent(text, options);
  }

  #addMedia(node: TreeNode, entry: Entry, block: number, value: JsonObject): void {
    // The pages of a PDF come behind the result of the call that read it, as the client's words.
    const id = entry.raw.isMeta === true
      ? this.#resultOfLine.get(entry.parentUuid ?? "")
      : undefined;
    const found = this.#mediaSavings(value, id);
    if (found === undefined) return;
    this.#userMedia.push({
      index: this.#index,
      id,
      priorTokens: found.prior,
      mediaTokens: found.tokens,
      place: { offset: node.offset, block, change: { kind: "image", origin: this.#originOf(id) } },
    });
  }

  #mediaSavings(
    block: JsonObject,
    id: string | undefined,
  ): { prior: number; tokens: number } | undefined {
    const { parentFile } = this.#rules;
    const media = replaceMedia(block, this.#originOf(id), { parentFile, lineNumber: SOME_LINE });
    if (media === undefined) return undefined;
    return {
      prior: -estimateTextTokens(media.placeholder),
      tokens: mediaTokens(block, this.#model),
    };
  }

  #originOf(id: string | undefined): { toolName: string | undefined; input: unknown } {
    if (id === undefined) return { toolName: undefined, input: undefined };
    return { toolName: this.names.get(id), input: this.#calls.inputOf(id) };
  }

  #thinkingPieces(): Piece[] {
    return this.#thinking.removable().map(({ offset, block, index, chars, priorTokens }) => ({
      index,
      id: undefined,
      priorTokens,
      mediaTokens: 0,
      place: { offset, block, change: { kind: "thinking", chars } },
    }));
  }
}

/** How many times as long a call or a result is as what was read of it. */
function factorOf(parts: readonly ContentPart[], kind: ContentPart["kind"], id: string): number {
  return hiddenFactor(parts.find((part) => isPartOf(part, kind, id)));
}

function isPartOf(part: ContentPart, kind: ContentPart["kind"], id: string): boolean {
  return part.kind === kind && part.id === id;
}
