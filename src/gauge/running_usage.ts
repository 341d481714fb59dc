import { isObject } from "../core/record.ts";
import { type Entry, isMessage, readEntries } from "../transcript/entry.ts";
import { readLinesBackward } from "../transcript/lines.ts";
import {
  type SessionUsage,
  type TailUsage,
  usageOfEntry,
  usageOfMetadata,
} from "../transcript/tokens/usage.ts";
import { NotRegularFileError, openFileSync } from "../store/read_file.ts";
import { sleepSync } from "../store/sleep.ts";

const MAX_RUNNING_TAIL_BYTES = 8 * 1024 * 1024;

export interface ExpectedEntries {
  readonly promptId?: string | undefined;
  readonly toolUseIds?: readonly string[] | undefined;
  /** Whether the assistant has answered, so that the turn has ended. */
  readonly isAnswered?: boolean;
}

interface RunningUsage extends TailUsage {
  /** Whether the transcript still lacks calls or an answer that the hook's payload implies. */
  readonly isBehind: boolean;
}

export const MAX_BEHIND_MS = 150;

const RETRY_MS = 10;

interface CaughtUpOptions {
  readonly transcript: string;
  readonly expected?: ExpectedEntries | undefined;
  /** Blocks the thread. @default {sleepSync} */
  readonly sleep?: ((ms: number) => void) | undefined;
}

const NO_USAGE: RunningUsage = { usage: null, isCompacted: false, isBehind: false };

export function readCaughtUpUsage(options: CaughtUpOptions): RunningUsage {
  const { transcript, expected, sleep = sleepSync } = options;
  let found = readRunningUsage(transcript, expected);
  for (let waited = 0; found.isBehind && waited < MAX_BEHIND_MS; waited += RETRY_MS) {
    sleep(RETRY_MS);
    found = readRunningUsage(transcript, expected);
  }
  return found;
}

/** Like {@linkcode readNewestUsage}, but returns no usage for a missing or irregular file. */
export function readRunningUsage(path: string, expected: ExpectedEntries = {}): RunningUsage {
  try {
    return readNewestUsage(path, expected);
  } catch (error) {
    if (error instanceof NotRegularFileError) return NO_USAGE;
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const expectsMore = (expected.toolUseIds ?? []).length > 0 || expected.isAnswered === true;
    return { ...NO_USAGE, isBehind: expectsMore };
  }
}

/**
 * Reads a transcript backward until it finds a usage: on a metadata line, on the message with the given
 * calls, or along the parent links from the newest message. A compaction found along the links also ends the
 * search.
 */
export function readNewestUsage(path: string, expected: ExpectedEntries = {}): RunningUsage {
  using file = openFileSync(path);
  const { size } = file.statSync();
  const { promptId, toolUseIds = [] } = expected;
  const walk = new ParentWalk();
  const answer = expected.isAnswered === true ? new AnswerFinder(promptId) : undefined;
  let hasPrompt = false;
  let hasCall = toolUseIds.length === 0;
  for (const line of readLinesBackward(file, size, MAX_RUNNING_TAIL_BYTES)) {
    for (const entry of readEntries(line.bytes).reverse()) {
      let usage = usageOfMetadata(entry.raw);
      if (!hasCall && refersToCall(entry, toolUseIds)) {
        hasCall = true;
        usage ??= usageOfEntry(entry);
      }
      if (usage !== undefined) return { usage, isCompacted: false, isBehind: false };
      hasPrompt ||= promptId !== undefined && entry.raw.promptId === promptId;
      walk.add(entry);
      answer?.add(entry);
    }
    if (answer?.isUnknown) continue;
    const found = walk.found;
    // If the links end without a usage, reads on to find the calls, which can precede their prompt in the
    // file.
    if (found !== undefined && (hasCall || found.usage !== null || found.isCompacted)) {
      return { ...found, isBehind: answer?.isMissing ?? (hasPrompt && !hasCall) };
    }
  }
  const found = walk.found ?? walk.nearest ?? NO_USAGE;
  const lacksUsage = found.usage === null && !found.isCompacted;
  if (answer !== undefined) return { ...found, isBehind: answer.isMissing || lacksUsage };
  return { ...found, isBehind: !hasCall && (hasPrompt || lacksUsage) };
}

interface Step {
  readonly parentUuid: string | null | undefined;
  readonly usage: SessionUsage | undefined;
  readonly isBoundary: boolean;
}

/**
 * Follows parent links from the newest message. The entries are added from the end of the file to its start.
 */
class ParentWalk {
  /** The first usage, boundary or root along the links; undefined until it is reached. */
  found: TailUsage | undefined;
  /** The usage or boundary nearest to the end of the file, linked or not. */
  nearest: TailUsage | undefined;

  /** Entries that no link has reached yet. */
  readonly #unreached = new Map<string, Step>();
  #hasStarted = false;
  #next: string | undefined;

  add(entry: Entry): void {
    const { uuid, parentUuid, isSidechain } = entry;
    if (uuid === undefined || this.found !== undefined) return;
    const usage = usageOfEntry(entry);
    const isBoundary = entry.type === "system" && entry.subtype === "compact_boundary";
    if (!isSidechain && (usage !== undefined || isBoundary)) {
      this.nearest ??= { usage: usage ?? null, isCompacted: isBoundary };
    }
    if (!this.#hasStarted && !isSidechain && isMessage(entry)) {
      this.#hasStarted = true;
      this.#next = uuid;
    }
    // If several lines have the same id, keeps the last one in the file, which is added first.
    if (!this.#unreached.has(uuid)) this.#unreached.set(uuid, { parentUuid, usage, isBoundary });
    this.#advance();
    // Lines that a compaction kept have the usage of the context before it.
    if (isBoundary && keepsLines(entry)) this.found ??= { usage: null, isCompacted: true };
  }

  #advance(): void {
    while (this.#next !== undefined) {
      const step = this.#unreached.get(this.#next);
      if (step === undefined) return;
      // Removes visited entries, so that a cycle of links ends the search.
      this.#unreached.delete(this.#next);
      if (step.usage !== undefined || step.isBoundary || typeof step.parentUuid !== "string") {
        this.found = { usage: step.usage ?? null, isCompacted: step.isBoundary };
        return;
      }
      this.#next = step.parentUuid;
    }
  }
}

/**
 * Finds out whether the transcript has the answer to a prompt. The entries are added from the end of the file
 * to its start.
 */
class AnswerFinder {
  isUnknown = true;
  isMissing = false;

  readonly #promptId: string | undefined;
  #hasAnswer = false;

  constructor(promptId: string | undefined) {
    this.#promptId = promptId;
    // Older clients pass no prompt id to hooks. The answer then counts as present.
    this.isUnknown = promptId !== undefined;
  }

  add(entry: Entry): void {
    if (!this.isUnknown || entry.isSidechain) return;
    if (entry.type === "assistant") this.#hasAnswer = true;
    if (entry.type !== "user") return;
    this.isUnknown = false;
    const { promptId } = entry.raw;
    if (typeof promptId !== "string") return;
    this.isMissing = promptId !== this.#promptId || !this.#hasAnswer;
  }
}

function keepsLines({ raw: { compactMetadata } }: Entry): boolean {
  return isObject(compactMetadata) &&
    (isObject(compactMetadata.preservedMessages) || isObject(compactMetadata.preservedSegment));
}

function refersToCall(entry: Entry, toolUseIds: readonly string[]): boolean {
  const content = entry.message?.content;
  return Array.isArray(content) && content.some((block: unknown) =>
    isObject(block) &&
    [block.id, block.tool_use_id].some((id) => typeof id === "string" && toolUseIds.includes(id))
  );
}
