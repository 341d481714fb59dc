/** Repairs a session that can no longer be resumed, by writing a copy as a new session in the same folder. */

import { AtomicStream } from "../../store/atomic.ts";
import { joinPath, parentPath } from "../../store/paths.ts";
import type { ByteSource } from "../../transcript/lines.ts";
import type { FoundSession } from "../../transcript/find.ts";
import { firstPrompt, titleLine } from "../../transcript/copy_title.ts";
import { writeCopy as copyLines } from "../../trim/copy.ts";
import { configDirOf, copyOwnedFiles, type OwnedFiles } from "../../trim/owned.ts";
import { VERSION } from "../../version.ts";
import type { RescueFinding, RescueKind } from "./finding.ts";
import { repairLines, type RepairOptions, surveySession } from "./lines.ts";

interface RescueSessionOptions {
  session: FoundSession;
  dryRun?: boolean;
  /** Whether to drop all thinking, even if the API has not refused any. @default {false} */
  dropThinking?: boolean;
  newId?: () => string;
  now?: Date;
}

/** Defects found in a session, and the repaired copy. */
export interface RescueResult {
  /** The copy's id; `null` if there is nothing to repair. */
  session_id: string | null;
  /** The original session's id. */
  parent_session_id: string;
  /** Path of the copy's transcript; `null` if there is nothing to repair. */
  output: string | null;
  /** Findings, at most 200. */
  findings: RescueFinding[];
  /** Number of findings of each kind. */
  counts: Partial<Record<RescueKind, number>>;
  /** Shell command that resumes the copy; `null` if there is nothing to repair. */
  resume_command: string | null;
  /** Whether the repaired conversation begins with an answer whose prompt is not in the file. */
  starts_with_answer: boolean;
  /** Counts of the session's other files that were copied or linked for the copy. */
  owned: OwnedFiles;
  /** Whether this was a dry run, which writes nothing. */
  dry_run: boolean;
}

const MAX_LISTED_FINDINGS = 200;

export function rescueSession(options: RescueSessionOptions): RescueResult {
  const { session: { id, path }, dryRun = false, newId = () => crypto.randomUUID() } = options;
  const survey = surveySession(path);
  if (!survey.hasMessages) throw new Error(`Cannot rescue ${id}: its transcript has no messages`);
  const dropsThinking = survey.isThinkingRefused || options.dropThinking === true;
  const repair = (onRepair: RepairOptions["onRepair"]): Generator<Uint8Array> =>
    repairLines(path, survey, { dropsThinking, onRepair });
  const findings: RescueFinding[] = [];
  const counts: RescueResult["counts"] = {};
  repair((line, note) => {
    counts[note.kind] = (counts[note.kind] ?? 0) + 1;
    if (findings.length < MAX_LISTED_FINDINGS) findings.push({ line, ...note });
  }).forEach(() => {});
  const copyId = findings.length === 0 ? null : newId();
  const output = copyId && joinPath(parentPath(path), `${copyId}.jsonl`);
  const result: RescueResult = {
    session_id: copyId,
    parent_session_id: id,
    output,
    findings,
    counts,
    resume_command: copyId && `claude --resume ${copyId}`,
    starts_with_answer: survey.beginsWithAnswer,
    owned: { tasks: 0, file_history: 0, notes: [] },
    dry_run: dryRun,
  };
  if (copyId === null || output === null || dryRun) return result;
  const metadata = {
    parent_file: path,
    parent_session_id: id,
    rescued_at: (options.now ?? new Date()).toISOString(),
    counts,
    trimtab_version: VERSION,
  };
  using stream = openCopy(output);
  const { title } = copyLines(sourceOf(repair(() => {})), Infinity, stream, {
    sessionId: copyId,
    metadata: { key: "rescue_metadata", text: JSON.stringify(metadata) },
  });
  const line = titleLine(copyId, title ?? firstPrompt(path), "rescued");
  stream.write(new TextEncoder().encode(line + "\n"));
  stream.commit();
  const configDir = configDirOf(path);
  if (configDir !== undefined) result.owned = copyOwnedFiles(configDir, id, copyId);
  return result;
}

function openCopy(output: string): AtomicStream {
  try {
    return new AtomicStream(output);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    const folder = parentPath(output);
    throw new Deno.errors.NotCapable(`Cannot write a copy of the session into ${folder}`);
  }
}

function sourceOf(pieces: Iterator<Uint8Array>): ByteSource {
  let piece: Uint8Array = new Uint8Array(0);
  return {
    readSync(into): number | null {
      while (piece.length === 0) {
        const next = pieces.next();
        if (next.done === true) return null;
        piece = next.value;
      }
      const part = piece.subarray(0, into.length);
      into.set(part);
      piece = piece.subarray(part.length);
      return part.length;
    },
  };
}
