/** Splits the entries of a conversation into the blocks that a trim can cut. */

import { isObject, type JsonObject } from "../core/record.ts";
import {
  attachedBlocks,
  blockParts,
  contentChars,
  type ContentPart,
  isMedia,
  queuedPrompt,
  resultTexts,
} from "../transcript/content.ts";
import { asString, type Entry } from "../transcript/entry.ts";
import { estimateTextTokens } from "../transcript/tokens/tokens.ts";
import type { TreeNode } from "../transcript/tree/tree.ts";
import {
  type Cut,
  type CutPlan,
  CutPlanner,
  type CutRules,
  type Savings,
  tokensFreed,
} from "./cut_planner.ts";
import { mediaTokens, replaceMedia } from "./media.ts";
import { SAMPLE_LINE } from "./remainder.ts";
import { partTokens } from "./spans.ts";

export class ContextReader {
  readonly planner: CutPlanner;

  readonly #rules: CutRules;
  readonly #model: string | undefined;
  readonly #thinking: ThinkingFinder;
  readonly #userMedia: Cut[] = [];
  /** The cuts of all images and documents, if even the newest are dropped. */
  readonly #allMedia: Cut[] = [];
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
    const dropped = this.#allMedia.filter(({ id }) => this.#isDropped(id));
    const { newestTurnIndex } = this.#thinking;
    for (const media of this.#userMedia) {
      // A picture in the user's newest prompt is kept, because the newest turn is about it.
      if (media.id !== undefined || media.index < newestTurnIndex) this.planner.addBlockCut(media);
    }
    for (const cut of this.#rules.dropsThinking ? this.#thinking.removable() : []) {
      this.planner.addBlockCut(cut);
    }
    const freed = tokensFreed(dropped, scale);
    const plan = this.planner.finish(excess === undefined ? undefined : excess - freed, scale);
    // The images of a result follow its texts, because a line that replaces an image is one more text.
    const cuts = [...plan.cuts, ...dropped];
    return { ...plan, cuts, savedTokens: plan.savedTokens + freed };
  }

  /** Excludes images of tools that the user did not name, and of protected files. */
  #isDropped(id: string | undefined): boolean {
    const { toolName, input } = this.planner.originOf(id);
    if (id === undefined) return true;
    const { namedTools, isProtected } = this.#rules;
    return toolName !== undefined && isProtected?.(toolName, input) !== true &&
      (namedTools.length === 0 || namedTools.includes(toolName));
  }

  #addCall({ offset }: TreeNode, block: number, { id, name: toolName, input }: JsonObject): void {
    if (typeof id !== "string" || typeof toolName !== "string") return;
    this.planner.addCall({ id, toolName, input, index: this.#index, place: { offset, block } });
  }

  #addResult({ uuid, offset }: TreeNode, id: string, block: number, value: JsonObject): void {
    this.#resultOfLine.set(uuid, id);
    const [index, place] = [this.#index, { offset, block }];
    const media = this.#mediaIn(value.content, id);
    const { dropsNewestImages } = this.#rules;
    if (media !== undefined && dropsNewestImages) {
      const origin = this.planner.originOf(id);
      this.#allMedia.push({ kind: "result", id, index, place, media: origin, ...media });
    }
    this.planner.addResult({
      id,
      index,
      place,
      texts: resultTexts(value.content),
      isError: value.is_error === true,
      media: dropsNewestImages ? undefined : media,
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
    const cut = { kind: "media", id, index: this.#index, place, media, ...savings } as const;
    (this.#rules.dropsNewestImages ? this.#allMedia : this.#userMedia).push(cut);
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

/** The parts of an assistant's message that are sent, except thinking. */
interface SentMessage {
  hasOtherParts: boolean;
  callIds: string[];
}

/**
 * Finds the thinking of finished turns, which can be removed if the client and the API accept the rest of
 * the message.
 *
 * A turn is finished once the model has answered a later prompt; for the API, a prompt typed while a tool ran
 * continues the turn. A line whose only block is removed keeps an empty list, because the client builds the
 * message from the other lines, and the API refuses an empty text block. A message that has only thinking is
 * kept, because the client would send a placeholder for an empty one.
 */
class ThinkingFinder {
  newestTurnIndex = 0;

  readonly #model: string | undefined;
  readonly #blocks: { readonly cut: Cut; readonly message: SentMessage }[] = [];
  readonly #answered = new Set<string>();
  #messageId: string | undefined;
  #message: SentMessage = { hasOtherParts: false, callIds: [] };
  #prompt: { index: number; isAfterResult: boolean } | undefined;
  #isAfterResult = false;

  constructor(model: string | undefined) {
    this.#model = model;
  }

  add(node: TreeNode, entry: Entry, index: number, parts: readonly ContentPart[]): void {
    if (entry.type === "assistant") {
      this.#addAnswer(node, entry, index);
      return;
    }
    if (parts.length === 0) return;
    const results = parts.filter((part) => part.kind === "tool_result");
    for (const { id } of results) {
      if (id !== undefined) this.#answered.add(id);
    }
    if (results.length > 0) {
      this.#isAfterResult = true;
      return;
    }
    // Later lines of the assistant begin a new message, even with the same id.
    this.#messageId = undefined;
    if (isPrompt(entry)) this.#prompt ??= { index, isAfterResult: this.#isAfterResult };
  }

  removable(): Cut[] {
    return this.#blocks.filter(({ cut, message }) =>
      cut.index < this.newestTurnIndex &&
      (message.hasOtherParts || message.callIds.some((id) => this.#answered.has(id)))
    ).map(({ cut }) => cut);
  }

  #addAnswer(node: TreeNode, entry: Entry, index: number): void {
    const content = entry.message?.content;
    const isSent = entry.message?.model !== "<synthetic>";
    if (node.messageId === undefined || node.messageId !== this.#messageId || !isSent) {
      this.#message = { hasOtherParts: false, callIds: [] };
    }
    this.#messageId = isSent ? node.messageId : undefined;
    if (!isSent || !Array.isArray(content)) return;
    if (this.#prompt !== undefined && !this.#prompt.isAfterResult) {
      this.newestTurnIndex = this.#prompt.index;
    }
    this.#prompt = undefined;
    this.#isAfterResult = false;
    for (const [block, value] of content.entries()) {
      if (isObject(value)) {
        this.#addBlock(entry, value, { index, place: { offset: node.offset, block } });
      }
    }
  }

  #addBlock(entry: Entry, value: JsonObject, position: Pick<Cut, "index" | "place">): void {
    const message = this.#message;
    if (value.type === "thinking" || value.type === "redacted_thinking") {
      // Another model's thinking is not sent.
      const isSent = this.#model === undefined || entry.message?.model === this.#model;
      const parts = isSent ? blockParts(value) : [];
      const priorTokens = parts.reduce((sum, part) => sum + partTokens(part), 0);
      const savings = { thinkingChars: contentChars(parts), priorTokens, mediaTokens: 0 };
      const cut = { kind: "thinking", id: undefined, ...position, ...savings } as const;
      this.#blocks.push({ cut, message });
    } else if (value.type === "tool_use") {
      message.callIds.push(asString(value.id) ?? "");
    } else if (value.type !== "text" || asString(value.text)?.trim() !== "") {
      message.hasOtherParts = true;
    }
  }
}

/** Excludes entries that the client wrote in the user's role. */
function isPrompt(entry: Entry): boolean {
  const { raw } = entry;
  if (entry.type !== "user" || raw.isMeta === true || raw.isCompactSummary === true) return false;
  return !isObject(raw.origin) || raw.origin.kind === "human";
}
