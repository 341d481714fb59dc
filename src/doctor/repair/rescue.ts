/** Repairs a session that no longer resumes, by writing a copy as a new session in the same folder. */

import { AtomicStream } from "../../store/atomic_stream.ts";
import { joinPath, parentPath } from "../../store/paths.ts";
import type { ByteSource } from "../../transcript/lines.ts";
import type { FoundSession } from "../../transcript/find.ts";
import { firstPrompt, titleLine } from "../../transcript/copy_title.ts";
import { writeCopy as copyLines } from "../../trim/copy.ts";
import { bringOwnedFiles, configDirOf, type OwnedFiles } from "../../trim/owned.ts";
import { VERSION } from "../../version.ts";
import { FindingLog, type RescueFinding, type RescueKind } from "./finding.ts";
import { LineRepairer } from "./lines.ts";
import { type Survey, surveySession } from "./survey.ts";
import { openFileSync } from "../../store/read_file.ts";

interface RepairOptions {
  session: FoundSession;
  dryRun?: boolean;
  /** Whether to drop all thinking, even if the API has refused none. @default {false} */
  dropThinking?: boolean;
  newId?: () => string;
  now?: Date;
}

/** Problems of a session, and the copy that resumes. */
export interface RescueResult {
  /** The copy's id; `null` if there is nothing to repair. */
  session_id: string | null;
  /** The id of the session. */
  parent_session_id: string;
  /** The copy's transcript; `null` if there is nothing to repair. */
  output: string | null;
  /** Findings, at most 200. */
  findings: RescueFinding[];
  /** Number of findings of each kind. */
  counts: Partial<Record<RescueKind, number>>;
  /** Number of all findings and of repaired findings. */
  totals: { found: number; changed: number };
  /** Command that resumes the copy in a shell; `null` if there is nothing to repair. */
  resume_command: string | null;
  /** The copied task list and edit history. */
  owned: OwnedFiles;
  /** Whether nothing was written. */
  dry_run: boolean;
}

/** A session up to `size`; the client may append to it in the meantime. */
interface Input {
  path: string;
  size: number;
  survey: Survey;
  dropsThinking: boolean;
  newId: () => string;
}

export function rescueSession(options: RepairOptions): RescueResult {
  const { session, dryRun = false, newId = () => crypto.randomUUID() } = options;
  const id = newId();
  const input = readInput(options, newId);
  const log = findAll(input);
  const result: RescueResult = {
    session_id: null,
    parent_session_id: session.id,
    output: null,
    findings: log.list(),
    counts: log.counts,
    totals: { found: log.totalCount, changed: log.changeCount },
    resume_command: null,
    owned: { tasks: 0, file_history: 0, notes: [] },
    dry_run: dryRun,
  };
  if (log.changeCount === 0) return result;
  const output = joinPath(parentPath(session.path), `${id}.jsonl`);
  Object.assign(result, { session_id: id, output, resume_command: `claude --resume ${id}` });
  if (dryRun) return result;
  writeCopy(input, output, {
    sessionId: id,
    metadata: JSON.stringify({
      parent_file: session.path,
      parent_session_id: session.id,
      rescued_at: (options.now ?? new Date()).toISOString(),
      counts: log.counts,
      trimtab_version: VERSION,
    }),
  });
  const configDir = configDirOf(session.path);
  if (configDir !== undefined) result.owned = bringOwnedFiles(configDir, session.id, id);
  return result;
}

function readInput(options: RepairOptions, newId: () => string): Input {
  const { path } = options.session;
  using file = openFileSync(path);
  // Ignores lines that the client appends from now on.
  const { size } = file.statSync();
  const survey = surveySession(file, size);
  const dropsThinking = survey.isThinkingRefused || options.dropThinking === true;
  return { path, size, survey, dropsThinking, newId };
}

function findAll(input: Input): FindingLog {
  const log = new FindingLog();
  using file = openFileSync(input.path);
  const pieces = new LineRepairer({ ...input, log }).repair(file, input.size);
  while (!pieces.next().done);
  return log;
}

function writeCopy(
  input: Input,
  output: string,
  identity: { sessionId: string; metadata: string },
): void {
  using file = openFileSync(input.path);
  using stream = openCopy(output);
  const pieces = new LineRepairer({ ...input, log: new FindingLog() }).repair(file, input.size);
  const { title } = copyLines(new PieceSource(pieces), Infinity, stream, {
    ...identity,
    metadata: { key: "rescue_metadata", text: identity.metadata },
  });
  const line = titleLine(identity.sessionId, title ?? firstPrompt(input.path), "rescued");
  stream.write(new TextEncoder().encode(line + "\n"));
  stream.commit();
}

/** Names the folder in the error if a permission is missing. */
function openCopy(output: string): AtomicStream {
  try {
    return new AtomicStream(output);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    const folder = parentPath(output);
    throw new Deno.errors.NotCapable(`Cannot write a copy of the session into ${folder}`);
  }
}

class PieceSource implements ByteSource {
  readonly #pieces: Iterator<Uint8Array>;
  #piece: Uint8Array = new Uint8Array(0);

  constructor(pieces: Iterator<Uint8Array>) {
    this.#pieces = pieces;
  }

  readSync(into: Uint8Array): number | null {
    let filled = 0;
    while (filled < into.length) {
      if (this.#piece.length === 0) {
        const next = this.#pieces.next();
        if (next.done === true) return filled === 0 ? null : filled;
        this.#piece = next.value;
        continue;
      }
      const part = this.#piece.subarray(0, into.length - filled);
      into.set(part, filled);
      filled += part.length;
      this.#piece = this.#piece.subarray(part.length);
    }
    return filled;
  }
}
