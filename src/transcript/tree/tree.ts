/** Views the lines of a conversation as nodes of a tree. */

import { isObject } from "../../core/record.ts";
import { clearedBy } from "../content.ts";
import { asString, type Entry } from "../entry.ts";
import { type SessionUsage, usageOfEntry } from "../tokens/usage.ts";

export interface TreeNode {
  uuid: string;
  parentUuid: string | null;
  offset: number;
  /** Position of the first line with the same id; equals `offset` if there is only one line. */
  firstOffset: number;
  length: number;
  type: string;
  isSidechain: boolean;
  /** In milliseconds since 1970; `NaN` if unknown. */
  timeMs: number;
  messageId: string | undefined;
  hasToolCall: boolean;
  hasToolResult: boolean;
  clearsResults: boolean;
  usage: SessionUsage | undefined;
  boundary: Preserved | undefined;
}

/** The lines that a compaction keeps in the context. */
export interface Preserved {
  anchorUuid: string | undefined;
  /** From the oldest line to the newest. */
  uuids?: string[];
  headUuid?: string | undefined;
  tailUuid?: string | undefined;
}

/** A conversation continues from a line of the user or the model, which includes tool results. */
export function isUserOrModel(node: TreeNode): boolean {
  return node.type === "user" || node.type === "assistant";
}

/** Whether a boundary lists kept lines, even if those lines do not exist. */
export function listsKeptLines(node: TreeNode | undefined): boolean {
  const { uuids, headUuid, tailUuid } = node?.boundary ?? {};
  return uuids !== undefined || headUuid !== undefined || tailUuid !== undefined;
}

export function nodeOf(
  entry: Entry,
  uuid: string,
  place: { offset: number; length: number },
): TreeNode {
  const { message } = entry;
  const content = message?.content;
  return {
    uuid,
    parentUuid: entry.parentUuid ?? null,
    offset: place.offset,
    firstOffset: place.offset,
    length: place.length,
    type: entry.type ?? "",
    isSidechain: entry.isSidechain,
    timeMs: entry.timestamp === undefined ? NaN : Date.parse(entry.timestamp),
    messageId: entry.type === "assistant" ? asString(message?.id) : undefined,
    hasToolCall: entry.type === "assistant" && hasBlock(content, "tool_use"),
    hasToolResult: entry.type === "user" && hasBlock(content, "tool_result"),
    clearsResults: clearedBy(entry).length > 0,
    usage: usageOfEntry(entry),
    boundary: entry.type === "system" && entry.subtype === "compact_boundary"
      ? preservedOf(entry)
      : undefined,
  };
}

function hasBlock(content: unknown, type: string): boolean {
  return Array.isArray(content) &&
    content.some((block) => isObject(block) && block.type === type);
}

function preservedOf(entry: Entry): Preserved {
  const { preservedMessages, preservedSegment } = Object(entry.raw.compactMetadata);
  const { uuids, anchorUuid } = Object(preservedMessages);
  if (Array.isArray(uuids)) {
    // An invalid id becomes an unknown id, which invalidates the list.
    const known = uuids.map((uuid) => asString(uuid) ?? "");
    return { anchorUuid: asString(anchorUuid), uuids: known };
  }
  const segment = Object(preservedSegment);
  return {
    anchorUuid: asString(segment.anchorUuid),
    headUuid: asString(segment.headUuid),
    tailUuid: asString(segment.tailUuid),
  };
}
