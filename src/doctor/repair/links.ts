/**
 * Repairs missing parents and loops of parents: links an entry to the message before it, since the client
 * writes an answer right after its prompt. If no message precedes it, an entry in a loop becomes a root.
 */

import type { JsonObject } from "../../core/record.ts";
import { isMessage, viewEntry } from "../../transcript/entry.ts";
import type { RescueNote } from "./finding.ts";

interface NewLink {
  /** The id of the new parent; `null` makes the entry a root. */
  parentUuid: string | null;
  note: RescueNote;
}

interface Node {
  /** Position among the entries with an id, from 0. */
  readonly number: number;
  readonly uuid: string;
  /** Null for a root, and for an entry with a broken link until the link is repaired. */
  parent: Node | null;
  fault?: "missing_parent" | "self_parent";
  /** The message before this entry: in a sidechain if this entry is in one, otherwise in the main thread. */
  readonly previous: Node | null;
  readonly isMainMessage: boolean;
  readonly isSidechain: boolean;
  /** Whether the node is a message of the main thread or its ancestor. Only other nodes may lack a parent. */
  isNeeded: boolean;
  /** The node from which the search for loops reached this node. */
  reachedFrom?: Node;
}

export class LinkFinder {
  readonly #nodes: Node[] = [];
  /** For each id, the newest message with this id or, if there is no such message, the first entry. */
  readonly #byId = new Map<string, Node>();
  readonly #pending = new Map<Node, string>();
  readonly #last: Record<"main" | "side", Node | null> = { main: null, side: null };
  readonly #links = new Map<number, NewLink>();

  add(raw: JsonObject): void {
    const entry = viewEntry(raw);
    const { uuid, parentUuid, isSidechain } = entry;
    if (uuid === undefined) return;
    const side = isSidechain ? "side" : "main";
    const node: Node = {
      number: this.#nodes.length,
      uuid,
      parent: null,
      previous: this.#last[side],
      isMainMessage: isMessage(entry) && !isSidechain,
      isSidechain,
      isNeeded: false,
    };
    // Uses an earlier entry with the parent's id. If there is none, `finish` uses a later entry.
    const parent = typeof parentUuid === "string" ? this.#byId.get(parentUuid) : undefined;
    if (parent !== undefined) node.parent = parent;
    else if (parentUuid === uuid) node.fault = "self_parent";
    else if (typeof parentUuid === "string") this.#pending.set(node, parentUuid);
    if (isMessage(entry)) this.#last[side] = node;
    if (isMessage(entry) || !this.#byId.has(uuid)) this.#byId.set(uuid, node);
    this.#nodes.push(node);
  }

  /** Returns the new links, keyed by the entry's position among the entries with an id, from 0. */
  finish(): Map<number, NewLink> {
    for (const [node, uuid] of this.#pending) {
      const parent = this.#byId.get(uuid);
      if (parent === undefined) node.fault = "missing_parent";
      else node.parent = parent;
    }
    this.#markNeeded();
    for (const node of this.#nodes) {
      const { fault, previous } = node;
      if (fault === "self_parent") {
        this.#setParent(node, previous, fault, "an entry that is its own parent");
      } else if (fault !== undefined && previous !== null && node.isNeeded) {
        this.#setParent(node, previous, fault, "an entry whose parent is not in the file");
      }
    }
    this.#cutLoops();
    return this.#links;
  }

  #markNeeded(): void {
    for (const start of this.#nodes.filter(({ isMainMessage }) => isMainMessage)) {
      let node: Node | null = start;
      while (node !== null && !node.isNeeded && !node.isSidechain) {
        node.isNeeded = true;
        node = node.parent;
      }
    }
  }

  #setParent(node: Node, parent: Node | null, kind: RescueNote["kind"], what: string): void {
    node.parent = parent;
    const note: RescueNote = { kind, action: parent === null ? "made_root" : "reparented", what };
    this.#links.set(node.number, { parentUuid: parent?.uuid ?? null, note });
  }

  /** Visits each entry once, since each walk to the root stops at a visited entry. */
  #cutLoops(): void {
    for (const start of this.#nodes) {
      let node: Node | null = start;
      while (node !== null && node.reachedFrom === undefined) {
        node.reachedFrom = start;
        node = node.parent;
      }
      if (node !== null && node.reachedFrom === start) this.#cutLoop(node);
    }
  }

  #cutLoop(member: Node): void {
    let first = member;
    for (let node = member.parent; node !== null && node !== member; node = node.parent) {
      if (node.number < first.number) first = node;
    }
    const isBelow = first.previous !== null && descendsFrom(first.previous, first);
    const parent = isBelow ? null : first.previous;
    this.#setParent(first, parent, "loop", "an entry that is its own ancestor");
  }
}

function descendsFrom(descendant: Node, ancestor: Node): boolean {
  const seen = new Set<Node>();
  for (let node: Node | null = descendant; node !== null && !seen.has(node); node = node.parent) {
    if (node === ancestor) return true;
    seen.add(node);
  }
  return false;
}
