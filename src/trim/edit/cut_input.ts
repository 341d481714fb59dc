/** Cuts what a call wrote into a file. The file's path and the shape of the arguments stay. */

import { parseObject } from "../../transcript/entry.ts";
import { skipValue } from "../../transcript/json_scan.ts";
import { cutArguments, type InputOptions, jsonChars } from "../input_texts.ts";
import type { EditList } from "./edits.ts";
import type { RawText } from "./raw_string.ts";

export function cutInput(
  raw: RawText,
  start: number,
  end: number,
  edits: EditList,
  options: InputOptions & { toolName: string },
): number {
  const stop = skipValue(raw.text, start, end);
  const input = stop < 0
    ? undefined
    : parseObject(new TextDecoder().decode(raw.bytes.subarray(start, stop)));
  const cut = cutArguments(options.toolName, input, options);
  if (cut === undefined || cut === input) return 0;
  edits.add(start, stop, JSON.stringify(cut));
  return jsonChars(input) - jsonChars(cut);
}
