/** Records trims in place, the size of the context and the last warning, for hooks and commands. */

import {
  type InsideFill,
  type InsideRecord,
  insideRecordPath,
  type InsideTrimRecord,
  MAX_RECORD_CHARS,
  parseInsideRecord,
  withTrim,
} from "../store/inside_record.ts";
import type { Client } from "./client.ts";
import { readText, writeOwn } from "./files.ts";

const IGNORE_FILE = ".claude/trimtab/.gitignore";

export function ownerOf(client: Client): Promise<[root: string, id: string]> {
  return Promise.all([client.session.root(), client.session.id()]);
}

/** Waits for pending changes, because a read during a write can return an incomplete record. */
export async function readRecord(client: Client): Promise<InsideRecord> {
  await changing.catch(() => {});
  return await readNow(client);
}

async function readNow(client: Client): Promise<InsideRecord> {
  const [root, id] = await ownerOf(client);
  return parseInsideRecord(
    await readText(client, insideRecordPath(root, id), MAX_RECORD_CHARS) ?? "",
  );
}

/** Also records the size of the context, because a session without a screen has no status update. */
export async function recordTrim(
  client: Client,
  trim: InsideTrimRecord,
  fill?: InsideFill,
): Promise<void> {
  await changeRecord(client, (record) => ({ ...withTrim(record, trim), ...fill && { fill } }));
}

/** If false, the module records trims and warnings, but neither activity nor the size of the context. */
export async function isUsedProject(client: Client): Promise<boolean> {
  return await client.fs.exists(`${await client.session.root()}/${IGNORE_FILE}`);
}

/** The last change. Each change waits for the previous one, because it starts from the record on disk. */
let changing: Promise<void> = Promise.resolve();

export function changeRecord(
  client: Client,
  change: (record: InsideRecord) => InsideRecord,
): Promise<void> {
  changing = changing.catch(() => {}).then(async () => {
    const [root, id] = await ownerOf(client);
    const record = change(await readNow(client));
    await writeOwn(client, { root, path: insideRecordPath(root, id) }, JSON.stringify(record));
  });
  return changing;
}
