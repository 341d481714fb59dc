/**
 * Recognizes the transcripts of other agents, which also end in `.jsonl`. Their formats are documented in the
 * agents' repositories.
 */

import { isObject, type JsonObject } from "../core/record.ts";
import { readHead } from "../store/read_file.ts";
import { asString } from "./entry.ts";

const HEAD_BYTES = 256 * 1024;

const MAX_LINES = 20;

interface Agent {
  readonly name: string;
  /** Whether an object from a file's first lines has this agent's format. */
  readonly isOwn: (line: JsonObject) => boolean;
}

const AGENTS: readonly Agent[] = [
  {
    name: "Codex",
    isOwn: (line) =>
      (isOneOf(line.type, "session_meta response_item event_msg turn_context compacted") &&
        isObject(line.payload)) ||
      ("instructions" in line && "timestamp" in line && asString(line.id) !== undefined) ||
      line.record_type === "state",
  },
  {
    name: "Gemini CLI",
    isOwn: (line) =>
      asString(line.projectHash) !== undefined || line.type === "gemini" ||
      (line.role === "model" && Array.isArray(line.parts)),
  },
  {
    name: "Qwen Code",
    isOwn: ({ message }) => isObject(message) && Array.isArray(message.parts),
  },
  {
    name: "Copilot CLI",
    isOwn: (line) =>
      isObject(line.data) &&
      /^(?:session|user|assistant|tool|hook)\.[a-z_]+$/.test(asString(line.type) ?? ""),
  },
  {
    name: "OpenCode",
    isOwn: (line) =>
      /^(?:ses|msg|prt)_/.test(asString(isObject(line.info) ? line.info.id : line.id) ?? "") &&
      (isObject(line.info) || asString(line.sessionID) !== undefined ||
        asString(line.projectID) !== undefined),
  },
  {
    name: "Goose",
    isOwn: (line) =>
      (asString(line.working_dir) !== undefined && "message_count" in line) ||
      (typeof line.created === "number" && Array.isArray(line.content) && "role" in line),
  },
  {
    name: "Droid",
    isOwn: (line) => line.type === "session_start" && !("hook_event_name" in line),
  },
  {
    name: "Pi",
    isOwn: (line) => line.type === "session" && typeof line.version === "number" && "cwd" in line,
  },
  {
    name: "Amp",
    isOwn: (line) => /^T-[0-9a-f-]{36}$/.test(asString(line.id) ?? "") && "messages" in line,
  },
  {
    name: "Kiro",
    isOwn: (line) =>
      (asString(line.conversation_id) !== undefined && Array.isArray(line.history)) ||
      (isOneOf(line.kind, "Prompt AssistantMessage ToolResults") && isObject(line.data)),
  },
  {
    name: "Cursor",
    isOwn: (line) =>
      isOneOf(line.role, "user assistant") && !("type" in line) && !("uuid" in line) &&
      isObject(line.message) && Array.isArray(line.message.content),
  },
];

/** Returns the agent's name, or null for a transcript of Claude Code or of an unknown agent. */
export function foreignAgent(path: string): string | null {
  for (const line of firstObjects(readHead(path, HEAD_BYTES))) {
    // Only Claude Code's lines have both a session id and a parent.
    const isOwn = asString(line.sessionId) !== undefined && "parentUuid" in line &&
      !(isObject(line.message) && "parts" in line.message);
    if (isOwn) return null;
    const agent = AGENTS.find((known) => known.isOwn(line));
    if (agent !== undefined) return agent.name;
  }
  return null;
}

/**
 * Yields the objects on the first lines. If there are no such objects, reads the head as a single JSON value.
 */
function* firstObjects(head: string): Generator<JsonObject, void, undefined> {
  let isFound = false;
  for (const line of head.split("\n", MAX_LINES)) {
    for (const found of objectsOf(parsed(line))) {
      isFound = true;
      yield found;
    }
  }
  if (!isFound) yield* objectsOf(parsed(head));
}

function objectsOf(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.slice(0, MAX_LINES).filter(isObject);
  return isObject(value) ? [value] : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isOneOf(value: unknown, words: string): boolean {
  return typeof value === "string" && words.split(" ").includes(value);
}
