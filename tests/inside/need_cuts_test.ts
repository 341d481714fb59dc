import { assert, assertEquals } from "@std/assert";
import { chooseCuts } from "../../src/inside/cuts.ts";
import { resolveTrim } from "../../src/trim/trim_options.ts";
import { trimTranscript } from "../trim/by_length.ts";
import { parseLines, SessionBuilder } from "../trim/build_session.ts";
import { placesIn, rowsOf } from "./laid_out.ts";

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

Deno.test("chooseCuts() with style need makes the same cuts as a copy, with the same text", () => {
  using place = buildSession().write();
  trimTranscript({ input: place.input, output: place.output, keep: "need", keepRecent: 5 });
  const cuts = chooseCuts(rowsOf(place.input), {
    ...resolveTrim({ keep: "need", keepRecent: 5 })[0],
    parentFile: place.input.replace(/^.*\//, "").slice(0, 8).replace(".jsonl", ""),
    lineOf: placesIn(place.input),
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
