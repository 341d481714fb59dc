/** Replaces references to dropped entries, since the client ignores a compaction with such a reference. */

import { isObject, type JsonObject } from "../../core/record.ts";
import type { MemberChanges } from "./entry.ts";
import type { RescueNote } from "./finding.ts";

const LISTS = ["uuids", "allUuids"] as const;
const NAMES = ["anchorUuid", "headUuid", "tailUuid"] as const;

/** Fields that contain another entry's id; `links.ts` repairs `parentUuid`. */
const ENTRY_NAMES = ["leafUuid", "logicalParentUuid"] as const;

const PRESERVED = ["preservedMessages", "preservedSegment"] as const;

export function changedReferences(
  raw: JsonObject,
  standIns: ReadonlyMap<string, string | null>,
  changes: MemberChanges,
): RescueNote[] {
  if (standIns.size === 0) return [];
  const before = changes.size;
  for (const name of ENTRY_NAMES) {
    const value = raw[name];
    const standIn = typeof value === "string" ? standIns.get(value) : undefined;
    if (standIn !== undefined) changes.set(name, standIn);
  }
  const metadata = raw.compactMetadata;
  if (isObject(metadata)) {
    const kept = PRESERVED.flatMap((name): [string, JsonObject][] => {
      const value = metadata[name];
      const changed = isObject(value) ? withStandIns(value, standIns) : undefined;
      return changed === undefined ? [] : [[name, changed]];
    });
    if (kept.length > 0) {
      changes.set("compactMetadata", { ...metadata, ...Object.fromEntries(kept) });
    }
  }
  if (changes.size === before) return [];
  const what = "a reference to an entry that was dropped";
  return [{ kind: "lost_reference", action: "replaced", what }];
}

function withStandIns(
  kept: JsonObject,
  standIns: ReadonlyMap<string, string | null>,
): JsonObject | undefined {
  const changed: JsonObject = {};
  for (const name of LISTS) {
    const list = kept[name];
    if (!Array.isArray(list) || !list.some((uuid) => standIns.has(uuid))) continue;
    changed[name] = list.filter((uuid) => !standIns.has(uuid));
  }
  for (const name of NAMES) {
    const value = kept[name];
    const standIn = typeof value === "string" ? standIns.get(value) : undefined;
    if (typeof standIn === "string") changed[name] = standIn;
  }
  return Object.keys(changed).length === 0 ? undefined : { ...kept, ...changed };
}
