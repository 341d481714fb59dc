import { isObject } from "../core/record.ts";
import { type Entry, isMessage, readEntries } from "../transcript/entry.ts";
import { readLinesBackward } from "../transcript/lines.ts";
import { type TailUsage, usageOfEntry, usageOfMetadata } from "../transcript/tokens/usage.ts";
import { NotRegularFileError, openFileSync } from "../store/read_file.ts";
import { sleepSync } from "../store/sleep.ts";

const MAX_RUNNING_TAIL_BYTES = 8 * 1024 * 1024;

interface RunningUsage extends TailUsage {
  /** Whether the transcript lacks the answer to the awaited prompt. */
  readonly isBehind: boolean;
}

const MAX_BEHIND_MS = 150;

const RETRY_MS = 10;

/**
 * Reads the usage at the end of a turn. The client may still be writing the answer, so this waits a moment for
 * it.
 *
 * @param promptId The id of the turn's prompt; `undefined` in older clients, for which this does not wait.
 */
export function readUsageOfTurn(
  path: string,
  promptId: string | undefined,
  sleep = sleepSync,
): TailUsage {
  let found = readIfPresent(path, promptId);
  for (let waited = 0; found.isBehind && waited < MAX_BEHIND_MS; waited += RETRY_MS) {
    sleep(RETRY_MS);
    found = readIfPresent(path, promptId);
  }
  return found;
}

/** Like {@linkcode readNewestUsage}, but returns no usage for a missing or irregular file. */
export function readRunningUsage(path: string): TailUsage {
  return readIfPresent(path, undefined);
}

function readIfPresent(path: string, promptId: string | undefined): RunningUsage {
  try {
    return readUsage(path, promptId);
  } catch (error) {
    const isMissing = error instanceof Deno.errors.NotFound;
    if (!isMissing && !(error instanceof NotRegularFileError)) throw error;
    return { usage: null, isCompacted: false, isBehind: isMissing && promptId !== undefined };
  }
}

/** Reads backward to a metadata line, or along the parent links to an answer or a compaction. */
export function readNewestUsage(path: string): TailUsage {
  return readUsage(path, undefined);
}

function readUsage(path: string, promptId: string | undefined): RunningUsage {
  using file = openFileSync(path);
  const walk = new ParentWalk();
  let isAwaited = promptId !== undefined;
  let hasAnswer = false;
  let isBehind = isAwaited;
  for (const line of readLinesBackward(file, file.statSync().size, MAX_RUNNING_TAIL_BYTES)) {
    for (const entry of readEntries(line.bytes).reverse()) {
      const { type, raw, isSidechain } = entry;
      const usage = usageOfMetadata(raw);
      if (usage !== undefined) return { usage, isCompacted: false, isBehind: false };
      walk.add(entry);
      if (!isAwaited || isSidechain) continue;
      hasAnswer ||= type === "assistant";
      if (type !== "user") continue;
      isAwaited = false;
      isBehind = !hasAnswer || (raw.promptId ?? promptId) !== promptId;
    }
    if (!isAwaited && walk.found !== undefined) return { ...walk.found, isBehind };
  }
  return { ...(walk.found ?? walk.nearest ?? { usage: null, isCompacted: false }), isBehind };
}

/** Follows parent links from the newest message. Callers add the entries from the end of the file. */
class ParentWalk {
  /** The first usage, boundary or root along the links; undefined until it is reached. */
  found: TailUsage | undefined;
  /** The usage or boundary nearest to the end of the file, linked or not. */
  nearest: TailUsage | undefined;

  readonly #unreached = new Map<string, TailUsage & Pick<Entry, "parentUuid">>();
  #hasStarted = false;
  #next: string | undefined;

  add(entry: Entry): void {
    const { uuid, parentUuid, isSidechain } = entry;
    if (uuid === undefined || this.found !== undefined) return;
    const usage = usageOfEntry(entry) ?? null;
    const isCompacted = entry.type === "system" && entry.subtype === "compact_boundary";
    if (!isSidechain && (usage !== null || isCompacted)) this.nearest ??= { usage, isCompacted };
    if (!this.#hasStarted && !isSidechain && isMessage(entry)) {
      this.#hasStarted = true;
      this.#next = uuid;
    }
    // If several lines have the same id, keeps the last one in the file, which is added first.
    if (!this.#unreached.has(uuid)) this.#unreached.set(uuid, { parentUuid, usage, isCompacted });
    this.#advance();
    // Lines that a compaction kept contain the usage from before the compaction.
    if (isCompacted && keepsLines(entry)) this.found ??= { usage: null, isCompacted };
  }

  #advance(): void {
    while (this.#next !== undefined) {
      const step = this.#unreached.get(this.#next);
      if (step === undefined) return;
      // Removes visited entries, so that a cycle of links ends the search.
      this.#unreached.delete(this.#next);
      const { parentUuid, usage, isCompacted } = step;
      if (usage !== null || isCompacted || typeof parentUuid !== "string") {
        this.found = { usage, isCompacted };
        return;
      }
      this.#next = parentUuid;
    }
  }
}

function keepsLines({ raw: { compactMetadata } }: Entry): boolean {
  return isObject(compactMetadata) &&
    (isObject(compactMetadata.preservedMessages) || isObject(compactMetadata.preservedSegment));
}
