/** Where the branches of a conversation end. */

import { isSaid, type TreeNode } from "./tree.ts";

interface Links {
  /** The uuid of a line's parent. */
  linkOf(node: TreeNode): string | null;
  /** The parent message; a symbol where the chain ends for a reason. */
  parentOf(node: TreeNode): TreeNode | symbol | null | undefined;
}

/** Finds the ends of all branches: what was said last on each, with nothing said right after it. */
export function findEnds(conversation: Links, nodes: readonly TreeNode[]): Set<TreeNode> {
  const inner = new Set<string>();
  const answered = new Set<string>();
  for (const node of nodes) {
    const link = conversation.linkOf(node);
    if (link === null) continue;
    inner.add(link);
    if (isSaid(node)) answered.add(link);
  }
  const ends = new Set<TreeNode>();
  const seen = new Set<TreeNode>();
  for (const leaf of nodes) {
    let node = inner.has(leaf.uuid) ? undefined : leaf;
    // Two branches that meet have the same end.
    while (node !== undefined && !seen.has(node)) {
      seen.add(node);
      if (isSaid(node)) {
        if (!answered.has(node.uuid)) ends.add(node);
        break;
      }
      const parent = conversation.parentOf(node);
      node = typeof parent === "symbol" ? undefined : parent ?? undefined;
    }
  }
  return ends;
}

export function latestOf(nodes: Iterable<TreeNode>): TreeNode | undefined {
  let latest: TreeNode | undefined;
  for (const node of nodes) {
    if (node.isSidechain || Number.isNaN(node.timeMs)) continue;
    const isLater = latest === undefined || node.timeMs > latest.timeMs ||
      (node.timeMs === latest.timeMs && node.firstOffset < latest.firstOffset);
    if (isLater) latest = node;
  }
  return latest;
}
