/** Compares a session's usage at the end of its file with a slow count over the whole file. */

import { assert, assertEquals, assertGreater } from "@std/assert";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { readRunningUsage } from "../../src/gauge/running_usage.ts";
import { gaugeSession } from "../../src/gauge/session_pressure.ts";
import { CORPUS, corpusTest, names, parseLine } from "./corpus.ts";

const WINDOWS = [200_000, 1_000_000];
const CLUES = {
  config: DEFAULT_CONFIG.context,
  owner: { projectDir: "/nowhere", sessionId: "none" },
  env: () => undefined,
};
const MESSAGES = ["user", "assistant", "attachment", "system"];
/** Maximum age of a line that replaces a missing parent. */
const REPLACEMENT_MS = 5_000;

// deno-lint-ignore no-explicit-any -- a slow reference that takes the lines as they are
type Raw = any;

function entriesOf(path: string): Raw[] {
  return Deno.readTextFileSync(path).split("\n").flatMap(parseLine);
}

/** Returns the tokens billed for an answer, as the client counts them; undefined for other entries. */
function billed(entry: Raw): number | undefined {
  const usage = entry?.message?.usage;
  if (entry?.type !== "assistant" || !usage || entry.isApiErrorMessage) return undefined;
  if (entry.message.model === "<synthetic>") return undefined;
  const { input_tokens = 0, cache_creation_input_tokens = 0, cache_read_input_tokens = 0 } = usage;
  return input_tokens + cache_creation_input_tokens + cache_read_input_tokens || undefined;
}

/**
 * Returns the newest usage on the path from a line to its root; null at a compaction, or if the
 * path has none.
 */
function newestUsage(entries: Raw[], tip: Raw): number | null {
  const byId = new Map(entries.filter((entry) => entry.uuid).map((entry) => [entry.uuid, entry]));
  const passed = new Set<Raw>();
  for (let entry = tip; entry !== undefined && !passed.has(entry);) {
    passed.add(entry);
    if (entry.subtype === "compact_boundary") return null;
    const tokens = billed(entry);
    if (tokens !== undefined) return tokens;
    if (typeof entry.parentUuid !== "string") return null;
    entry = byId.get(entry.parentUuid) ?? replacementParent(entries, entry);
  }
  return null;
}

function replacementParent(entries: Raw[], child: Raw): Raw {
  const time = Date.parse(child.timestamp);
  const age = (entry: Raw): number => time - Date.parse(entry.timestamp);
  return entries
    .filter((entry) => MESSAGES.includes(entry.type) && !entry.isSidechain && entry !== child)
    .filter((entry) => age(entry) >= 0 && age(entry) <= REPLACEMENT_MS)
    .toSorted((a, b) => age(a) - age(b))[0];
}

function lastMessage(entries: Raw[]): Raw {
  return entries.findLast((entry) =>
    MESSAGES.includes(entry.type) && entry.uuid && !entry.isSidechain
  );
}

/**
 * Returns the line from which a resumed session continues; the client may have recorded another
 * leaf.
 */
function resumedFrom(entries: Raw[]): Raw {
  const last = lastMessage(entries);
  const cut = entries.findLastIndex((entry) => entry.subtype === "compact_boundary");
  const note = entries.findLast((entry, index) => entry.type === "last-prompt" && index > cut);
  const leaf = entries.findLast((entry) => entry.uuid && entry.uuid === note?.leafUuid);
  if (leaf === undefined) return last;
  const byId = new Map(entries.filter((entry) => entry.uuid).map((entry) => [entry.uuid, entry]));
  const passed = new Set<Raw>();
  for (let entry = last; entry !== undefined && !passed.has(entry);) {
    if (entry === leaf) return last;
    passed.add(entry);
    entry = byId.get(entry.parentUuid);
  }
  return leaf;
}

corpusTest(
  "gaugeSession() and readRunningUsage() agree with a count over the whole of real sessions",
  () => {
    const known: number[] = [];
    for (const path of names.map((name) => `${CORPUS}/${name}`)) {
      const entries = entriesOf(path);
      const expected = newestUsage(entries, resumedFrom(entries));
      const pressure = gaugeSession({ transcript: path, ...CLUES });
      const { tokens, window, limit, left, percent } = pressure;
      assertEquals(tokens, expected, path);
      const { usage } = readRunningUsage(path);
      assertEquals(usage?.tokens ?? null, newestUsage(entries, lastMessage(entries)), path);
      if (tokens === null || percent === null) continue;
      known.push(percent);
      assert(WINDOWS.includes(window), path);
      // The limit excludes the space that the client reserves.
      assert(limit <= window - 20_000, path);
      assertEquals(left, Math.max(0, limit - tokens), path);
      const exact = Math.min(100, Math.floor((tokens * 200 + limit) / (2 * limit)));
      assertEquals(percent, exact, path);
    }
    assertGreater(known.length, 40);
    console.log(
      `  ${known.length} sessions with a usage, ${Math.min(...known)} to ` +
        `${Math.max(...known)} %`,
    );
  },
);
