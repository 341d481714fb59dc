// Light trims of real sessions: their invariants, and a comparison with a slow, independent reference.

import { Buffer } from "node:buffer";
import { assert, assertEquals, assertGreater } from "@std/assert";
import { type TrimCounts, type TrimOptions, trimTranscript } from "../trim/by_length.ts";
import { sentChars } from "../trim/build_session.ts";
import { assertLines, latin1, referenceTrim, utf8 } from "./reference_trim.ts";
import { CORPUS, corpusTest, names } from "./corpus.ts";

const TARGETS = ["Read", "Bash", "Grep", "Glob"];
const NEW_ID = "7a117a11-0000-4000-8000-00000000beef";

const WAYS = [
  { threshold: 500, keepRecent: 0, tools: TARGETS },
  { threshold: 100, keepRecent: 5, tools: [...TARGETS, "Edit", "Task", "WebFetch"] },
];

for (const way of WAYS) {
  corpusTest(
    `trimTranscript() gives the same as the slow reference, threshold ${way.threshold}, ` +
      `keepRecent ${way.keepRecent}`,
    () => {
      const totals = { results: 0, lines: 0, chars: 0, kept: 0, torn: 0, bytes: 0 };
      for (const name of names) {
        using session = sessionOf(name);
        const counts = session.trim(way);
        const parentFile = name.replace(/\.jsonl$/, "").slice(0, 8);
        const expected = referenceTrim(session.input, {
          ...way,
          parentFile,
          tokensAfter: counts.tokens.after,
        });
        const copy = latin1(Deno.readFileSync(session.output));
        assertLines(copy, expected, name);
        assertEquals(counts.by_tool, expected.byTool, name);
        assertEquals(counts.trimmed_count, expected.count, name);
        assertEquals(counts.torn_bytes, expected.tornBytes, name);
        assertEquals(counts.bytes, { before: session.size, after: copy.length }, name);
        if (way.keepRecent > 0) assertEquals(counts.kept_recent_count, expected.keptRecent, name);
        const { before, after } = counts.context_chars;
        assertEquals(before - after, expected.sentCharsSaved, name);
        assertEquals(counts.context_by_tool, expected.sentByTool, name);
        if (way.keepRecent === 0) {
          assertEquals(before, sentChars(session.input).chars, name);
          assertEquals(after, sentChars(session.output).chars, name);
        }
        assert(counts.tokens.after <= counts.tokens.before, name);
        assertEquals(session.trim(way, "dry"), counts, `${name}: a dry run counts the same`);
        totals.results += counts.trimmed_count;
        totals.lines += expected.lines.filter((line) => typeof line !== "string").length;
        totals.chars += expected.sentCharsSaved;
        totals.kept += expected.keptRecent;
        totals.torn += Number(counts.torn_bytes > 0);
        totals.bytes += counts.bytes.before - counts.bytes.after;
      }
      console.log(`  ${names.length} sessions: ${JSON.stringify(totals)}`);
      assertGreater(totals.results, 0);
    },
  );
}

corpusTest("trimTranscript() under a new id changes only ids and metadata", () => {
  for (const name of names) {
    using session = sessionOf(name);
    session.trim({});
    const plain = linesOf(session.output);
    Deno.removeSync(session.output);
    session.trim({ sessionId: NEW_ID, metadata: true, appendLines: () => ['{"type":"title"}'] });
    const full = linesOf(session.output);
    assertEquals(full.pop(), '{"type":"title"}', name);
    assertEquals(full.length, plain.length, name);
    const first = plain.findIndex((line) => entryOf(line) !== undefined);
    for (const [n, line] of full.entries()) {
      const original = plain[n] ?? "";
      if (line === original) {
        const hasId = line.includes('"sessionId"') && entryOf(line)?.sessionId !== undefined;
        assert(!hasId, `${name}: line ${n + 1} keeps its id`);
        continue;
      }
      assertEquals(withoutId(line, original, n === first), original, `${name}: line ${n + 1}`);
    }
    assert(first < 0 || full[first]?.includes('"trim_metadata":'), name);
  }
});

corpusTest(
  "trimTranscript() of its own copy cuts only results that were added since",
  () => {
    for (const name of names) {
      using session = sessionOf(name);
      session.trim({});
      const copied = linesOf(session.output);
      const twice = `${session.output}.twice.jsonl`;
      const again = trimTranscript({ input: session.output, output: twice });
      assertEquals(again.trimmed_count, 0, name);
      const [once, second] = [session.output, twice].map((path) => Deno.readFileSync(path));
      assertEquals(Buffer.compare(once ?? Buffer.of(), second ?? Buffer.of()), 0, name);
      const leaf = entryOf(copied.findLast((line) => entryOf(line)?.uuid !== undefined) ?? "")
        ?.uuid;
      const middle = copied.length >> 1;
      const extendedLines = [
        ...copied.slice(0, middle),
        ...largeResult("between", leaf),
        ...copied.slice(middle),
        ...largeResult("behind", leaf),
      ];
      const path = `${session.output}.grown.jsonl`;
      Deno.writeFileSync(path, bytesOf(extendedLines.map((line) => line + "\n").join("")));
      const trimmed = `${session.output}.again.jsonl`;
      const counts = trimTranscript({ input: path, output: trimmed });
      const result = linesOf(trimmed);
      const changed = result.flatMap((line, n) => line === extendedLines[n] ? [] : [n]);
      // An abandoned branch is cut if it comes after the newest compaction.
      const cut = [...counts.trimmed_count === 2 ? [middle + 1] : [], extendedLines.length - 1];
      for (const n of cut) assert(changed.includes(n), `${name}: line ${n + 1} is not cut`);
      // Only the newest message's usage is lowered.
      for (const n of changed.filter((n) => !cut.includes(n))) {
        const [now, was] = [result, extendedLines].map((lines) =>
          entryOf(withoutUsage(lines[n] ?? ""))
        );
        assertEquals(now, was, `${name}: line ${n + 1}`);
      }
    }
  },
);

corpusTest("trimTranscript() keeps the tree and every pair of call and result", () => {
  for (const name of names) {
    using session = sessionOf(name);
    const before = Deno.statSync(session.input);
    const bytes = Deno.readFileSync(session.input);
    session.trim({ threshold: 0 });
    const [old, copied] = [skeleton(session.input), skeleton(session.output)];
    assert(copied.join("\n") === old.join("\n"), name);
    const after = Deno.statSync(session.input);
    assertEquals([after.mtime, after.size, after.ino], [before.mtime, before.size, before.ino]);
    assertEquals(Buffer.compare(Deno.readFileSync(session.input), bytes), 0, name);
  }
});

interface Session extends Disposable {
  input: string;
  output: string;
  size: number;
  trim(options: Partial<TrimOptions>, dry?: "dry"): TrimCounts;
}

function sessionOf(name: string): Session {
  const folder = Deno.makeTempDirSync({ prefix: "trimtab-corpus-" });
  const input = `${CORPUS}/${name}`;
  const output = `${folder}/${name}`;
  return {
    input,
    output,
    size: Deno.statSync(input).size,
    trim: (options, dry) =>
      trimTranscript({ input, ...(dry === undefined ? { output } : {}), ...options }),
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

/** Undoes the changes for a new session: its id on every entry, and its origin on the first. */
function withoutId(line: string, original: string, isFirst: boolean): string {
  const { sessionId: id } = entryOf(original) ?? {};
  const plain = isFirst ? line.replace(/,?"trim_metadata":\{[^{}]*\} *\}$/, "}") : line;
  assert(typeof id === "string" || isFirst, `there is no id on ${original.slice(0, 200)}`);
  if (!isFirst) assertEquals(entryOf(line)?.sessionId, NEW_ID);
  return plain.replaceAll(NEW_ID, String(id));
}

function withoutUsage(line: string): string {
  return line.replaceAll(/"(?:cache_\w+_)?input_tokens":\d+/g, "");
}

function largeResult(id: string, parentUuid: unknown): string[] {
  const call = { type: "tool_use", id: `new-${id}`, name: "Bash", input: {} };
  const result = { type: "tool_result", tool_use_id: `new-${id}`, content: `${id} ü `.repeat(500) };
  const uuids = [`call-${id}`, `result-${id}`];
  return [
    { type: "assistant", uuid: uuids[0], parentUuid, message: { id: `m-${id}`, content: [call] } },
    { type: "user", uuid: uuids[1], parentUuid: uuids[0], message: { content: [result] } },
  ].map((line) => latin1(new TextEncoder().encode(JSON.stringify(line))));
}

function skeleton(path: string): string[] {
  return linesOf(path).flatMap((line) => line.includes("}{") ? splitTwo(line) : [line]).flatMap(
    (line) => {
      const entry = entryOf(line);
      if (entry === undefined) return ["broken"];
      const message = Object(entry.message);
      const content: unknown[] = Array.isArray(message.content) ? message.content : [];
      const blocks = content.map(Object).map((block) =>
        [block.type, block.id, block.tool_use_id, block.is_error].join(" ")
      );
      return [JSON.stringify([entry.type, entry.uuid, entry.parentUuid, message.id, blocks])];
    },
  );
}

function splitTwo(line: string): string[] {
  if (entryOf(line) !== undefined) return [line];
  for (let at = line.indexOf("}{"); at >= 0; at = line.indexOf("}{", at + 1)) {
    if (entryOf(line.slice(0, at + 1)) === undefined) continue;
    return [line.slice(0, at + 1), ...splitTwo(line.slice(at + 1))];
  }
  return [line];
}

function entryOf(line: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(utf8(line)));
  } catch {
    return undefined;
  }
}

function linesOf(path: string): string[] {
  return latin1(Deno.readFileSync(path)).replace(/\n$/, "").split("\n");
}

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}
