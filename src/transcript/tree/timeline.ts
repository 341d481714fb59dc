/** Messages by time: one whose parent is missing goes on from the one written just before it. */

import type { TreeNode } from "./tree.ts";

/** Largest age difference to that message, in milliseconds. */
export const MAX_GAP_MS = 5000;

/** Messages by time, those of subagents apart. */
export class Timeline {
  readonly #main: TreeNode[];
  readonly #side: TreeNode[];

  constructor(nodes: readonly TreeNode[]) {
    // The first of the file last, so that it is the first that a search from the end meets.
    const sorted = nodes.filter((node) => !Number.isNaN(node.timeMs))
      .sort((a, b) => a.timeMs - b.timeMs || b.firstOffset - a.firstOffset);
    this.#main = sorted.filter((node) => !node.isSidechain);
    this.#side = sorted.filter((node) => node.isSidechain);
  }

  /** Lists the messages among which another one's parent is looked for. */
  peersOf(node: TreeNode): readonly TreeNode[] {
    return node.isSidechain ? this.#side : this.#main;
  }
}

/** Searches a timeline for one walk, which passes no message twice. */
export class TimelineWalk {
  readonly #timeline: Timeline;
  readonly #seen: ReadonlySet<string>;
  /** For messages that were passed: where to look next. Keeps a walk over many breaks linear. */
  readonly #next = new Map<TreeNode, number>();

  /** `seen`: the ids that the walk has passed; it may grow between searches. */
  constructor(timeline: Timeline, seen: ReadonlySet<string>) {
    this.#timeline = timeline;
    this.#seen = seen;
  }

  before(node: TreeNode): TreeNode | undefined {
    const peers = this.#timeline.peersOf(node);
    let at = lastAtOrBefore(peers, node.timeMs);
    const passed: TreeNode[] = [];
    let found = peers[at];
    while (found !== undefined && this.#seen.has(found.uuid)) {
      passed.push(found);
      at = this.#next.get(found) ?? at - 1;
      found = peers[at];
    }
    for (const one of passed) this.#next.set(one, at);
    return found !== undefined && node.timeMs - found.timeMs <= MAX_GAP_MS ? found : undefined;
  }
}

/** The last place in the list whose time is not after another; -1 where there is none. */
function lastAtOrBefore(nodes: readonly TreeNode[], timeMs: number): number {
  let low = 0;
  let high = nodes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((nodes[middle]?.timeMs ?? Infinity) <= timeMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
