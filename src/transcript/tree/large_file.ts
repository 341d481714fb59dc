/**
 * What 2.1.197 leaves out of a large file before it looks at the tree: from the next byte on, the
 * results of parallel calls that lie beside the way up from the tip.
 */

import type { Conversation, TreeChange } from "./conversation.ts";
import { namesKept } from "./tree.ts";

/** Up to this size the client looks at every line of a file, in bytes. */
export const MAX_WHOLE_FILE_BYTES = 5 * 1024 * 1024;

/** Whether a large file counts from here on only: at a compaction that names nothing it kept. */
export function startsHere(conversation: Conversation): boolean {
  const oldest = conversation.boundaries.at(-1)?.boundary;
  return oldest !== undefined && !namesKept(oldest);
}

export function isPrunable(conversation: Conversation): boolean {
  return hasKept(conversation) || conversation.passedFromLeaves() !== null;
}

/** Finds the lines that lie beside the ways up from the last line and the noted leaf. */
export function pruneTree(conversation: Conversation): TreeChange | null {
  const left = hasKept(conversation) ? null : conversation.passedFromLeaves();
  if (left === null) return null;
  return {
    isRelinked: false,
    isDropped: (node) => !left.has(node),
    isKept: () => false,
    linkOf: (_, link) => link,
  };
}

function hasKept({ boundaries }: Conversation): boolean {
  return boundaries.some(({ boundary }) => boundary !== undefined && namesKept(boundary));
}
