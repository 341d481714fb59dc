/** Writes down what happened in place, for hooks and commands. */

import {
  type InsideRecord,
  insideRecordPath,
  type InsideTrimRecord,
  MAX_RECORD_CHARS,
  parseInsideRecord,
  withTrim,
} from "../store/inside_record.ts";
import type { Client, FileStat } from "./client.ts";
import { readText } from "./read_file.ts";

/** Keeps git away from what trimtab keeps. */
const IGNORE_FILE = ".claude/trimtab/.gitignore";

/** Reads what was written down of the session. */
export async function readRecord(client: Client): Promise<InsideRecord> {
  const [root, id] = await Promise.all([client.session.root(), client.session.id()]);
  return parseInsideRecord(
    await readText(client, insideRecordPath(root, id), MAX_RECORD_CHARS) ?? "",
  );
}

/** Writes a trim down before the client tells its hooks of a compaction. */
export async function recordTrim(
  client: Client,
  trim: Omit<InsideTrimRecord, "at_ms">,
): Promise<void> {
  const now = await client.clock.now();
  await changeRecord(client, (record) => withTrim(record, { ...trim, at_ms: now }));
}

/** Whether the project has a folder of ours: else nothing is written that nobody asked for. */
export async function isUsedProject(client: Client): Promise<boolean> {
  return await client.fs.exists(`${await client.session.root()}/${IGNORE_FILE}`);
}

/** One change after the other: each reads what the one before wrote. */
let changing: Promise<void> = Promise.resolve();

/** Changes what is written down of the session. */
export function changeRecord(
  client: Client,
  change: (record: InsideRecord) => InsideRecord,
): Promise<void> {
  changing = changing.catch(() => {}).then(() => writeRecord(client, change));
  return changing;
}

async function writeRecord(
  client: Client,
  change: (record: InsideRecord) => InsideRecord,
): Promise<void> {
  const [root, id, record] = await Promise.all([
    client.session.root(),
    client.session.id(),
    readRecord(client),
  ]);
  const ignore = `${root}/${IGNORE_FILE}`;
  await refuseLinks(client, root, ["trimtab", ".gitignore"]);
  await refuseLinks(client, root, ["trimtab", "state", `${id}.inside.json`]);
  if (!await client.fs.exists(ignore)) await client.fs.write(ignore, "*\n");
  await client.fs.write(insideRecordPath(root, id), JSON.stringify(change(record)));
}

/** A project that was cloned can bring links under our names, which lead anywhere. */
export async function refuseLinks(
  client: Client,
  root: string,
  below: readonly string[],
): Promise<void> {
  let place = `${root}/.claude`;
  // People link this folder themselves: within the project it may lead where it likes.
  const settings = await statOf(client, place);
  if (settings?.isLink === true) {
    const [real, from] = [settings.realPath, (await statOf(client, root))?.realPath];
    const isInside = from !== undefined && real?.startsWith(from) === true &&
      /^[\\/]/.test(real.slice(from.length));
    if (!isInside) throw new TypeError(`${place} leads out of the project`);
  }
  for (const name of below) {
    place = `${place}/${name}`;
    if ((await statOf(client, place))?.isLink === true) throw new TypeError(`${place} is a link`);
  }
}

/** What is not there is no link. */
async function statOf(client: Client, path: string): Promise<FileStat | undefined> {
  return await client.fs.stat(path, { resolve: true }).catch(() => undefined);
}
