import { boundaryKind, isRebuilt } from "../../transcript/in_place.ts";
import type { SeekableSource } from "../../transcript/lines.ts";
import { type ActiveContext, readNodes } from "../../transcript/tree/active_context.ts";

/**
 * Returns the byte positions of entries from a trim in place during which the client was killed:
 * the boundary, and the first messages of the new conversation. The messages before the boundary
 * are complete.
 */
export function unfinishedEntries(
  file: SeekableSource,
  { nodes, isCompacted }: Pick<ActiveContext, "nodes" | "isCompacted">,
): number[] {
  if (!isCompacted) return [];
  const found = [...readNodes(file, nodes)];
  const entries = found.map(({ entry }) => entry);
  if (boundaryKind(entries) !== undefined) return [];
  const start = found.findIndex(({ node }) => node.boundary !== undefined);
  const count = entries.slice(start + 1).findIndex((entry) => !isRebuilt(entry));
  const end = count < 0 ? entries.length : start + 1 + count;
  // A summary, the typed command or a hook's output follows the messages of a finished trim or compaction.
  const isUnfinished = entries[end] === undefined || entries[end].raw.promptSource !== undefined;
  return isUnfinished ? found.slice(start, end).map(({ node }) => node.offset) : [];
}
