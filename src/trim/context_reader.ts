/** Splits the entries of a conversation into the blocks that a trim can cut. */

import { isObject, type JsonObject } from "../core/record.ts";
import {
  attachedBlocks,
  type ContentPart,
  isMedia,
  queuedPrompt,
  resultTexts,
} from "../transcript/content.ts";
import { asString, type Entry } from "../transcript/entry.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import type { TreeNode } from "../transcript/tree/tree.ts";
import { type Cut, type CutPlan, CutPlanner, type CutRules, type Savings } from "./cut_planner.ts";
import { SAMPLE_LINE } from "./remainder.ts";
import { mediaTokens, replaceMedia } from "./media.ts";
import { ThinkingFinder } from "./thinking.ts";

export class ContextReader {
  readonly planner: CutPlanner;

  readonly #rules: CutRules;
  readonly #model: string | undefined;
  readonly #thinking: ThinkingFinder;
  readonly #userMedia: Cut[] = [];
  readonly #resultOfLine = new Map<string, string>();
  #index = -1;

  constructor(rules: CutRules, model: string | undefined, known?: CutPlanner) {
    this.#rules = rules;
    this.#model = model;
    this.#thinking = new ThinkingFinder(model);
    this.planner = new CutPlanner(rules, known);
  }

  add(node: TreeNode, entry: Entry, parts: readonly ContentPart[]): void {
    this.#index++;
    this.#thinking.add(node, entry, this.#index, parts);
    for (const { kind, text } of parts) {
      if (entry.type === "assistant") this.planner.addAnswer(text);
      if (kind === "text") this.planner.addText(text);
    }
    const queued = queuedPrompt(entry);
    if (queued !== undefined) this.planner.addText(queued);
    if (entry.type === "attachment" && parts.some(({ media }) => media !== undefined)) {
      for (const [block, value] of attachedBlocks(entry.raw.attachment).entries()) {
        if (isMedia(value)) this.#addMedia(node, entry, block, value);
      }
    }
    const content = entry.message?.content;
    if (!Array.isArray(content)) return;
    // A line can contain hundreds of thousands of results, so they are looked up in a set.
    const cuttableResults = new Set(
      parts.map(({ kind, id, isCleared = false }) =>
        kind === "tool_result" && !isCleared ? id : undefined
      ),
    );
    for (const [block, value] of content.entries()) {
      if (!isObject(value)) continue;
      if (entry.type === "assistant" && value.type === "tool_use") {
        this.#addCall(node, block, value);
      } else if (entry.type === "user" && value.type === "tool_result") {
        const id = asString(value.tool_use_id);
        if (id !== undefined && cuttableResults.has(id)) this.#addResult(node, id, block, value);
      } else if (entry.type === "user" && isMedia(value)) {
        this.#addMedia(node, entry, block, value);
      }
    }
  }

  finish(excess: number | undefined, scale: number): CutPlan {
    const { newestTurnIndex } = this.#thinking;
    for (const media of this.#userMedia) {
      // A picture in the user's newest prompt is kept, because the newest turn is about it.
      if (media.id !== undefined || media.index < newestTurnIndex) this.planner.addBlockCut(media);
    }
    for (const cut of this.#rules.dropsThinking ? this.#thinking.removable() : []) {
      this.planner.addBlockCut(cut);
    }
    return this.planner.finish(excess, scale);
  }

  #addCall({ offset }: TreeNode, block: number, { id, name: toolName, input }: JsonObject): void {
    if (typeof id !== "string" || typeof toolName !== "string") return;
    this.planner.addCall({ id, toolName, input, index: this.#index, place: { offset, block } });
  }

  #addResult({ uuid, offset }: TreeNode, id: string, block: number, value: JsonObject): void {
    this.#resultOfLine.set(uuid, id);
    this.planner.addResult({
      id,
      index: this.#index,
      place: { offset, block },
      texts: resultTexts(value.content),
      isError: value.is_error === true,
      media: this.#mediaIn(value.content, id),
    });
  }

  #mediaIn(content: unknown, id: string): Savings | undefined {
    if (!Array.isArray(content)) return undefined;
    const found = content.filter(isMedia).flatMap((block) => this.#mediaSavings(block, id) ?? []);
    return found.length === 0 ? undefined : {
      priorTokens: found.reduce((sum, { priorTokens }) => sum + priorTokens, 0),
      mediaTokens: found.reduce((sum, { mediaTokens }) => sum + mediaTokens, 0),
    };
  }

  #addMedia({ offset }: TreeNode, entry: Entry, block: number, value: JsonObject): void {
    // The pages of a PDF follow the result of the call that read it, in a message that the client adds.
    const id = entry.raw.isMeta === true
      ? this.#resultOfLine.get(entry.parentUuid ?? "")
      : undefined;
    const savings = this.#mediaSavings(value, id);
    if (savings === undefined) return;
    const media = this.planner.originOf(id);
    const place = { offset, block };
    this.#userMedia.push({ kind: "media", id, index: this.#index, place, media, ...savings });
  }

  #mediaSavings(block: JsonObject, id: string | undefined): Savings | undefined {
    const { dropsImages, parentFile } = this.#rules;
    if (!dropsImages) return undefined;
    const origin = this.planner.originOf(id);
    const media = replaceMedia(block, origin, { parentFile, lineNumber: SAMPLE_LINE });
    return media === undefined ? undefined : {
      priorTokens: -estimateTextTokens(media.placeholder),
      mediaTokens: mediaTokens(block, this.#model),
    };
  }
}
