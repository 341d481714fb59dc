/**
 * Finds the original text that the notices of a conversation name, in its transcript and in other
 * transcripts of the same folder.
 */

import { isNameOf, type MarkedPart, type MarkRecord, type Place, placesIn } from "../core/marks.ts";
import { parseObject, viewEntry } from "../transcript/entry.ts";
import { argumentTexts, markedTexts } from "../transcript/content.ts";
import { parentIn } from "../transcript/origin.ts";
import type { Client, Row } from "./client.ts";
import { readBytes } from "./files.ts";
import { readLinesAt, type SessionLines } from "./session_lines.ts";

const HEAD_BYTES = 64 * 1024;

const MAX_GENERATIONS = 64;

const EXTENSION = ".jsonl";

/** For each session name and each file of that name, the lines that notices name, keyed by number. */
type NamedLines = Map<string, readonly ReadonlyMap<number, string>[]>;

export async function readMarkRecord(
  client: Client,
  rows: readonly Readonly<Row>[],
  { before, active }: SessionLines,
): Promise<MarkRecord> {
  const { transcriptPath } = await client.session.info();
  const [, folder = "", ownName = ""] = /^(.*?)([^\\/]*)$/.exec(transcriptPath) ?? [];
  const places = rows.flatMap(placesOf).filter(({ session }) => !isNameOf(session, ownName));
  const named = await readNamed(client, folder, places);
  const isUnknown = [...named.values()].some((files) => files.length === 0);
  const isLost = isUnknown && await isLineageLost(client, folder, ownName);
  const own = new Map([...before, ...active].map(({ number, entry }) => [number, entry]));
  return {
    textsAt({ session, line }: Place, part: MarkedPart): readonly string[] | null | undefined {
      if (isNameOf(session, ownName)) {
        const entry = own.get(line);
        return entry && markedTexts(entry, part);
      }
      const files = named.get(session) ?? [];
      if (files.length === 0) return isLost ? null : undefined;
      for (const lines of files) {
        const raw = parseObject(lines.get(line) ?? "");
        const texts = raw && markedTexts(viewEntry(raw), part);
        if (texts !== undefined) return texts;
      }
      return undefined;
    },
  };
}

function placesOf({ toolUses, toolResults = [] }: Readonly<Row>): Place[] {
  const texts = [
    ...toolResults.map(({ text }) => text),
    ...toolUses.flatMap(({ input }) => argumentTexts(input)),
  ];
  return texts.flatMap(placesIn);
}

async function readNamed(
  client: Client,
  folder: string,
  places: readonly Place[],
): Promise<NamedLines> {
  const named: NamedLines = new Map();
  if (places.length === 0) return named;
  const names = (await client.fs.list(folder))
    .flatMap(({ kind, isLink, name }) => kind === "file" && !isLink ? [name] : []);
  for (const [session, ofSession] of Map.groupBy(places, ({ session }) => session)) {
    const wanted = new Set(ofSession.map(({ line }) => line));
    const files = names.filter((name) => isNameOf(session, name))
      .map((name) => readLinesAt(client, folder + name, wanted));
    named.set(session, await Promise.all(files));
  }
  return named;
}

async function isLineageLost(client: Client, folder: string, ownName: string): Promise<boolean> {
  let name = ownName;
  for (let generation = 0; generation < MAX_GENERATIONS; generation++) {
    const head = await readBytes(client, folder + name, { from: 0, to: HEAD_BYTES });
    const parent = parentIn(new TextDecoder().decode(head));
    if (parent === null) return false;
    name = parent + EXTENSION;
    if (!await client.fs.exists(folder + name)) return true;
  }
  return false;
}
