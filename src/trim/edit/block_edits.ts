/** Changes single blocks of an entry where they stand: thinking, arguments, pictures. */

import { fileMedia } from "../../transcript/content.ts";
import { parseObject } from "../../transcript/entry.ts";
import { memberAt, skipSpace, skipValue } from "../../transcript/json_scan.ts";
import { cutInput } from "./cut_input.ts";
import type { EditList } from "./edits.ts";
import type { MaskedPlace } from "../placeholder.ts";
import { type MediaOrigin, replaceMedia } from "./media.ts";
import type { RawText } from "./raw_string.ts";
import type { CutRules, PlannedChange } from "../cut_planner.ts";
import { inputOptions } from "../need_texts.ts";

interface Place {
  start: number;
  end: number;
}

export function changeBlocks(
  raw: RawText,
  { start, end }: Place,
  changes: readonly PlannedChange[],
  edits: EditList,
  options: CutRules & MaskedPlace & { readonly lineNumber: number },
): number[] {
  const blocks = blocksOf(raw.text, start, end);
  const gone = new Set<number>();
  const saved = changes.map(({ block, change }) => {
    const place = blocks[block];
    if (place === undefined) return 0;
    switch (change.kind) {
      case "thinking":
        gone.add(block);
        return change.chars;
      case "image":
        return replaceMediaAt(raw, place, edits, { ...options, ...change.origin });
      case "input": {
        const input = memberAt(raw.text, place.start, place.end, "input");
        const { id, toolName, texts } = change;
        const { parentFile, lineNumber } = options;
        const how = {
          ...inputOptions({ ...options, id, texts }),
          parentFile,
          lineNumber,
          toolName,
        };
        return input < 0 ? 0 : cutInput(raw, input, place.end, edits, how);
      }
    }
  });
  removeBlocks(blocks, gone, edits);
  return saved;
}

export function replaceMediaAt(
  raw: RawText,
  { start, end }: Place,
  edits: EditList,
  origin: MediaOrigin & MaskedPlace,
): number {
  const block = parseObject(new TextDecoder().decode(raw.bytes.subarray(start, end)));
  const file = fileMedia(block);
  const media = block === undefined ? undefined : replaceMedia(file ?? block, origin, origin);
  if (media === undefined) return 0;
  const text = media.placeholder;
  // A file that a prompt names is one of text then, as the client writes it.
  const left = file === undefined ? { type: "text", text } : {
    type: "text",
    file: { filePath: "", content: text, numLines: 1, startLine: 1, totalLines: 1 },
  };
  edits.add(start, end, JSON.stringify(left));
  return media.charsSaved;
}

/** Takes blocks out, each with the comma that parted it from a block that stays. */
function removeBlocks(
  blocks: readonly Place[],
  gone: ReadonlySet<number>,
  edits: EditList,
): void {
  for (let first = 0; first < blocks.length; first++) {
    if (!gone.has(first)) continue;
    let last = first;
    while (gone.has(last + 1)) last++;
    const [head, tail] = [blocks[first], blocks[last]];
    const [before, after] = [blocks[first - 1], blocks[last + 1]];
    if (head !== undefined && tail !== undefined) {
      if (before !== undefined) edits.add(before.end, tail.end, "");
      else edits.add(head.start, after?.start ?? tail.end, "");
    }
    first = last;
  }
}

function blocksOf(text: string, start: number, end: number): Place[] {
  const places: Place[] = [];
  const entry = skipSpace(text, start, end);
  const message = memberAt(text, entry, end, "message");
  const attachment = message < 0 ? memberAt(text, entry, end, "attachment") : -1;
  // A prompt that was typed while the model was at work stands in an attachment.
  const prompt = attachment < 0 ? -1 : memberAt(text, attachment, end, "prompt");
  const content = message >= 0
    ? memberAt(text, message, end, "content")
    : prompt >= 0 || attachment < 0
    ? prompt
    : memberAt(text, attachment, end, "content");
  // The one picture of a file that a prompt names.
  if (prompt < 0 && attachment >= 0 && text[content] === "{") {
    return [{ start: content, end: skipValue(text, content, end) }];
  }
  if (content < 0 || text[content] !== "[") return places;
  let at = skipSpace(text, content + 1, end);
  while (at < end && text[at] !== "]") {
    const stop = skipValue(text, at, end);
    if (stop < 0) return [];
    places.push({ start: at, end: stop });
    at = skipSpace(text, stop, end);
    if (text[at] === ",") at = skipSpace(text, at + 1, end);
  }
  return places;
}
