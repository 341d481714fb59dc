/** Cuts the mirror of a tool's result, which the client keeps for its screen. */

import { skipSpace, skipString } from "../../transcript/json_scan.ts";
import { truncateContent, type TruncateOptions } from "../truncate.ts";
import type { EditList } from "./edits.ts";
import { type RawText, rewriteString } from "./raw_string.ts";

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COLON = 0x3a;

/** An image; a part of one is none. */
const IMAGE_KEY = "base64";

/** The whole of a file before an edit; the client itself writes `null` where it has none. */
const ORIGINAL_KEY = "originalFile";

/** Cuts every long string and every long list of strings in a mirror, and keeps its shape. */
export function cutMirror(
  raw: RawText,
  start: number,
  end: number,
  edits: EditList,
  options: TruncateOptions,
): void {
  const { text } = raw;
  let key = "";
  let depth = 0;
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (code === OPEN_BRACKET) {
      const behind = cutList(text, at, end, edits, options.threshold);
      if (behind === undefined) depth++;
      at = behind ?? at + 1;
      if (depth === 0) return;
      continue;
    }
    if (code !== QUOTE) {
      if (code === OPEN_BRACE) depth++;
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
      if (depth === 0) return;
      at++;
      continue;
    }
    const stop = skipString(text, at, end);
    if (stop < 0) return;
    const after = skipSpace(text, stop, end);
    if (after < end && text.charCodeAt(after) === COLON) {
      key = text.slice(at + 1, stop - 1);
    } else if (stop - at - 2 > options.threshold) {
      if (key === ORIGINAL_KEY) edits.add(at, stop, "null");
      else if (key === IMAGE_KEY) edits.add(at, stop, '""');
      else rewriteString(raw, at, stop, edits, (one) => truncateContent(one, options));
    }
    if (depth === 0) return;
    at = stop;
  }
}

/** Cuts a list that holds nothing but strings, such as the files that a search found. */
function cutList(
  text: string,
  start: number,
  end: number,
  edits: EditList,
  threshold: number,
): number | undefined {
  let at = skipSpace(text, start + 1, end);
  let keptEnd = -1;
  let hasMore = false;
  while (at < end && text.charCodeAt(at) === QUOTE) {
    const stop = skipString(text, at, end);
    if (stop < 0) return undefined;
    if (stop - start <= threshold) keptEnd = stop;
    else hasMore = true;
    at = skipSpace(text, stop, end);
    if (text[at] === "]") {
      if (!hasMore || keptEnd < 0) return undefined;
      edits.add(keptEnd, at, "");
      return at + 1;
    }
    if (text[at] !== ",") return undefined;
    at = skipSpace(text, at + 1, end);
  }
  return undefined;
}
