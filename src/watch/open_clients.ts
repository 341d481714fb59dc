/** Which sessions are open in a client, as the clients themselves tell. */

import { isRecord } from "../core/record.ts";
import { readLineage } from "../lineage/file.ts";
import { readOwnTextSync } from "../store/own_file.ts";
import { joinPath } from "../store/paths.ts";

const MAX_CLIENTS = 1_000;

const MAX_NOTE_BYTES = 100_000;

/** What is written when a session ends may come later than the end that the lineage has. */
const AFTER_END_MS = 5_000;

/** Tells whether a session whose transcript was written then has ended. */
export type EndTest = (sessionId: string, modifiedMs: number) => boolean;

/**
 * Tells the sessions that have ended from those that are open. Every client keeps a note in
 * `<configDir>/sessions` while it runs, which names its session (seen with 2.1.197 and 2.1.330). Where
 * there are none, as with other versions, the lineage tells what ended.
 */
export function endedSessions(projectDir: string, configDir: string): EndTest {
  const open = openSessions(joinPath(configDir, "sessions"));
  if (open !== null) return (id) => !open.has(id);
  const ends = new Map(
    readLineage({ projectDir }).sessions.flatMap(({ session_id: id, ended_at }) =>
      id === null || ended_at === null ? [] : [[id, Date.parse(ended_at)] as const]
    ),
  );
  // What is written after its end has been resumed.
  return (id, modifiedMs) => modifiedMs <= (ends.get(id) ?? -Infinity) + AFTER_END_MS;
}

/** The sessions that the notes name; null where no client keeps any. */
function openSessions(folder: string): ReadonlySet<string> | null {
  let names: string[];
  try {
    names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return null;
  }
  const notes = names.filter((name) => /^\d+\.json$/.test(name)).slice(0, MAX_CLIENTS);
  return new Set(notes.flatMap((name) => sessionIn(joinPath(folder, name)) ?? []));
}

function sessionIn(path: string): string | undefined {
  try {
    const note: unknown = JSON.parse(readOwnTextSync(path, MAX_NOTE_BYTES) ?? "null");
    const id = isRecord(note) ? note["sessionId"] : undefined;
    return typeof id === "string" ? id : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    // It is being written, or went while we looked.
    return undefined;
  }
}
