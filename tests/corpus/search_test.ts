// Compares searches of real sessions with a slow search that parses every line.

import { assertEquals, assertGreater } from "@std/assert";
import { contentParts } from "../../src/transcript/content.ts";
import { readEntries } from "../../src/transcript/entry.ts";
import { type SearchMatch, searchTranscript } from "../../src/transcript/search/search.ts";
import { SearchPattern } from "../../src/transcript/search/pattern.ts";

const CORPUS = Deno.env.get("TRIMTAB_CORPUS") ??
  decodeURIComponent(new URL("../../../shared/corpus", import.meta.url).pathname);

const SESSIONS = 6;

const LITERALS = ["error", '": "', "the test", ".ts\n", "\\n", "\u2014", "git commit -m"];
const EXPRESSIONS = ["\\bfunc(tion)? \\w+\\(", "TODO|FIXME", "^\\s*import .*from", "v\\d+\\.\\d+"];

const names = sessionNames();
const ignore = names.length === 0;

Deno.test({
  name: "searchTranscript() finds the same as a slow search in real sessions" +
    (ignore ? ` (ignored: no sessions in ${CORPUS})` : ""),
  ignore,
  fn(): void {
    let matches = 0;
    for (const name of names) {
      const path = `${CORPUS}/${name}`;
      for (const pattern of LITERALS) {
        for (const ignoreCase of [false, true]) {
          const fold = (text: string): string => ignoreCase ? text.toLowerCase() : text;
          const expected = slowSearch(path, (text) => fold(text).includes(fold(pattern)));
          matches += assertFound(path, new SearchPattern(pattern, { ignoreCase }), expected);
        }
      }
      for (const pattern of EXPRESSIONS) {
        const expected = slowSearch(path, (text) => new RegExp(pattern, "mu").test(text));
        matches += assertFound(path, new SearchPattern(pattern, { isRegex: true }), expected);
      }
    }
    console.log(`  ${names.length} sessions: ${matches} matches`);
    assertGreater(matches, 100);
  },
});

type Found = Omit<SearchMatch, "excerpt">;

function assertFound(path: string, pattern: SearchPattern, expected: Found[]): number {
  const found = Array.from(
    searchTranscript(path, { pattern }),
    ({ line, role, tool }) => ({ line, role, tool }),
  );
  assertEquals(found, expected);
  return found.length;
}

function slowSearch(path: string, holds: (text: string) => boolean): Found[] {
  const encoder = new TextEncoder();
  const entries = Deno.readTextFileSync(path).split("\n").flatMap((text, index) =>
    readEntries(encoder.encode(text)).map((entry) => ({ entry, line: index + 1 }))
  );
  const tools = new Map<string, string>();
  for (const { entry } of entries) {
    for (const { kind, id, name } of contentParts(entry)) {
      if (kind === "tool_use" && id !== undefined && name !== undefined) tools.set(id, name);
    }
  }
  return entries.flatMap(({ entry, line }) =>
    contentParts(entry).flatMap(({ kind, id, text }): Found[] => {
      if (kind === "image") return [];
      const texts = kind === "tool_use" ? leafValues(JSON.parse(text)) : [text];
      if (!texts.some(holds)) return [];
      const isOfTool = kind === "tool_use" || kind === "tool_result";
      const tool = isOfTool ? tools.get(id ?? "") ?? null : null;
      if (kind === "tool_result") return [{ line, role: "tool", tool }];
      return [{ line, role: entry.type === "assistant" ? "assistant" : "user", tool }];
    })
  );
}

function leafValues(value: unknown): string[] {
  if (typeof value !== "object") return [String(value)];
  return value === null ? [] : Object.values(value).flatMap(leafValues);
}

function sessionNames(): string[] {
  try {
    const all = [...Deno.readDirSync(CORPUS)].map(({ name }) => name)
      .filter((name) => name.endsWith(".jsonl")).sort();
    const step = Math.max(1, Math.floor(all.length / SESSIONS));
    return all.filter((_, index) => index % step === 0).slice(0, SESSIONS);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
