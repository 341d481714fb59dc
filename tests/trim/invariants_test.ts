import { Buffer } from "node:buffer";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type TrimCounts, type TrimOptions, trimTranscript } from "./by_length.ts";
import { assertLines, latin1, referenceTrim, utf8 } from "./reference_trim.ts";
import { anySession, PARENT_ID } from "./any_session.ts";

const RUNS = { numRuns: 100, seed: 20261122 };
const TARGETS = ["Read", "Bash", "Grep", "Glob"];
const NEW_ID = "7a117a11-0000-4000-8000-00000000beef";

const anyOptions = fc.record({
  threshold: fc.constantFrom(0, 20, 150, 500),
  keepRecent: fc.constantFrom(0, 0, 1, 3),
});

console.log(`invariants: seed ${RUNS.seed}, ${RUNS.numRuns} runs a property`);

Deno.test("trimTranscript() of any lines gives the same as the slow reference", () => {
  let cut = 0;
  fc.assert(
    fc.property(anySession, anyOptions, (text, options) => {
      using session = new Folder(text);
      const counts = session.trim(options);
      const expected = referenceTrim(session.input, {
        ...options,
        tools: TARGETS,
        parentFile: PARENT_ID.slice(0, 8),
        tokensAfter: counts.tokens.after < counts.tokens.before ? counts.tokens.after : Infinity,
      });
      const copy = session.read();
      assertLines(copy, expected);
      assertEquals(counts.trimmed_count, expected.count);
      assertEquals(counts.by_tool, expected.byTool);
      assertEquals(counts.torn_bytes, expected.tornBytes);
      assertEquals(counts.context_by_tool, expected.sentByTool);
      assertEquals(counts.bytes, { before: text.length, after: copy.length });
      const { before, after } = counts.context_chars;
      assertEquals(before - after, expected.sentCharsSaved);
      assertEquals(trimTranscript({ input: session.input, ...options }), counts, "dry");
      session.assertOriginal();
      cut += counts.trimmed_count;
    }),
    RUNS,
  );
  // The property is meaningless if hardly any result is cut.
  assert(cut > RUNS.numRuns / 4, `only ${cut} results were cut`);
});

Deno.test("trimTranscript() under a new id changes the ids of entries and nothing else", () => {
  fc.assert(
    fc.property(anySession, anyOptions, fc.boolean(), (text, options, isLonger) => {
      const sessionId = isLonger ? `${NEW_ID}-and-longer` : NEW_ID;
      using session = new Folder(text);
      session.trim(options);
      const plain = linesOf(session.read());
      Deno.removeSync(session.output);
      session.trim({ ...options, sessionId, metadata: true });
      const full = linesOf(session.read());
      assertEquals(full.length, plain.length);
      const first = plain.findIndex((line) => entryOf(line) !== undefined);
      for (const [n, line] of full.entries()) {
        const original = plain[n] ?? "";
        const entry = entryOf(original);
        if (entry === undefined) {
          // A line that looks like an entry to its end gets the id although it is broken inside:
          // only a parser would notice, and no session resumes from it.
          assertEquals(withoutIds(line), withoutIds(original));
          continue;
        }
        const changed = entryOf(line);
        if (n === first) {
          assertEquals(Object(changed?.trim_metadata).parent_session_id, PARENT_ID);
        }
        if (entry?.sessionId !== undefined) assertEquals(changed?.sessionId, sessionId);
        const again = line.replaceAll(sessionId, String(entry?.sessionId));
        const own = { trim_metadata: undefined };
        if (n !== first) assertEquals(again, original);
        else assertEquals({ ...entryOf(again), ...own }, { ...entry, ...own });
      }
    }),
    RUNS,
  );
});

Deno.test("trimTranscript() twice changes nothing more, and later cuts only new results", () => {
  fc.assert(
    fc.property(anySession, anyOptions, fc.nat(), (text, options, place) => {
      using session = new Folder(text);
      session.trim({ ...options, sessionId: NEW_ID, metadata: true });
      const copied = session.read();
      const twice = `${session.output}.twice`;
      const again = trimTranscript({ input: session.output, output: twice, ...options });
      assertEquals([again.trimmed_count, again.torn_bytes], [0, 0]);
      // The second trim may split a line of several entries that the first left whole.
      const [first, second] = [copied, latin1(Deno.readFileSync(twice))].map((text) =>
        linesOf(text).flatMap(splitLine)
      );
      assertEquals(second, first);
      using full = new Folder(text);
      full.trim({ ...options, keepRecent: 0 });
      const lines = linesOf(full.read()).flatMap(splitLine);
      const at = place % (lines.length + 1);
      const extendedLines = [...lines.slice(0, at), ...newResult(), ...lines.slice(at)];
      using next = new Folder(extendedLines.map((line) => line + "\n").join(""));
      const counts = next.trim({ ...options, keepRecent: 0 });
      // Lines before the newest compaction and abandoned branches are not cut.
      const isCut = counts.trimmed_count === 1;
      if (at === lines.length) assert(isCut);
      assert(counts.trimmed_count <= 1);
      const result = linesOf(next.read());
      assertEquals(result.length, extendedLines.length);
      for (const [n, line] of result.entries()) {
        if (n === at + 1 && isCut) assert(line.length < (extendedLines[n] ?? "").length);
        else assertEquals(withoutUsage(line), withoutUsage(extendedLines[n] ?? ""));
      }
      assertEquals(session.read(), copied, "a trim only reads what it is given");
    }),
    RUNS,
  );
});

/** A session in its own folder. */
class Folder implements Disposable {
  readonly input: string;
  readonly output: string;
  readonly #folder = Deno.makeTempDirSync({ prefix: "trimtab-invariants-" });
  readonly #text: string;
  readonly #mtime: Date;

  constructor(text: string) {
    this.#text = text;
    this.#mtime = new Date(Date.UTC(2026, 0, 2, 3, 4, 5));
    this.input = `${this.#folder}/${PARENT_ID}.jsonl`;
    // A notice names any parent by the same number of characters, so a second trim changes nothing.
    this.output = `${this.#folder}/${NEW_ID}.jsonl`;
    Deno.writeFileSync(this.input, Buffer.from(text, "latin1"));
    Deno.utimeSync(this.input, this.#mtime, this.#mtime);
  }

  trim(options: Partial<TrimOptions>): TrimCounts {
    return trimTranscript({ input: this.input, output: this.output, ...options });
  }

  read(): string {
    return latin1(Deno.readFileSync(this.output));
  }

  assertOriginal(): void {
    assertEquals(Deno.statSync(this.input).mtime, this.#mtime);
    assertEquals(latin1(Deno.readFileSync(this.input)), this.#text);
    assertEquals([...Deno.readDirSync(this.#folder)].length, 2);
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.#folder, { recursive: true });
  }
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

/** Splits a line with several entries. */
function splitLine(line: string): string[] {
  if (entryOf(line) !== undefined) return [line];
  for (let at = line.indexOf("}{"); at >= 0; at = line.indexOf("}{", at + 1)) {
    const rest = splitLine(line.slice(at + 1));
    if (entryOf(line.slice(0, at + 1)) !== undefined && rest.every((part) => entryOf(part))) {
      return [line.slice(0, at + 1), ...rest];
    }
  }
  return [line];
}

function withoutUsage(line: string): unknown {
  const entry = entryOf(line);
  return entry === undefined ? line : {
    ...entry,
    contextTokens: undefined,
    message: typeof entry.message === "object" && entry.message !== null
      ? { ...entry.message, usage: undefined }
      : entry.message,
  };
}

function withoutIds(line: string): string {
  return line.replaceAll(/"sessionId": ?"[^"]*"/g, "");
}

function newResult(): string[] {
  const call = { type: "tool_use", id: "new", name: "Bash", input: {} };
  const result = { type: "tool_result", tool_use_id: "new", content: "brand new, ".repeat(200) };
  return [
    { type: "assistant", uuid: "new-1", parentUuid: null, message: { content: [call] } },
    { type: "user", uuid: "new-2", parentUuid: "new-1", message: { content: [result] } },
  ].map((line) => JSON.stringify(line));
}

function entryOf(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(utf8(line));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : undefined;
  } catch {
    return undefined;
  }
}
