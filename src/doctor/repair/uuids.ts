/** Renames duplicate ids of different entries: of two lines with one id the client reads the last alone. */

import {
  asString,
  isMessage,
  isObject,
  type JsonObject,
  viewEntry,
} from "../../transcript/entry.ts";
import type { MemberChanges } from "./entry.ts";
import type { RescueNote } from "./finding.ts";

export class UuidRenamer {
  readonly #duplicates: ReadonlySet<string>;
  readonly #newId: () => string;
  /** Digest of the first entry of an id. */
  readonly #first = new Map<string, number>();
  readonly #names = new Map<string, string>();

  constructor(duplicates: ReadonlySet<string>, newId: () => string) {
    this.#duplicates = duplicates;
    this.#newId = newId;
  }

  /** The current name of the newest entry of an id. */
  nameOf(uuid: string): string {
    return this.#names.get(uuid) ?? uuid;
  }

  /** Renames an entry where another has its id, and follows earlier renamings. */
  rename(raw: JsonObject, changes: MemberChanges): RescueNote[] {
    if (this.#duplicates.size === 0) return [];
    const entry = viewEntry(raw);
    const { uuid, parentUuid } = entry;
    if (typeof parentUuid === "string" && this.#names.has(parentUuid)) {
      changes.set("parentUuid", this.nameOf(parentUuid));
    }
    if (uuid === undefined || !this.#duplicates.has(uuid) || !isMessage(entry)) return [];
    const said = digestOf(raw);
    const first = this.#first.get(uuid);
    if (first === undefined) {
      this.#first.set(uuid, said);
      return [];
    }
    const what = `another entry has the id ${uuid}`;
    if (first === said) {
      // The copies say the same: it does not matter which one is read. Its children follow it.
      this.#names.delete(uuid);
      return [{ kind: "duplicate_uuid", action: "kept", what: `${what} and says the same` }];
    }
    const name = this.#newId();
    this.#names.set(uuid, name);
    changes.set("uuid", name);
    return [{ kind: "duplicate_uuid", action: "renamed", what }];
  }
}

/** A hash of an entry's content. The lines of one API message are versions of each other. */
function digestOf({ type, message, attachment, content }: JsonObject): number {
  const id = isObject(message) ? asString(message.id) : undefined;
  const text = JSON.stringify(
    id === undefined ? [type, isObject(message) ? message.content : null, attachment, content] : id,
  );
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}
