/** Finds the save to continue from: the newest matching save, or a save given by its id, name or path. */

import { emptyState } from "../extract/empty_state.ts";
import { isFile } from "../store/exists.ts";
import type { OwnPlace } from "../store/own_marks.ts";
import { fileName, joinPath, projectOf } from "../store/paths.ts";
import { summaryOf } from "./checkpoint.ts";
import { isHandedOver } from "./lineage/handoffs.ts";
import { readSave, SaveNotFoundError } from "./read.ts";
import {
  findSave,
  type FoundSave,
  isOwnSave,
  readableSaves,
  readFound,
  saveFolder,
  type SaveKind,
  type SnapshotPlace,
  trustSave,
} from "./store.ts";
import { verifyCheckpoint } from "./verify.ts";

export const EMPTY_SUMMARY = summaryOf(emptyState());

/** Order of preference among saves made at the same time. */
const KINDS_BY_PREFERENCE: readonly SaveKind[] = ["snapshot", "checkpoint"];

interface RestoreFilter {
  readonly kinds?: readonly SaveKind[];
  /** Decides whether to accept a save. The session's id is empty if unknown. */
  readonly accepts?: (sessionId: string, found: FoundSave) => boolean;
  /** Oldest acceptable time, in milliseconds since 1970. */
  readonly sinceMs?: number;
}

type Place = SnapshotPlace & Partial<OwnPlace>;

/** Finds the newest matching save that trimtab wrote on this machine. Prefers saves that contain work. */
export function findRestorePoint(place: Place, filter: RestoreFilter = {}): FoundSave | null {
  const { kinds = KINDS_BY_PREFERENCE, accepts = () => true, sinceMs = -Infinity } = filter;
  const ownPlace = { ...place, projectDir: projectOf(place) };
  const isMatch = (found: FoundSave): boolean =>
    Date.parse(found.created) >= sinceMs && accepts(found.sessionId, found) && isComplete(found) &&
    isOwnSave(found, ownPlace);
  const points = newestSaves(kinds, place);
  return points.find((found) => !isEmpty(found) && isMatch(found)) ?? points.find(isMatch) ?? null;
}

function isEmpty({ kind, summary }: FoundSave): boolean {
  return kind === "checkpoint" && summary === EMPTY_SUMMARY;
}

/** Verifies Markdown without JSON, because it could be truncated. */
function isComplete({ save, path }: FoundSave): boolean {
  return save !== null || verifyCheckpoint(path).valid;
}

function newestSaves(kinds: readonly SaveKind[], place: Place): FoundSave[] {
  return kinds.flatMap((kind) => readableSaves(kind, place))
    .sort((a, b) => Date.parse(b.created) - Date.parse(a.created));
}

/** Finds the newest save from this machine whose Markdown was edited later. */
export function findEdited(kinds: readonly SaveKind[], place: Place): FoundSave | null {
  const ownPlace = { ...place, projectDir: projectOf(place) };
  return newestSaves(kinds, place).find((found) =>
    found.save !== null && found.view !== null && !isOwnSave(found, ownPlace) &&
    isOwnSave({ ...found, view: null }, ownPlace)
  ) ?? null;
}

/**
 * Finds a save by its id or the start of its id, or a snapshot by its name or path. `latest` means the newest save
 * that trimtab wrote on this machine.
 */
export function findSaveToRestore(
  wanted: string,
  kinds: readonly SaveKind[],
  place: Place = {},
): FoundSave {
  const [kind = "save", ...others] = kinds;
  const noun = others.length === 0 ? kind : "save";
  if (wanted === "latest") {
    const newest = newestOf(kinds, place);
    if (newest !== null) return newest;
    const edited = findEdited(kinds, place);
    if (edited !== null) {
      throw new SaveNotFoundError(
        `Cannot find a ${noun}: the newest, ${edited.kind} ${edited.id}, was edited after it was ` +
          `saved. \`trimtab restore ${edited.id} --trust\` restores its text`,
      );
    }
    const hasForeign = newestSaves(kinds, place).length > 0;
    throw new SaveNotFoundError(
      `Cannot find a ${noun}: ${projectOf(place)} has ` +
        (hasForeign
          ? `no ${noun} that was written on this machine. \`trimtab list\` lists the others; ` +
            "`trimtab restore ID` shows one, and --trust accepts it"
          : `no readable ${noun}. Save one with \`trimtab ${kinds.at(-1)}\``),
    );
  }
  const folder = saveFolder("snapshot", place);
  const path = [...(/[/\\]/.test(wanted) ? [] : [joinPath(folder, wanted)]), wanted]
    .find((one) => kinds.includes("snapshot") && /[/\\]|\.json$/.test(wanted) && isFile(one));
  const found = path === undefined ? findSave(wanted, kinds, place) : readFound({
    kind: "snapshot",
    id: fileName(path).replace(/\.json$/, ""),
    json: path,
    view: null,
  });
  if (found === null) {
    throw new SaveNotFoundError(
      `Cannot find ${noun} ${JSON.stringify(wanted)}: no file, id or name matches. Run ` +
        "`trimtab list` to see all saves",
    );
  }
  if (found.problem !== null) {
    // Throws the error that made the file unreadable.
    readSave(found.path);
    throw new Error(
      `Cannot restore ${found.kind} ${found.id}: its prompt is missing. Run \`trimtab list\` to ` +
        "see all saves",
    );
  }
  return found;
}

/** Returns the newest own save. Skips saves whose work was handed over, unless there is no other save. */
function newestOf(kinds: readonly SaveKind[], place: Place): FoundSave | null {
  const hasHandoffs = kinds.includes("handoff");
  const accepts = (id: string, { kind, created }: FoundSave): boolean =>
    !hasHandoffs || kind === "handoff" ||
    !isHandedOver(id, Date.parse(created), projectOf(place));
  return findRestorePoint(place, { kinds, accepts }) ?? findRestorePoint(place, { kinds });
}

/**
 * Returns whether trimtab wrote the save on this machine. With `trust`, records that the save is trusted and
 * returns true.
 */
export function isOwnOrTrusted(found: FoundSave, place: OwnPlace, trust = false): boolean {
  if (isOwnSave(found, place)) return true;
  if (trust) trustSave(found, place);
  return trust;
}
