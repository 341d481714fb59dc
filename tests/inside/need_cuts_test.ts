import { assert, assertEquals } from "@std/assert";
import type { CallRow, ResultRow, Row } from "../../src/inside/client.ts";
import { chooseCuts } from "../../src/inside/cuts.ts";
import { resolveTrim } from "../../src/trim/trim_options.ts";
import { trimTranscript } from "../trim/by_length.ts";
import { parseLines, SessionBuilder } from "../trim/build_session.ts";

function longText(seed: string): string {
  const lines = Array.from({ length: 150 }, (_, line) => `${line}\tconst ${seed}Name${line} = 1;`);
  return lines.join("\n");
}

function buildSession(): SessionBuilder {
  const session = new SessionBuilder().user("fix the thirdName30 of it");
  session.call("a", "Read", { file_path: "/a", limit: 60 }, longText("first"));
  session.call("b", "Bash", { command: "make" }, longText("second"));
  session.call("c", "Read", { file_path: "/c" }, longText("third"));
  session.call("d", "AskUserQuestion", { questions: [] }, longText("answer"));
  session.call("e", "Read", { file_path: "/a" }, longText("first"));
  const edit = { file_path: "/c", old_string: longText("old"), new_string: longText("new") };
  session.call("f", "Edit", edit, "The file /c has been updated successfully.");
  for (let count = 0; count < 12; count++) {
    session.call(`x${count}`, "Bash", { command: `step ${count}` }, "ok");
  }
  return session.user("now use thirdName30");
}

function rowsOf(session: SessionBuilder): Row[] {
  return session.lines.map((line) => {
    // deno-lint-ignore no-explicit-any
    const { role, content } = line.message as any;
    if (typeof content === "string") return { role, text: content, toolUses: [] };
    const [block] = content;
    if (block.type === "tool_use") {
      const call: CallRow = { tool_use_id: block.id, tool: block.name, input: block.input };
      return { role, text: "", toolUses: [call] };
    }
    const result: ResultRow = {
      tool_use_id: block.tool_use_id,
      text: block.content,
      isError: false,
    };
    return { role, text: "", toolUses: [], toolResults: [result] };
  });
}

Deno.test("chooseCuts() with style need makes the same cuts as a copy, with the same text", () => {
  const session = buildSession();
  using place = session.write();
  const { lines } = session;
  const lineOf = (id: string, kind: "call" | "result"): number =>
    lines.findIndex((line) => {
      // deno-lint-ignore no-explicit-any
      const [block] = (line.message as any).content;
      return kind === "call" ? block.id === id : block.tool_use_id === id;
    }) + 1;
  trimTranscript({ input: place.input, output: place.output, keep: "need", keepRecent: 5 });
  const cuts = chooseCuts(rowsOf(session), {
    ...resolveTrim({ keep: "need", keepRecent: 5 })[0],
    parentFile: place.input.replace(/^.*\//, "").slice(0, 8).replace(".jsonl", ""),
    lineOf,
    excessTokens: undefined,
    scale: 1,
  });
  assertEquals([...cuts.results.keys()].sort(), ["a", "b", "c", "e"]);
  assertEquals([...cuts.inputs.keys()], ["f"]);
  for (const [index, line] of parseLines(place.output).entries()) {
    // deno-lint-ignore no-explicit-any
    const block = (line.message as any)?.content[0];
    const cut = cuts.results.get(block?.tool_use_id) ?? cuts.inputs.get(block?.id);
    if (cut === undefined) continue;
    assertEquals(block.content ?? block.input, cut, `line ${index + 1}`);
  }
  assert(cuts.results.get("c")?.includes("const thirdName30 = 1;"));
});
