/** Writes down what happened in place, for hooks and commands. */

import {
  type InsideRecord,
  insideRecordPath,
  type InsideTrimRecord,
  parseInsideRecord,
  withTrim,
} from "../store/inside_record.ts";
import type { Client } from "./client.ts";

/** Keeps git away from what trimtab keeps. */
const IGNORE_FILE = ".claude/trimtab/.gitignore";

/** Reads what was written down of the session. */
export async function readRecord(client: Client): Promise<InsideRecord> {
  const [root, id] = await Promise.all([client.session.root(), client.session.id()]);
  return parseInsideRecord(await client.fs.read(insideRecordPath(root, id)).catch(() => ""));
}

/** Writes a trim down before the client tells its hooks of a compaction. */
export async function recordTrim(
  client: Client,
  trim: Omit<InsideTrimRecord, "at_ms">,
): Promise<void> {
  const [root, id, now, record] = await Promise.all([
    client.session.root(),
    client.session.id(),
    client.clock.now(),
    readRecord(client),
  ]);
  const ignore = `${root}/${IGNORE_FILE}`;
  if (!await client.fs.exists(ignore)) await client.fs.write(ignore, "*\n");
  await client.fs.write(
    insideRecordPath(root, id),
    JSON.stringify(withTrim(record, { ...trim, at_ms: now })),
  );
}
