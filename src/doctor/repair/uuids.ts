/** Renames entries that share an id with another entry, since the client reads only the last of them. */

import { isObject, type JsonObject } from "../../core/record.ts";
import { asString, isMessage, viewEntry } from "../../transcript/entry.ts";
import type { MemberChanges } from "./entry.ts";
import type { RescueNote } from "./finding.ts";

export class UuidRenamer {
  readonly #duplicates: ReadonlySet<string>;
  readonly #newId: () => string;
  readonly #first = new Map<string, number>();
  readonly #names = new Map<string, string>();

  constructor(duplicates: ReadonlySet<string>, newId: () => string) {
    this.#duplicates = duplicates;
    this.#newId = newId;
  }

  /** Returns the copy's id for the newest entry whose original id was `uuid`. */
  nameOf(uuid: string): string {
    return this.#names.get(uuid) ?? uuid;
  }

  rename(raw: JsonObject, changes: MemberChanges): RescueNote[] {
    if (this.#duplicates.size === 0) return [];
    const entry = viewEntry(raw);
    const { uuid, parentUuid } = entry;
    if (typeof parentUuid === "string" && this.#names.has(parentUuid)) {
      changes.set("parentUuid", this.nameOf(parentUuid));
    }
    if (uuid === undefined || !this.#duplicates.has(uuid) || !isMessage(entry)) return [];
    const digest = digestOf(raw);
    const first = this.#first.get(uuid);
    if (first === undefined) {
      this.#first.set(uuid, digest);
      return [];
    }
    const what = `another entry has the id ${uuid}`;
    if (first === digest) {
      // Both entries are equal, so the client may read either; later children belong to this entry.
      this.#names.delete(uuid);
      return [{ kind: "duplicate_uuid", action: "kept", what: `${what} and the same content` }];
    }
    const name = this.#newId();
    this.#names.set(uuid, name);
    changes.set("uuid", name);
    return [{ kind: "duplicate_uuid", action: "renamed", what }];
  }
}

/** Hashes an entry's content. Lines of one API message count as equal. */
function digestOf({ type, message, attachment, content }: JsonObject): number {
  const id = isObject(message) ? asString(message.id) : undefined;
  const text = JSON.stringify(
    id === undefined ? [type, isObject(message) ? message.content : null, attachment, content] : id,
  );
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}
