/**
 * Passes the recorded tool results of a session to the PostToolUse hook, and returns the text that the model
 * would have received.
 */

import { main } from "../hooks/post_tool_use.ts";
import { fileHeadUnits } from "../src/core/marks.ts";
import { parse } from "./regret_points.ts";

interface RecordedResult {
  tool: string;
  input: unknown;
  text: string;
  /** Whether the call failed; the client does not pass failed calls to the hook. */
  isError: boolean;
}

export interface ReplayedResult extends RecordedResult {
  /** The text that the model would have received, without the line with the path of the full output. */
  shaped: string;
  /** Characters that the model would have received, including that line. */
  chars: number;
}

interface ReplayPlace {
  projectDir: string;
  sessionId: string;
  maxChars: number;
}

const LINE_NUMBER = /^ *\d+(?:\t|→)/;

// deno-lint-ignore no-explicit-any
type Block = any;

export function recordedResults(text: string): RecordedResult[] {
  const blocks = text.split("\n").flatMap(blocksOf);
  const blocksById = (type: string, key: "id" | "tool_use_id"): Map<string, Block> =>
    new Map(blocks.filter((block) => block.type === type).map((block) => [block[key], block]));
  const calls = blocksById("tool_use", "id");
  return [...blocksById("tool_result", "tool_use_id")].flatMap(([id, { content, is_error }]) => {
    const [call, text] = [calls.get(id), textOf(content)];
    if (call === undefined || text === null) return [];
    return [{ tool: call.name, input: call.input, text, isError: is_error === true }];
  });
}

/**
 * Runs the hook on a result.
 *
 * @param resultNumber A number unique to the result; becomes part of the call's id.
 */
export async function replayResult(
  result: RecordedResult,
  resultNumber: number,
  place: ReplayPlace,
): Promise<ReplayedResult> {
  const canBeShaped = !result.isError && result.text.length > place.maxChars;
  const response = canBeShaped ? responseOf(result) : null;
  if (response === null) return unchanged(result);
  const payload = JSON.stringify({
    session_id: place.sessionId,
    cwd: place.projectDir,
    hook_event_name: "PostToolUse",
    tool_name: result.tool,
    tool_input: result.input,
    tool_response: response,
    tool_use_id: `toolu_${resultNumber}`,
  });
  const env = (name: string): string | undefined =>
    name === "CLAUDE_PROJECT_DIR" || name === "HOME" ? place.projectDir : undefined;
  const printed = await main(new TextEncoder().encode(payload), { env, now: Date.now });
  if (printed === "") return unchanged(result);
  const { hookSpecificOutput } = JSON.parse(printed);
  const text = shapedText(hookSpecificOutput.updatedToolOutput);
  const head = fileHeadUnits(text);
  return { ...result, shaped: text.slice(head + 1), chars: text.length };
}

function unchanged(result: RecordedResult): ReplayedResult {
  return { ...result, shaped: result.text, chars: result.text.length };
}

function responseOf({ tool, text }: RecordedResult): unknown {
  switch (tool) {
    case "Bash":
      return { stdout: text, stderr: "", interrupted: false, isImage: false };
    case "Grep":
      return text.startsWith("Found ")
        ? { mode: "files_with_matches", filenames: text.split("\n").slice(1), numFiles: 1 }
        : { mode: "content", filenames: [], numFiles: 0, content: text };
    case "Glob":
      return { filenames: text.split("\n"), durationMs: 1, numFiles: 1, truncated: false };
    case "WebFetch":
      return { bytes: 1, code: 200, codeText: "OK", result: text, durationMs: 1, url: "" };
    case "Read": {
      const content = text.split("\n").map((line) => line.replace(LINE_NUMBER, "")).join("\n");
      const file = { filePath: "/f", content, numLines: 1, startLine: 1, totalLines: 1 };
      return { type: "text", file };
    }
    default:
      return tool.startsWith("mcp__") ? [{ type: "text", text }] : null;
  }
}

// deno-lint-ignore no-explicit-any
function shapedText(output: any): string {
  if (Array.isArray(output)) return output.map((block) => block.text).join("");
  return output.stdout ?? output.content ?? output.result ?? output.file?.content ??
    output.filenames.join("\n");
}

function blocksOf(line: string): Block[] {
  const content = parse(line)?.message?.content;
  return Array.isArray(content) ? content.filter((block) => block !== null) : [];
}

function textOf(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content) || content.some((block) => block?.type !== "text")) return null;
  return content.map(({ text }) => text).join("");
}
