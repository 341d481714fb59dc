// Compares the usage at the end of a real session with a reading of its whole file.

import { assertEquals, assertGreater } from "@std/assert";
import { isObject, type JsonObject } from "../../src/core/record.ts";
import { readTailUsage } from "../../src/transcript/tokens/tail_usage.ts";
import { CORPUS, ignore, ignoredNote, names } from "./corpus.ts";

Deno.test({
  name: "readTailUsage() agrees with a reading of the whole file in real sessions" +
    ignoredNote,
  ignore,
  fn(): void {
    const kinds = { api: 0, metadata: 0, compacted: 0, none: 0 };
    for (const name of names) {
      const path = `${CORPUS}/${name}`;
      const { usage, isCompacted } = readTailUsage(path);
      const expected = bruteForce(path);
      assertEquals({ tokens: usage?.tokens, id: usage?.messageId, isCompacted }, expected, name);
      kinds[isCompacted ? "compacted" : usage?.source ?? "none"]++;
    }
    console.log(`  ${names.length} sessions: ${JSON.stringify(kinds)}`);
    assertGreater(kinds.api, 0);
  },
});

interface Found {
  tokens: number | undefined;
  id: string | undefined;
  isCompacted: boolean;
}

type Line = JsonObject;

/** Reads every line, then goes up from the last message to the first with usage. */
function bruteForce(path: string): Found {
  const lines = Deno.readTextFileSync(path).split("\n").flatMap(parse);
  const byId = new Map(lines.map((line) => [line.uuid, line]));
  const isMessage = (line: Line): boolean =>
    (line.type === "user" || line.type === "assistant") && line.isSidechain !== true;
  // These sessions have no line that would take precedence over the API's own figure.
  assertEquals(lines.find((line) => "maxContextTokens" in line), undefined);
  const seen = new Set<Line>();
  for (let at = lines.findLast(isMessage); at !== undefined && !seen.has(at);) {
    seen.add(at);
    if (at.subtype === "compact_boundary") {
      return { tokens: undefined, id: undefined, isCompacted: true };
    }
    const tokens = tokensOf(at);
    if (tokens > 0) {
      return { tokens, id: String(Object(at.message).id), isCompacted: false };
    }
    at = at.parentUuid === null ? undefined : byId.get(at.parentUuid);
  }
  return { tokens: undefined, id: undefined, isCompacted: false };
}

function tokensOf(line: Line): number {
  const { model, usage } = Object(line.message);
  if (line.type !== "assistant" || !isObject(usage) || model === "<synthetic>") return 0;
  if (line.isApiErrorMessage === true) return 0;
  const { input_tokens: fresh, cache_creation_input_tokens: written } = usage;
  return Number(fresh ?? 0) + Number(written ?? 0) + Number(usage.cache_read_input_tokens ?? 0);
}

function parse(line: string): Line[] {
  try {
    return [JSON.parse(line)];
  } catch {
    const joint = line.indexOf("}{");
    return joint < 0 ? [] : [...parse(line.slice(0, joint + 1)), ...parse(line.slice(joint + 1))];
  }
}
