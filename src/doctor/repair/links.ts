/**
 * Finds entries whose parent is missing, left out or their own descendant. Their new parent is the
 * message before them in the file, since the client writes an answer right after its prompt.
 */

import type { JsonObject } from "../../core/record.ts";
import { isMessage, viewEntry } from "../../transcript/entry.ts";
import type { RescueNote } from "./finding.ts";
import { IdTable } from "./ids.ts";
import { NumberList } from "./numbers.ts";

/** Stored in place of a parent's number if the parent is not another entry of the file. */
const ROOT = -1;
const MISSING = -2;
const SELF = -3;

const IS_MESSAGE = 1;
const IS_SIDECHAIN = 2;
const IS_LEFT_OUT = 4;
const HAS_MESSAGE_BELOW = 8;

interface NewLink {
  /** The id of the new parent; `null` makes the entry a root. Unused if the note's action is `kept`. */
  parentUuid: string | null;
  note: RescueNote;
}

export interface Links {
  /** New parents, keyed by the entry's number; only entries with an id are counted, from 0. */
  byNumber: ReadonlyMap<number, NewLink>;
  /** For each dropped entry, the id that replaces its own in references; `null` if there is none. */
  standIns: ReadonlyMap<string, string | null>;
  duplicates: ReadonlySet<string>;
}

/** Finds broken links between entries; stores only ids and a few numbers for each entry. */
export class LinkFinder {
  readonly #uuids = new IdTable();
  readonly #parents = new NumberList();
  readonly #flags = new NumberList();
  /** The previous kept message of each entry; the main thread and sidechains are kept apart. */
  readonly #previous = new NumberList();
  readonly #pending = new Map<number, string>();
  readonly #duplicates = new Set<string>();
  readonly #last = { main: ROOT, side: ROOT };
  readonly #links = new Map<number, NewLink>();

  /** Adds the next entry; ignores an entry without an id. */
  add(raw: JsonObject, isLeftOut: boolean): void {
    const entry = viewEntry(raw);
    const { uuid, parentUuid } = entry;
    if (uuid === undefined) return;
    const number = this.#uuids.count;
    const side = entry.isSidechain ? "side" : "main";
    this.#previous.push(this.#last[side]);
    this.#parents.push(this.#parentOf(number, uuid, parentUuid ?? null));
    const isKeptMessage = isMessage(entry) && !isLeftOut;
    this.#flags.push(
      (isMessage(entry) ? IS_MESSAGE : 0) | (entry.isSidechain ? IS_SIDECHAIN : 0) |
        (isLeftOut ? IS_LEFT_OUT : 0),
    );
    if (isKeptMessage) this.#last[side] = number;
    if (this.#uuids.find(uuid) >= 0) this.#duplicates.add(uuid);
    this.#uuids.add(uuid);
  }

  finish(): Links {
    for (const [number, uuid] of this.#pending) {
      const parent = this.#uuids.find(uuid);
      this.#parents.set(number, parent < 0 ? MISSING : parent);
    }
    this.#pending.clear();
    const standIns = this.#findStandIns();
    this.#markAncestors();
    for (let number = 0; number < this.#parents.length; number++) this.#repairLink(number);
    this.#cutLoops();
    return { byNumber: this.#links, standIns, duplicates: this.#duplicates };
  }

  /** Returns the nearest earlier entry with the parent's id. If none has it, `finish` takes a later entry. */
  #parentOf(number: number, uuid: string, parentUuid: string | null): number {
    if (parentUuid === null) return ROOT;
    const before = this.#uuids.find(parentUuid);
    if (before >= 0) return before;
    if (parentUuid === uuid) return SELF;
    this.#pending.set(number, parentUuid);
    return MISSING;
  }

  #has(number: number, flag: number): boolean {
    return (this.#flags.at(number) & flag) !== 0;
  }

  #keptAncestor(number: number): number {
    let parent = this.#parents.at(number);
    const seen = new Set<number>();
    while (parent >= 0 && this.#has(parent, IS_LEFT_OUT) && !seen.has(parent)) {
      seen.add(parent);
      parent = this.#parents.at(parent);
    }
    return parent >= 0 && this.#has(parent, IS_LEFT_OUT) ? MISSING : parent;
  }

  #findStandIns(): Map<string, string | null> {
    const standIns = new Map<string, string | null>();
    for (let number = 0; number < this.#uuids.count; number++) {
      if (!this.#has(number, IS_LEFT_OUT)) continue;
      const above = this.#keptAncestor(number);
      const stand = above === MISSING || above === SELF ? this.#previous.at(number) : above;
      standIns.set(this.#uuids.idOf(number) ?? "", this.#uuids.idOf(stand) ?? null);
    }
    return standIns;
  }

  #repairLink(number: number): void {
    const parent = this.#parents.at(number);
    if (this.#has(number, IS_LEFT_OUT) || parent === ROOT) return;
    const above = this.#keptAncestor(number);
    const previous = this.#previous.at(number);
    if (parent === SELF) {
      this.#setParent(number, previous, "self_parent", "an entry that is its own parent");
    } else if (parent >= 0 && above !== parent) {
      const target = above === MISSING || above === SELF ? previous : above;
      this.#setParent(number, target, "missing_parent", "an entry whose parent was dropped");
    } else if (parent === MISSING && previous >= 0 && this.#has(number, HAS_MESSAGE_BELOW)) {
      this.#setParent(
        number,
        previous,
        "missing_parent",
        "an entry whose parent is not in the file",
      );
    } else if (parent === MISSING && this.#has(number, HAS_MESSAGE_BELOW)) {
      const what = "the conversation begins in the middle: the file has no earlier messages";
      const note = { kind: "missing_parent", action: "kept", what } as const;
      this.#links.set(number, { parentUuid: null, note });
    }
  }

  /** Flags main-thread messages and their ancestors; only these need a parent within the file. */
  #markAncestors(): void {
    for (let number = 0; number < this.#parents.length; number++) {
      if (!this.#has(number, IS_MESSAGE) || this.#has(number, IS_SIDECHAIN)) continue;
      let at = number;
      while (at >= 0 && !this.#has(at, HAS_MESSAGE_BELOW | IS_SIDECHAIN)) {
        this.#flags.set(at, this.#flags.at(at) | HAS_MESSAGE_BELOW);
        at = this.#parents.at(at);
      }
    }
  }

  #setParent(number: number, parent: number, kind: RescueNote["kind"], what: string): void {
    this.#parents.set(number, parent);
    const parentUuid = this.#uuids.idOf(parent) ?? null;
    this.#links.set(number, { parentUuid, note: { kind, action: "reparented", what } });
  }

  /** Visits each entry once, since each walk to the root stops at a visited entry. */
  #cutLoops(): void {
    const passedBy = new Int32Array(this.#parents.length).fill(ROOT);
    for (let start = 0; start < this.#parents.length; start++) {
      let at = start;
      while (at >= 0 && passedBy[at] === ROOT) {
        passedBy[at] = start;
        at = this.#parents.at(at);
      }
      if (at >= 0 && passedBy[at] === start) this.#cutLoop(at);
    }
  }

  #cutLoop(member: number): void {
    let first = member;
    for (let at = this.#parents.at(member); at !== member; at = this.#parents.at(at)) {
      first = Math.min(first, at);
    }
    const previous = this.#previous.at(first);
    const isBelow = previous >= 0 && this.#descendsFrom(previous, first);
    this.#setParent(first, isBelow ? ROOT : previous, "loop", "an entry that is its own ancestor");
  }

  #descendsFrom(number: number, ancestor: number): boolean {
    const seen = new Set<number>();
    for (let at = number; at >= 0 && !seen.has(at); at = this.#parents.at(at)) {
      if (at === ancestor) return true;
      seen.add(at);
    }
    return false;
  }
}
