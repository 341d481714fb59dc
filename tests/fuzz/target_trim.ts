/**
 * Trims a broken session: every entry is kept, the counts are exact, and a second trim changes nothing.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { placeEntries } from "../../src/transcript/entry.ts";
import { trimByLength, type TrimCounts, type TrimOptions } from "../trim/by_length.ts";
import {
  assertExactCounts,
  assertNoSecondCut,
  assertSameEntries,
  entriesOf,
} from "../trim/invariants.ts";
import { bytesOf, readBytes, writeBytes } from "./bytes.ts";
import { mutateLines } from "./mutate.ts";
import { type Seeds, sessionPart } from "./seeds.ts";
import { SESSION } from "./seed_lines.ts";
import type { Random } from "./random.ts";
import { must, type Parts, type Place, type Target } from "./target.ts";

export const trimTarget: Target = { name: "trim", weight: 16, make: makeSession, run: runTrim };

export function makeSession(random: Random, seeds: Seeds): Parts {
  return { session: mutateLines(sessionPart(seeds, random), random) };
}

function anyOptions(random: Random): Partial<TrimOptions> {
  const setsAll = random.chance(40);
  return {
    threshold: random.pick([0, 20, 150, 500]),
    keepRecent: random.pick([0, 0, 1, 5]),
    ...(setsAll
      ? {
        keep: random.pick(["head", "line", "need", "need"]),
        depth: random.pick(["light", "deep"]),
        dropImages: random.chance(50),
        ...(random.chance(30) ? { protect: ["**/a.ts"] } : {}),
      }
      : {}),
  };
}

function runTrim(parts: Parts, place: Place, random: Random): void {
  const text = parts.session ?? "";
  writeBytes(place.transcript, text);
  const options = anyOptions(random);
  const files = { input: place.transcript, output: place.output };
  const counts = trimByLength({ ...files, ...options });
  mustBeConsistent(counts);
  must(readBytes(files.input) === text, "an unchanged session");
  const copy = readBytes(files.output);
  must(copy.length === counts.bytes.after, "the reported number of bytes", counts.bytes);
  assertExactCounts(files, counts);
  if (random.chance(20)) assertEquals(trimByLength({ input: files.input, ...options }), counts);
  if (hasBrokenLine(text)) return;
  assertSameEntries(files);
  if (!hasSharedId(text)) assertNoSecondCut(files.output, options);
  if (random.chance(65)) return;
  Deno.removeSync(files.output);
  const renaming = { sessionId: "7a117a11-0000-4000-8000-00000000beef", metadata: true };
  trimByLength({ ...files, parentSessionId: SESSION, ...renaming, ...options });
  const [before, after] = [files.input, files.output].map((path) => entriesOf(path).length);
  // A new session id can replace the broken part of a line, which then becomes an entry.
  must(Number(after) >= Number(before), "every entry under a new id", { before, after });
}

function mustBeConsistent({ context_chars: chars, tokens, bytes }: TrimCounts): void {
  for (const { before, after } of [chars, tokens, bytes]) {
    const isSane = [before, after].every((n) => Number.isFinite(n) && n >= 0);
    must(isSane, "valid sizes", { chars, tokens, bytes });
  }
  for (const { before, after } of [chars, tokens]) {
    must(after <= before, "no more than before", { chars, tokens });
  }
}

/**
 * Whether two calls share an id. The call that a result belongs to then depends on where reading starts, so a
 * second trim may cut more.
 */
function hasSharedId(text: string): boolean {
  const ids = [...text.matchAll(/"type":"tool_use","id":"([^"]*)"/g)].map(([, id]) => id);
  return new Set(ids).size < ids.length;
}

/**
 * Whether a broken line contains a result or several entries. A second trim does not recognize a notice on
 * such a line, and the number of its entries is unknown.
 */
function hasBrokenLine(text: string): boolean {
  return text.split("\n").some((line) => {
    const end = placeEntries(bytesOf(line)).at(-1)?.end ?? 0;
    return /tool_result|\}\{/.test(line) && end < line.trimEnd().length;
  });
}
