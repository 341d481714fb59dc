/** Children of a line with nothing said between: what hooks and the client itself wrote about it. */

import type { Conversation } from "./conversation.ts";
import { isSaid, type TreeNode } from "./tree.ts";

/** The lines of a tree that neither the user nor the model said, by their parents. */
export class UnsaidLines {
  readonly #conversation: Conversation;
  readonly #children = new Map<string, TreeNode[]>();

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
    for (const node of conversation.livingNodes()) {
      const link = isSaid(node) ? null : conversation.linkOf(node);
      if (link === null) continue;
      const siblings = this.#children.get(link);
      if (siblings === undefined) this.#children.set(link, [node]);
      else siblings.push(node);
    }
  }

  behind(node: TreeNode): TreeNode[] {
    // The set grows while it is gone over.
    const found = new Set([node]);
    for (const one of found) {
      for (const child of this.#children.get(one.uuid) ?? []) found.add(child);
    }
    found.delete(node);
    return [...found].sort((a, b) => a.firstOffset - b.firstOffset);
  }

  /** Goes up from a line over what was not said. */
  saidAbove(node: TreeNode): string | null {
    const seen = new Set<string>();
    let link = this.#conversation.linkOf(node);
    while (link !== null && !seen.has(link)) {
      seen.add(link);
      const above = this.#conversation.nodes.get(link);
      if (above === undefined || isSaid(above)) return link;
      link = this.#conversation.linkOf(above);
    }
    return null;
  }
}
