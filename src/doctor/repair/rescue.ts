/** Repairs a session that can no longer be resumed, by writing a copy as a new session in the same folder. */

import { AtomicStream } from "../../store/atomic.ts";
import { joinPath, parentPath } from "../../store/paths.ts";
import type { ByteSource, SeekableSource } from "../../transcript/lines.ts";
import { findActiveContext } from "../../transcript/tree/active_context.ts";
import type { FoundSession } from "../../transcript/find.ts";
import { firstPrompt, titleLine } from "../../transcript/copy_title.ts";
import { writeCopy as copyLines } from "../../trim/copy.ts";
import { configDirOf, copyOwnedFiles, type OwnedFiles } from "../../trim/owned.ts";
import { VERSION } from "../../version.ts";
import type { RescueFinding, RescueKind, RescueNote } from "./finding.ts";
import { repairLines, startsWithAnswer, surveySession } from "./lines.ts";
import { openFileSync, readStart } from "../../store/read_file.ts";

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
  const { session, dryRun = false, newId = () => crypto.randomUUID() } = options;
  const copyId = newId();
  const result: RescueResult = {
    session_id: null,
    parent_session_id: session.id,
    output: null,
    findings: [],
    counts: {},
    resume_command: null,
    starts_with_answer: false,
    owned: { tasks: 0, file_history: 0, notes: [] },
    dry_run: dryRun,
  };
  const { repair, beginsWithAnswer } = repairOf(options);
  const decoder = new TextDecoder();
  let hasMessages = false;
  let size = 0;
  for (const bytes of repair((line, note) => addFinding(result, { line, ...note }))) {
    size += bytes.length;
    hasMessages ||= /"message"\s*:/.test(decoder.decode(bytes));
  }
  if (!hasMessages) throw new Error(`Cannot rescue ${session.id}: its transcript has no messages`);
  if (beginsWithAnswer) {
    const source = memorySource(readStart(sourceOf(repair(() => {})), size));
    result.starts_with_answer = startsWithAnswer(source, findActiveContext(source, size));
  }
  if (result.findings.length === 0) return result;
  const output = joinPath(parentPath(session.path), `${copyId}.jsonl`);
  Object.assign(result, {
    session_id: copyId,
    output,
    resume_command: `claude --resume ${copyId}`,
  });
  if (dryRun) return result;
  const metadata = {
    parent_file: session.path,
    parent_session_id: session.id,
    rescued_at: (options.now ?? new Date()).toISOString(),
    counts: result.counts,
    trimtab_version: VERSION,
  };
  using stream = openCopy(output);
  const { title } = copyLines(sourceOf(repair(() => {})), Infinity, stream, {
    sessionId: copyId,
    metadata: { key: "rescue_metadata", text: JSON.stringify(metadata) },
  });
  const line = titleLine(copyId, title ?? firstPrompt(session.path), "rescued");
  stream.write(new TextEncoder().encode(line + "\n"));
  stream.commit();
  const configDir = configDirOf(session.path);
  if (configDir !== undefined) result.owned = copyOwnedFiles(configDir, session.id, copyId);
  return result;
}

type Repair = (onRepair: (line: number, note: RescueNote) => void) => Generator<Uint8Array>;

function repairOf({ session: { path }, dropThinking = false }: RescueSessionOptions): {
  readonly repair: Repair;
  readonly beginsWithAnswer: boolean;
} {
  using file = openFileSync(path);
  // Ignores lines that the client appends from now on.
  const { size } = file.statSync();
  const { links, unfinished, isThinkingRefused, beginsWithAnswer } = surveySession(file, size);
  const dropsThinking = isThinkingRefused || dropThinking;
  const repair = function* (onRepair: Parameters<Repair>[0]): Generator<Uint8Array> {
    using source = openFileSync(path);
    yield* repairLines(source, size, { links, unfinished, dropsThinking, onRepair });
  };
  return { repair, beginsWithAnswer };
}

function addFinding({ findings, counts }: RescueResult, finding: RescueFinding): void {
  counts[finding.kind] = (counts[finding.kind] ?? 0) + 1;
  if (findings.length < MAX_LISTED_FINDINGS) findings.push(finding);
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

function memorySource(bytes: Uint8Array): SeekableSource {
  let position = 0;
  return {
    readSync(into): number | null {
      const part = bytes.subarray(position, position + into.length);
      into.set(part);
      position += part.length;
      return part.length === 0 ? null : part.length;
    },
    seekSync: (offset) => position = offset,
  };
}
