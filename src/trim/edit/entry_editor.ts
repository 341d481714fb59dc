/** Decides what changes in one entry of a trimmed copy. */

import type { MarkRecord } from "../../core/marks.ts";
import { MemberWalker, skipSpace, skipString, skipValue } from "../../transcript/json_scan.ts";
import { replaceMediaAt } from "./block_edits.ts";
import type { CallInputs } from "../call_inputs.ts";
import { cutMirror } from "./cut_mirror.ts";
import type { EditList } from "./edits.ts";
import { shortenResult, type TrimStyle } from "../mask_text.ts";
import { withDigestNotice } from "../need_texts.ts";
import type { TrimPlan } from "../plan.ts";
import { decodeRaw, type RawText, rewriteString } from "./raw_string.ts";
import type { TruncateOptions } from "../truncate.ts";

/** Types of pictures and documents. */
const MEDIA_TYPES = ['"image"', '"document"'] as const;

interface CutRules {
  /** Marks that earlier trims of the session left. @default {undefined: the look of a mark decides} */
  record?: MarkRecord | undefined;
  threshold: number;
  isTarget(toolName: string): boolean;
  /** The results of the context, which are cut only where the plan says so. */
  plan?: Pick<TrimPlan, "results" | "contextIds"> | undefined;
  toolNameOf(id: string): string | undefined;
  parentFile: string;
  /** The way a result is made smaller. @default {"truncate"} */
  style?: TrimStyle;
  /** Whether pictures and documents in results become a line. @default {false} */
  dropsImages?: boolean;
  /** Facts about calls; needed to mask and to tell where a picture came from. */
  calls?: CallInputs;
}

export interface CutResult {
  id: string;
  toolName: string;
  lineNumber: number;
  charsSaved: number;
  imageCount: number;
  imageCharsSaved: number;
}

interface OpenCut extends CutResult {
  textCount: number;
}

interface ResultPlace {
  id: string;
  start: number;
  end: number;
}

export class EntryEditor {
  readonly #rules: CutRules;
  readonly #line = new MemberWalker();
  readonly #message = new MemberWalker();
  readonly #block = new MemberWalker();
  readonly #inner = new MemberWalker();

  constructor(rules: CutRules) {
    this.#rules = rules;
  }

  cutResults(
    raw: RawText,
    start: number,
    end: number,
    lineNumber: number,
    edits: EditList,
  ): CutResult[] {
    const { threshold, parentFile } = this.#rules;
    const { text } = raw;
    const options: TruncateOptions = { threshold, parentFile, lineNumber };
    const line = this.#line;
    let isUser = false;
    let mirror = -1;
    let results: ResultPlace[] = [];
    if (!line.start(text, skipSpace(text, start, end), end)) return [];
    // JSON reads the last of two members with one name, so the one that remains at the end is cut.
    while (line.next()) {
      if (line.keyIs("type")) {
        isUser = text.startsWith('"user"', line.valueStart);
        if (!isUser) return [];
      } else if (line.keyIs("message")) {
        results = [];
        line.skipTo(this.#findResults(raw, line.valueStart, end, results));
        const hasTarget = results.some((result) => this.#isTarget(text, result));
        if (isUser && !hasTarget) return [];
      } else if (line.keyIs("toolUseResult")) {
        mirror = line.valueStart;
      }
    }
    if (!isUser || line.objectEnd < 0) return [];
    const cut = results.flatMap((result) => this.#cutResult(raw, result, edits, options) ?? []);
    if (mirror >= 0 && cut.length > 0) cutMirror(raw, mirror, end, edits, options);
    return cut;
  }

  #isTarget(text: string, { id, start, end }: ResultPlace): boolean {
    const { threshold, plan, calls, dropsImages, toolNameOf } = this.#rules;
    if (plan?.contextIds.has(id) === true) return plan.results.has(id);
    // A picture of few bytes can cost as much as one of many.
    const hasMedia = dropsImages === true && text[start] === "[";
    if (!(end - start > threshold || hasMedia)) return false;
    // Finding the name reads ahead where it must; only then is a call known to be protected.
    const toolName = toolNameOf(id);
    return toolName !== undefined && this.#rules.isTarget(toolName) &&
      calls?.isProtected(id) !== true;
  }

  #cutResult(
    raw: RawText,
    result: ResultPlace,
    edits: EditList,
    options: TruncateOptions,
  ): CutResult | undefined {
    if (!this.#isTarget(raw.text, result)) return undefined;
    const { id, start, end } = result;
    const toolName = this.#rules.toolNameOf(id) ?? "";
    const cut = {
      id,
      toolName,
      lineNumber: options.lineNumber,
      textCount: 0,
      charsSaved: 0,
      imageCount: 0,
      imageCharsSaved: 0,
    };
    if (raw.text[start] === '"') this.#cutText(raw, start, end, edits, options, cut);
    else this.#cutBlocks(raw, start, end, edits, options, cut);
    return cut.charsSaved === 0 && cut.imageCount === 0 ? undefined : cut;
  }

  #cutText(
    raw: RawText,
    start: number,
    end: number,
    edits: EditList,
    options: TruncateOptions,
    cut: OpenCut,
  ): void {
    const { id, toolName } = cut;
    const { style = "truncate", plan, calls, record } = this.#rules;
    const kept = plan?.results.get(id)?.kept;
    if (kept !== undefined) {
      const left = kept[cut.textCount++];
      if (left === undefined) return;
      const digested = (text: string) => withDigestNotice(text, left, options);
      cut.charsSaved += rewriteString(raw, start, end, edits, digested);
      return;
    }
    // A character takes a byte at least.
    if (end - start - 2 <= options.threshold || plan?.results.get(id)?.reason !== undefined) return;
    const how = { ...options, style, id, record, toolName, input: calls?.inputOf(id) };
    cut.charsSaved += rewriteString(raw, start, end, edits, (text) => shortenResult(text, how));
  }

  /** Cuts the text blocks of a result that is a list; images stay unless told, references do. */
  #cutBlocks(
    raw: RawText,
    start: number,
    end: number,
    edits: EditList,
    options: TruncateOptions,
    cut: OpenCut,
  ): void {
    const { text } = raw;
    const inner = this.#inner;
    let at = nextObject(text, start + 1, end);
    while (text[at] === "{") {
      let isText = false;
      let isImage = false;
      let textStart = -1;
      let textEnd = -1;
      inner.start(text, at, end);
      while (inner.next()) {
        if (inner.keyIs("type")) {
          isText = text.startsWith('"text"', inner.valueStart);
          isImage = MEDIA_TYPES.some((type) => text.startsWith(type, inner.valueStart));
        } else if (inner.keyIs("text") && text[inner.valueStart] === '"') {
          textStart = inner.valueStart;
          textEnd = inner.skip();
        }
      }
      if (inner.objectEnd < 0) return;
      if (isText && textEnd > 0) this.#cutText(raw, textStart, textEnd, edits, options, cut);
      else if (isImage && this.#rules.dropsImages) {
        this.#dropImage(raw, at, inner.objectEnd, edits, cut);
      }
      at = skipSpace(text, inner.objectEnd, end);
      if (text[at] !== ",") return;
      at = nextObject(text, at + 1, end);
    }
  }

  #dropImage(raw: RawText, start: number, end: number, edits: EditList, cut: OpenCut): void {
    const { calls, parentFile } = this.#rules;
    const { id, toolName, lineNumber } = cut;
    const origin = { toolName, input: calls?.inputOf(id), lineNumber, parentFile };
    const saved = replaceMediaAt(raw, { start, end }, edits, origin);
    if (saved === 0) return;
    cut.imageCount++;
    cut.imageCharsSaved += saved;
  }

  #findResults(raw: RawText, at: number, end: number, results: ResultPlace[]): number {
    const { text } = raw;
    const message = this.#message;
    if (!message.start(text, at, end)) return skipValue(text, at, end);
    while (message.next()) {
      if (!message.keyIs("content")) continue;
      results.length = 0;
      if (text[message.valueStart] !== "[") continue;
      message.skipTo(this.#findInBlocks(raw, message.valueStart, end, results));
    }
    return message.objectEnd;
  }

  #findInBlocks(raw: RawText, start: number, end: number, results: ResultPlace[]): number {
    const { text } = raw;
    const block = this.#block;
    let at = nextObject(text, start + 1, end);
    while (text[at] === "{") {
      let isResult = false;
      let id = "";
      let from = -1;
      let to = -1;
      block.start(text, at, end);
      while (block.next()) {
        if (block.keyIs("type")) isResult = text.startsWith('"tool_result"', block.valueStart);
        else if (block.keyIs("tool_use_id")) {
          id = decodeRaw(raw, block.valueStart, block.skip());
        } else if (block.keyIs("content")) {
          from = block.valueStart;
          to = block.skip();
        }
      }
      if (block.objectEnd < 0) return -1;
      if (isResult && id !== "" && to > 0) results.push({ id, start: from, end: to });
      at = skipSpace(text, block.objectEnd, end);
      if (text[at] === "]") return at + 1;
      if (text[at] !== ",") return -1;
      at = nextObject(text, at + 1, end);
    }
    return skipValue(text, start, end);
  }
}

/** For those who rewrite a session and cut nothing of it. */
export const CUTS_NOTHING: EntryEditor = new EntryEditor({
  threshold: 0,
  isTarget: () => false,
  toolNameOf: () => undefined,
  parentFile: "",
});

/** Finds the next object among the items of a list; anything else there is no content block. */
function nextObject(text: string, from: number, end: number): number {
  let at = skipSpace(text, from, end);
  while (at < end && text[at] !== "{" && text[at] !== "]") {
    const stop = skipValue(text, at, end);
    if (stop < 0) return -1;
    at = skipSpace(text, stop, end);
    if (text[at] === ",") at = skipSpace(text, at + 1, end);
  }
  return at;
}

export function isTopLevel(
  text: string,
  start: number,
  end: number,
  key: number,
  valueEnd: number,
): boolean {
  return isPlainBefore(text, start, key) || isPlainAfter(text, valueEnd, end) ||
    isMember(text, start, end, key);
}

/** Brackets that open and close objects and lists. */
const BRACKETS = /[[\]{}]/;

/** Whether nothing opens between the entry's brace and the key, as in the client's older lines. */
function isPlainBefore(text: string, start: number, key: number): boolean {
  return !BRACKETS.test(text.slice(skipSpace(text, start, key) + 1, key));
}

/** Whether nothing but the entry's own brace closes behind it, as in the client's newer lines. */
function isPlainAfter(text: string, valueEnd: number, end: number): boolean {
  let last = end - 1;
  while (last > valueEnd && text.charCodeAt(last) <= 0x20) last--;
  return text[last] === "}" && !BRACKETS.test(text.slice(valueEnd, last));
}

function isMember(text: string, start: number, end: number, key: number): boolean {
  const walker = new MemberWalker();
  if (!walker.start(text, skipSpace(text, start, end), end)) return false;
  while (walker.next()) {
    if (walker.keyStart === key + 1) return true;
    if (walker.keyStart > key) return false;
  }
  return false;
}

export function stringAfterKey(
  text: string,
  keyEnd: number,
  end: number,
): { start: number; end: number } | undefined {
  const colon = skipSpace(text, keyEnd, end);
  if (text[colon] !== ":") return undefined;
  const start = skipSpace(text, colon + 1, end);
  if (start >= end || text[start] !== '"') return undefined;
  const stop = skipString(text, start, end);
  return stop < 0 ? undefined : { start, end: stop };
}
