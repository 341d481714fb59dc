import { countLines } from "../core/chars.ts";
import { isObject } from "../core/record.ts";
import type { LiveConfig } from "../config/schema.ts";
import { maxErrorChars } from "./target.ts";
import type { StateOwner } from "../store/state.ts";
import { compileGlobs, isAboutPath } from "../trim/protect.ts";
import { shapedNotice } from "../inject/shaped_notice.ts";
import { logShaped } from "./live_log.ts";
import { readResponse, type ResponseText } from "./responses.ts";
import { keepOutput, spillFolder } from "./spill.ts";
import { shapeLog } from "./logs.ts";
import { leftOutMark } from "./marks.ts";
import { shapeSearchResults } from "./search_results.ts";

export interface AnsweredCall {
  readonly toolName: string;
  readonly input: unknown;
  readonly response: unknown;
  readonly toolUseId: string;
}

interface ShapeCallOptions {
  readonly owner: StateOwner;
  readonly config: LiveConfig;
  readonly now: Date;
}

/** Estimated maximum length of a notice, without the project's path. */
const NOTICE_CHARS = 300;

export function shapeCall(call: AnsweredCall, options: ShapeCallOptions): unknown {
  const { owner, config, now } = options;
  const { toolName, toolUseId } = call;
  const answer = readResponse(toolName, call.response);
  if (answer === null || isProtected(call, config, owner.projectDir)) return null;
  const noticeChars = NOTICE_CHARS + owner.projectDir.length;
  const texts = answer.texts.map((part) => {
    const { text } = part;
    const shaped = shapePart(part, config);
    if (shaped === null || shaped.length + noticeChars >= text.length) return text;
    const path = keepOutput(owner, { toolUseId, text });
    const notice = shapedNotice({ chars: text.length, lines: countLines(text), path });
    return `${notice}\n${shaped}`;
  });
  const changed = answer.texts.flatMap(({ text }, index) => {
    const after = texts[index] ?? text;
    return after === text ? [] : [{ before: text.length, after: after.length }];
  });
  if (changed.length === 0) return null;
  // Logged only now: if one text could not be stored, none is replaced.
  for (const lengths of changed) {
    const time = now.toISOString();
    logShaped(owner.projectDir, { time, session_id: owner.sessionId, tool: toolName, ...lengths });
  }
  return answer.replace(texts);
}

function isProtected(
  { toolName, input }: AnsweredCall,
  config: LiveConfig,
  projectDir: string,
): boolean {
  // Does not shape a read of a stored output, because the model asked for the full text.
  const path = toolName === "Read" && isObject(input) ? String(input["file_path"]) : "";
  if (path.startsWith(spillFolder(projectDir))) return true;
  return config.protect.length > 0 && isAboutPath(toolName, input, compileGlobs(config.protect));
}

function shapePart({ role, text, firstLine }: ResponseText, config: LiveConfig): string | null {
  const maxChars = role === "errors" ? maxErrorChars(config) : config.max_chars;
  return role === "file" ? shapeFile(text, maxChars, firstLine) : shapeText(text, maxChars);
}

/** Each function shortens text of one kind and returns other text unchanged; the last accepts any text. */
const SHAPERS = [shapeSearchResults, shapeLog];

/** Desired length, as a fraction of the limit. A result just under the limit would save little. */
const TARGET_SHARE = 0.4;

/** Longest worthwhile result, as a fraction of the original's length. */
const MAX_SHAPED_SHARE = 0.85;

/** Shapes text over the limit to about two fifths of it. Returns null if the text is unchanged. */
export function shapeText(text: string, maxChars: number): string | null {
  if (text.length <= maxChars) return null;
  const target = Math.floor(maxChars * TARGET_SHARE);
  for (const shape of SHAPERS) {
    const shaped = shape(text, target);
    if (shaped.length <= text.length * MAX_SHAPED_SHARE) return shaped.toWellFormed();
  }
  return null;
}

/** `firstLine` is the number of the text's first line in its file. */
export function shapeFile(text: string, maxChars: number, firstLine = 1): string | null {
  if (text.length <= maxChars) return null;
  const end = text.lastIndexOf("\n", Math.floor(maxChars * TARGET_SHARE));
  // A file that starts with one long line cannot be cut between lines.
  if (end <= 0) return null;
  const head = text.slice(0, end);
  const [next, last] = [firstLine + head.split("\n").length, firstLine - 1 + countLines(text)];
  const mark = leftOutMark(next, last, firstLine > 1 ? "numbered as in the file" : "");
  return `${head}\n${mark}`.toWellFormed();
}
