// A trim in place makes the same cuts as a copy in any order of an answer's calls and results.

import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isObject, type JsonObject } from "../../src/core/record.ts";
import { chooseCuts } from "../../src/inside/cuts.ts";
import { resolveTrim } from "../../src/trim/trim_options.ts";
import { anyInterleaving, linesOf } from "../e2e/any_interleaving.ts";
import { trimTranscript } from "../trim/by_length.ts";
import { resultsOf } from "../trim/build_session.ts";
import { newFolder } from "../folder.ts";
import { placesIn, rowsOf } from "./laid_out.ts";

const CHOICES = { keep: "need", keepRecent: 2 } as const;

/** Gives a generated session reads that define names, and commands and prompts that use them. */
function withNames(lines: readonly JsonObject[]): JsonObject[] {
  const numbers = new Map<string, number>();
  const numberOf = (id: unknown): number => {
    const number = numbers.get(`${id}`) ?? numbers.size;
    numbers.set(`${id}`, number);
    return number;
  };
  const withName = (block: unknown): unknown => {
    if (!isObject(block)) return block;
    if (block.type === "tool_use") {
      const number = numberOf(block.id);
      return number % 3 === 0
        ? { ...block, input: { command: `grep valueOf${Math.max(0, number - 4)}x7` } }
        : { ...block, name: "Read", input: { file_path: `/p/f${number}.ts` } };
    }
    if (block.type !== "tool_result") return block;
    const number = numberOf(block.tool_use_id);
    const text = Array.from(
      { length: 200 },
      (_, index) => `const valueOf${number}x${index} = ${index};`,
    );
    return { ...block, content: text.join("\n") };
  };
  return lines.map((line) => {
    const { message } = line;
    if (!isObject(message) || !Array.isArray(message.content)) return line;
    return { ...line, message: { ...message, content: message.content.map(withName) } };
  });
}

Deno.test("a trim in place and a copy make the same cuts in any order of calls and results", () => {
  using folder = newFolder();
  const [input, output] = [`${folder.path}/session.jsonl`, `${folder.path}/copy.jsonl`];
  let cutCount = 0;
  fc.assert(
    fc.property(anyInterleaving, (session) => {
      const lines = withNames(linesOf(session)).map((line) => JSON.stringify(line));
      Deno.writeTextFileSync(input, lines.join("\n") + "\n");
      trimTranscript({ input, output, ...CHOICES });
      const before = resultsOf(input);
      const after = resultsOf(output);
      Deno.removeSync(output);
      const rows = rowsOf(input);
      const sent = new Set(
        rows.flatMap(({ toolResults = [] }) => toolResults.map((result) => result.tool_use_id)),
      );
      const { results } = chooseCuts(rows, {
        ...resolveTrim(CHOICES)[0],
        parentFile: "session",
        lineOf: placesIn(input),
        excessTokens: undefined,
        scale: 1,
      });
      const copied = [...after].filter(([id, text]) => sent.has(id) && text !== before.get(id));
      assertEquals([...results.keys()].sort(), copied.map(([id]) => id).sort());
      for (const [id, text] of copied) assertEquals(results.get(id), text, id);
      cutCount += results.size;
    }),
    { numRuns: 150 },
  );
  assert(cutCount > 300, `${cutCount} cuts`);
});
