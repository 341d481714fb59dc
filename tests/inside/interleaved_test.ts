import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { isObject, type JsonObject } from "../../src/core/record.ts";
import { chooseCuts } from "../../src/inside/trim.ts";
import { resolveTrim } from "../../src/trim/trim_options.ts";
import { anyInterleaving, linesOf } from "../e2e/any_interleaving.ts";
import { trimByLength } from "../trim/by_length.ts";
import { inputsOf, resultsOf } from "../trim/build_session.ts";
import { newFolder } from "../folder.ts";
import { lineNumbersIn, rowsOf } from "./laid_out.ts";
import { runsOf } from "../full.ts";

const CHOICES = { keep: "need", keepRecent: 2 } as const;

function longText(number: number): string {
  const lines = Array.from({ length: 200 }, (_, index) => `const valueOf${number}x${index} = 1;`);
  return lines.join("\n");
}

/** Turns a generated session's calls into reads and edits that define names, and commands that use names. */
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
      const file_path = `/p/f${number}.ts`;
      if (number % 3 === 1) return { ...block, name: "Read", input: { file_path } };
      const command = `grep valueOf${Math.max(0, number - 4)}x7`;
      if (number % 3 === 0) return { ...block, input: { command } };
      const [old_string, new_string] = [longText(number), longText(number + 1)];
      return { ...block, name: "Edit", input: { file_path, old_string, new_string } };
    }
    if (block.type !== "tool_result") return block;
    return { ...block, content: longText(numberOf(block.tool_use_id)) };
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
  const counts = { results: 0, inputs: 0 };
  fc.assert(
    fc.property(anyInterleaving, (session) => {
      const lines = withNames(linesOf(session)).map((line) => JSON.stringify(line));
      Deno.writeTextFileSync(input, lines.join("\n") + "\n");
      trimByLength({ input, output, ...CHOICES });
      const before = [resultsOf(input), inputsOf(input)] as const;
      const after = [resultsOf(output), inputsOf(output)] as const;
      Deno.removeSync(output);
      const rows = rowsOf(input);
      const sent = new Set(
        rows.flatMap(({ toolResults = [] }) => toolResults.map((result) => result.tool_use_id)),
      );
      const { results, inputs } = chooseCuts(rows, {
        ...resolveTrim(CHOICES)[0],
        parentFile: "session",
        lineOf: lineNumbersIn(input),
        excessTokens: undefined,
        scale: 1,
      });
      for (const [kind, cuts] of [results, inputs].entries()) {
        const copied = [...after[kind] ?? []].filter(([id, content]) =>
          sent.has(id) && JSON.stringify(content) !== JSON.stringify(before[kind]?.get(id))
        );
        assertEquals(new Map<string, unknown>(cuts), new Map<string, unknown>(copied));
      }
      counts.results += results.size;
      counts.inputs += inputs.size;
    }),
    { numRuns: runsOf(150, 60, "orders of calls and results") },
  );
  for (const [kind, count] of Object.entries(counts)) assert(count > 100, `${count} ${kind}`);
});
