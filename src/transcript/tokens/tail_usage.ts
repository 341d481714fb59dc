/** Reads the size of a session's context, in tokens, from the end of its transcript. */

import { Conversation, FIRST_CHECK_BYTES } from "../tree/conversation.ts";
import { readEntries } from "../entry.ts";
import { readLinesBackward } from "../lines.ts";
import { listsKeptLines } from "../tree/tree.ts";
import { type MetadataLine, type SessionUsage, usageOfMetadata } from "./usage.ts";
import { openFileSync } from "../../store/read_file.ts";

/** Bytes at the end that are searched for usage. Earlier usage counts as unknown. */
export const MAX_USAGE_TAIL_BYTES = 32 * 1024 * 1024;

/** Bytes at the end that are searched for the client's `last-prompt` line. */
export const MAX_PROMPT_TAIL_BYTES = 1024 * 1024;

/**
 * Beyond this many bytes from the end, a search without parsing first checks whether a `last-prompt` line
 * exists.
 */
const PARSED_TAIL_BYTES = 64 * 1024;

const PROMPT_LINE_START = new TextEncoder().encode('{"type":"last-prompt"');

const LEAF_KEY = '"leafUuid"';

export interface TailUsage {
  usage: SessionUsage | null;
  /** Whether a compaction came after the last answer, so that the usage is unknown. */
  isCompacted: boolean;
}

/**
 * Finds the newest usage of the conversation that a resumed session continues, from its last message upwards.
 * Leaves out branches that the user rewound, and stops at a compaction. A later metadata line replaces the
 * usage that an answer reports.
 */
export function readTailUsage(path: string): TailUsage {
  using file = openFileSync(path);
  const size = file.statSync().size;
  const conversation = new Conversation();
  let nextCheck = FIRST_CHECK_BYTES;
  let hasSearchedForPrompt = false;
  let metadata: MetadataLine | undefined;
  for (const line of readLinesBackward(file, size, MAX_USAGE_TAIL_BYTES)) {
    const distance = size - line.offset;
    if (distance > MAX_PROMPT_TAIL_BYTES) conversation.stopLookingForPrompt();
    if (distance > PARSED_TAIL_BYTES && !hasSearchedForPrompt) {
      hasSearchedForPrompt = true;
      if (!hasPromptLine(path, size)) conversation.stopLookingForPrompt();
    }
    for (const entry of readEntries(line.bytes).reverse()) {
      const usage = metadata === undefined ? usageOfMetadata(entry.raw) : undefined;
      if (usage === undefined) {
        conversation.add(entry, line.offset, line.bytes.length);
        continue;
      }
      metadata = { usage, offset: line.offset };
      // Continues while earlier lines can still change which usage is the newest.
      if (!hasUsageOrBoundary(conversation)) return { usage, isCompacted: false };
      nextCheck = 0;
    }
    if (distance < nextCheck) continue;
    nextCheck = Math.max(nextCheck, 2 * distance);
    const found = usageIn(conversation, metadata);
    if (found !== undefined) return found;
  }
  conversation.finish();
  return usageIn(conversation, metadata) ?? { usage: null, isCompacted: false };
}

function hasUsageOrBoundary(conversation: Conversation): boolean {
  return conversation.nodes.values().some((node) =>
    node.usage !== undefined || node.boundary !== undefined
  );
}

/** Does not parse the lines, because parsing a megabyte would take most of a hook's time. */
function hasPromptLine(path: string, size: number): boolean {
  using file = openFileSync(path);
  for (const line of readLinesBackward(file, size, MAX_PROMPT_TAIL_BYTES)) {
    const isPrompt = PROMPT_LINE_START.every((byte, i) => line.bytes[i] === byte);
    // Older clients wrote this line without a leaf.
    if (isPrompt && new TextDecoder().decode(line.bytes).includes(LEAF_KEY)) return true;
  }
  return false;
}

/** Returns `undefined` if more of the file must be read. */
function usageIn(
  conversation: Conversation,
  metadata: MetadataLine | undefined,
): TailUsage | undefined {
  conversation.lacksLines = false;
  const walk = conversation.walk();
  if (conversation.lacksLines) return undefined;
  const [newest] = conversation.boundaries;
  for (const node of walk) {
    // The metadata line is later than all remaining lines of the conversation.
    if (metadata !== undefined && node.offset < metadata.offset) break;
    // A line that a compaction kept has the usage of the context before the compaction.
    const isKept = listsKeptLines(newest) && node.offset < (newest?.offset ?? 0);
    if (node.boundary !== undefined || isKept) return { usage: null, isCompacted: true };
    if (node.usage !== undefined) return { usage: node.usage, isCompacted: false };
  }
  if (metadata !== undefined) return { usage: metadata.usage, isCompacted: false };
  return conversation.lacksLines ? undefined : { usage: null, isCompacted: false };
}
