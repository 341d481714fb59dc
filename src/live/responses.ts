/**
 * Reads and replaces the text in a tool's response, as a PostToolUse hook receives it from the client.
 *
 * The client accepts only the tool's own shape. It drops any other response, and writes "does not match" to
 * its debug log. The shapes here were observed in Claude Code 2.1.197, and the two totals of Grep
 * in 2.1.330. Responses of any other shape are left unchanged.
 *
 * - Bash: `stdout` also contains the text of stderr. A failed command triggers a different event.
 * - Grep and Glob: the model gets the names of files as lines, after "Found N files".
 * - Read: the model gets `content` with line numbers from `startLine` on.
 * - An MCP server's tool: a list of blocks, or a string if its content is structured.
 * - A longer output is moved to a file: over 30,000 characters of Bash, 20,000 of Grep (whose full response
 *   the hook still receives), and 25,000 tokens of an MCP server.
 */

import { isObject, isText, type JsonObject } from "../core/record.ts";
import { isTarget } from "./target.ts";

type TextRole =
  | "output"
  /** Error output, which has its own length limit. */
  | "errors"
  /** A part of a file, whose line numbers must not change. */
  | "file";

export interface ResponseText {
  readonly role: TextRole;
  readonly text: string;
  /** Number of the first line of a part of a file. @default {1} */
  readonly firstLine?: number;
}

interface ToolResponse {
  readonly texts: readonly ResponseText[];
  readonly replace: (texts: readonly string[]) => unknown;
}

/** Matches the client's replacement for an output that it has moved to a file: a path and a short preview. */
const PERSISTED = /^<persisted-output>|^Error: result \([\d,]+ characters/;

/** The fields that a response may have. A response with another field is left unchanged. */
const FIELDS: Readonly<Record<string, string>> = {
  Bash: "stdout stderr interrupted isImage noOutputExpected returnCodeInterpretation",
  Grep: "mode numFiles filenames content numLines totalLines totalFiles numMatches appliedLimit " +
    "appliedOffset",
  Glob: "filenames durationMs numFiles truncated totalMatches countIsComplete",
  WebFetch: "bytes code codeText result durationMs url",
  Read: "type file",
};

const MCP_PREFIX = "mcp__";

/** Returns the names in `live.tools` that match no tool whose outputs can be shaped. `*` is a wildcard. */
export function unshapedNames(names: readonly string[]): string[] {
  return names.filter((name) => {
    const [start = ""] = name.split("*");
    const isMcp = start.startsWith(MCP_PREFIX) || (start !== name && MCP_PREFIX.startsWith(start));
    return !isMcp && !Object.keys(FIELDS).some((tool) => isTarget(tool, [name]));
  });
}

const FILE_FIELDS = "filePath content numLines startLine totalLines";

/** In characters. Longer text is an output that only begins like the client's replacement. */
const MAX_PERSISTED_CHARS = 5_000;

export function readResponse(toolName: string, response: unknown): ToolResponse | null {
  const read = readKnownTool(toolName, response);
  const isPersisted = read?.texts.some(({ text }) =>
    text.length <= MAX_PERSISTED_CHARS && PERSISTED.test(text)
  );
  return isPersisted ? null : read;
}

function readKnownTool(toolName: string, response: unknown): ToolResponse | null {
  if (toolName.startsWith(MCP_PREFIX)) return readMcp(response);
  if (!isObject(response) || !hasOnlyKeys(response, FIELDS[toolName] ?? "")) return null;
  if (toolName === "Bash") return readBash(response);
  if (toolName === "WebFetch") return readField(response, "result");
  if (toolName === "Read") return readFileResponse(response);
  const hasNames = toolName === "Glob" || response["mode"] === "files_with_matches";
  return hasNames ? readNames(response) : readField(response, "content");
}

function readBash(response: JsonObject): ToolResponse | null {
  const { stdout, stderr, interrupted, isImage } = response;
  if (!isText(stdout) || !isText(stderr) || interrupted !== false || isImage !== false) return null;
  return {
    texts: [{ role: "output", text: stdout }, { role: "errors", text: stderr }],
    replace: ([stdout, stderr]) => ({ ...response, stdout, stderr }),
  };
}

function readNames(response: JsonObject): ToolResponse | null {
  const { filenames: names, content } = response;
  if (!isListOfLines(names) || content !== undefined) return null;
  return {
    texts: [{ role: "output", text: names.join("\n") }],
    replace: ([text = ""]) => ({ ...response, filenames: text.split("\n") }),
  };
}

function readField(response: JsonObject, name: string): ToolResponse | null {
  const text = response[name];
  if (!isText(text)) return null;
  return {
    texts: [{ role: "output", text }],
    replace: ([text]) => ({ ...response, [name]: text }),
  };
}

/** Lowers `startLine`, because the notice adds a line and the file's lines must keep their numbers. */
function readFileResponse(response: JsonObject): ToolResponse | null {
  const { type, file } = response;
  if (type !== "text" || !isObject(file) || !hasOnlyKeys(file, FILE_FIELDS)) return null;
  const { content, startLine } = file;
  if (!isText(content) || typeof startLine !== "number") return null;
  return {
    texts: [{ role: "file", text: content, firstLine: startLine }],
    replace: ([text = ""]) => ({
      ...response,
      file: text === content ? file : {
        ...file,
        content: text,
        numLines: text.split("\n").length,
        startLine: startLine - 1,
      },
    }),
  };
}

/** Leaves a response with other blocks, such as pictures, unchanged, because its text may be about them. */
function readMcp(response: unknown): ToolResponse | null {
  if (typeof response === "string") {
    return { texts: [{ role: "output", text: response }], replace: ([text]) => text };
  }
  if (!Array.isArray(response) || response.length === 0 || !response.every(isTextBlock)) {
    return null;
  }
  return {
    texts: response.map(({ text }) => ({ role: "output", text })),
    replace: (texts) => response.map((block, index) => ({ ...block, text: texts[index] })),
  };
}

function isTextBlock(block: unknown): block is { type: "text"; text: string } {
  return isObject(block) && block["type"] === "text" && isText(block["text"]) &&
    Object.keys(block).length === 2;
}

function hasOnlyKeys(value: JsonObject, names: string): boolean {
  const known = names.split(" ");
  return Object.keys(value).every((name) => known.includes(name));
}

/** Accepts a list of strings without line breaks, which can be joined and split again. */
function isListOfLines(value: unknown): value is string[] {
  return Array.isArray(value) &&
    value.every((line) => typeof line === "string" && !line.includes("\n"));
}
