/**
 * Writes down what happened in place, for hooks and commands.
 *
 * @module
 */

import {
  insideRecordPath,
  type InsideTrimRecord,
  parseInsideRecord,
  withTrim,
} from "../store/inside_record.ts";
import type { Client } from "./client.ts";

/** Keeps git away from what trimtab keeps. */
const IGNORE_FILE = ".claude/trimtab/.gitignore";

/** Writes a trim down before the client tells its hooks of a compaction. */
export async function recordTrim(
  client: Client,
  trim: Omit<InsideTrimRecord, "at_ms">,
): Promise<void> {
  const [root, id, now] = await Promise.all([
    client.session.root(),
    client.session.id(),
    client.clock.now(),
  ]);
  const path = insideRecordPath(root, id);
  const record = parseInsideRecord(await client.fs.read(path).catch(() => ""));
  const ignore = `${root}/${IGNORE_FILE}`;
  if (!await client.fs.exists(ignore)) await client.fs.write(ignore, "*\n");
  await client.fs.write(path, JSON.stringify(withTrim(record, { ...trim, at_ms: now })));
}
