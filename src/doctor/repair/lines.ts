/** Reads a broken session line by line and yields the repaired copy. */

import { isObject, type JsonObject } from "../../core/record.ts";
import { asString, parseObject, viewEntry } from "../../transcript/entry.ts";
import { type ByteSource, readLines } from "../../transcript/lines.ts";
import { mediaOf } from "../../trim/spans.ts";
import {
  callIdsOf,
  changeMembers,
  type MemberChanges,
  reasonToLeaveOut,
  repairMessage,
} from "./entry.ts";
import type { FindingLog, RescueNote } from "./finding.ts";
import { type LineParts, splitLine } from "./pieces.ts";
import { changedReferences } from "./references.ts";
import { wellFormedEntry } from "./surrogates.ts";
import type { Survey } from "./survey.ts";
import { UuidRenamer } from "./uuids.ts";

const NEWLINE = new Uint8Array([0x0a]);

interface RepairOptions {
  survey: Survey;
  dropsThinking: boolean;
  log: FindingLog;
  newId: () => string;
}

export class LineRepairer {
  readonly #options: RepairOptions;
  readonly #renamer: UuidRenamer;
  #number = 0;

  constructor(options: RepairOptions) {
    this.#options = options;
    this.#renamer = new UuidRenamer(options.survey.duplicates, options.newId);
  }

  /** Yields the repaired lines without the copy's metadata, which the caller adds. */
  *repair(source: ByteSource, size: number): Generator<Uint8Array, void, undefined> {
    for (const line of readLines(source, { limitBytes: size })) {
      const parts = splitLine(line.bytes);
      this.#noteParts(line.number, line.bytes, parts);
      for (const piece of parts.pieces) {
        const bytes = line.bytes.subarray(piece.start, piece.end);
        const raw = piece.isBrief && this.#needsWhole(piece.raw)
          ? parseObject(new TextDecoder().decode(bytes)) ?? piece.raw
          : piece.raw;
        const repaired = this.#repairEntry(line.number, raw, bytes);
        if (repaired === undefined) continue;
        yield repaired;
        yield NEWLINE;
      }
      // Copies a blank line unchanged.
      if (parts.pieces.length + parts.junk.length + parts.nulCount > 0) continue;
      yield line.bytes;
      yield NEWLINE;
    }
  }

  #noteParts(line: number, bytes: Uint8Array, { pieces, junk, nulCount }: LineParts): void {
    const { log } = this.#options;
    if (nulCount > 0) {
      log.add(line, { kind: "nul_padding", action: "left_out", what: `${nulCount} NUL bytes` });
    }
    for (const { start, end } of junk) {
      const isJson = mayBeOther(bytes[start]) &&
        isJsonText(new TextDecoder().decode(bytes.subarray(start, end)));
      const what = `${end - start} bytes ${
        isJson ? "of JSON that is not an entry" : "of a torn entry"
      }`;
      log.add(line, { kind: isJson ? "not_an_entry" : "torn_line", action: "left_out", what });
    }
    const count = pieces.length + junk.length;
    if (pieces.length === 0 || count < 2) return;
    log.add(line, { kind: "concatenated", action: "split", what: `${count} entries on one line` });
  }

  /** Whether an entry whose long strings were shortened must be parsed again in full. */
  #needsWhole(raw: JsonObject): boolean {
    const { survey, dropsThinking } = this.#options;
    return mediaOf(viewEntry(raw)).length > 0 || survey.duplicates.has(asString(raw.uuid) ?? "") ||
      repairMessage(raw, dropsThinking, new Map()).length > 0;
  }

  /** Repairs an entry; returns its bytes in the copy, or `undefined` to leave it out. */
  #repairEntry(line: number, given: JsonObject, bytes: Uint8Array): Uint8Array | undefined {
    const { log, survey, dropsThinking } = this.#options;
    const number = asString(given.uuid) === undefined ? -1 : this.#number++;
    const reason = reasonToLeaveOut(given);
    if (reason !== undefined) {
      log.add(line, reason);
      return undefined;
    }
    const { raw, plain } = wellFormedEntry(given, bytes);
    const changes: MemberChanges = new Map();
    const notes: RescueNote[] = [];
    const link = survey.byNumber.get(number);
    // Resolves the parent first, because renaming this entry may change what the parent's id means.
    const parentUuid = typeof link?.parentUuid === "string"
      ? this.#renamer.nameOf(link.parentUuid)
      : null;
    if (plain !== undefined) {
      const what = `${plain.count} unpaired surrogates`;
      notes.push({ kind: "lone_surrogate", action: "replaced", what });
    }
    notes.push(
      ...repairMessage(raw, dropsThinking, changes),
      ...this.#orphans(raw),
      ...this.#renamer.rename(raw, changes),
      ...changedReferences(raw, survey.standIns, changes),
    );
    if (link !== undefined) {
      if (link.note.action !== "kept") changes.set("parentUuid", parentUuid);
      notes.push(link.note);
    }
    for (const note of notes) log.add(line, note);
    return changes.size === 0
      ? plain?.bytes ?? bytes
      : changeMembers(plain?.bytes ?? bytes, changes);
  }

  /** Reports calls without a result and results without a call; the client skips both, so they are kept. */
  #orphans(raw: JsonObject): RescueNote[] {
    const { calls } = this.#options.survey;
    const ids = callIdsOf(raw);
    return [
      ...ids.results.filter((id) => !calls.isMade(id)).map((id): RescueNote => ({
        kind: "orphan_result",
        action: "kept",
        what: `a result whose call ${id} is missing; the client skips it`,
      })),
      ...ids.calls.filter((id) => !calls.isAnswered(id)).map((id): RescueNote => ({
        kind: "orphan_call",
        action: "kept",
        what: `call ${id} without a result; the client skips it`,
      })),
    ];
  }
}

/** Whether a byte can start JSON other than an object. */
function mayBeOther(byte: number | undefined): boolean {
  return /["[\-\dtfn]/.test(String.fromCharCode(byte ?? 0));
}

function isJsonText(text: string): boolean {
  try {
    return !isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
