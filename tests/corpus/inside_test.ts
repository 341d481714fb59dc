// On real sessions, a trim in place must make the same cuts with the same text as a copy, with few exceptions,
// and must leave everything else unchanged.

import { assert, assertEquals } from "@std/assert";
import type { Row } from "../../src/inside/client.ts";
import { chooseCuts } from "../../src/inside/trim.ts";
import { changeRows } from "../../src/inside/rows.ts";
import { resultTexts } from "../../src/transcript/content.ts";
import { resolveTrim } from "../../src/trim/trim_options.ts";
import { lineNumbersIn, rowsOf } from "../inside/laid_out.ts";
import { trimByLength } from "../trim/by_length.ts";
import { inputsOf, resultsOf } from "../trim/build_session.ts";
import { newFastFolder } from "../folder.ts";
import { partOf } from "../full.ts";
import { CORPUS, corpusTest, sessionFiles } from "./corpus.ts";

function partsOf(rows: readonly Row[]): { texts: string[]; rest: Map<string, string> } {
  const rest = new Map<string, string>();
  for (const { toolUses, toolResults = [] } of rows) {
    for (const { tool_use_id, input } of toolUses) {
      rest.set(`call ${tool_use_id}`, JSON.stringify(input));
    }
    for (const { tool_use_id, text, isError } of toolResults) {
      rest.set(`result ${tool_use_id}`, `${isError} ${text}`);
    }
  }
  return { texts: rows.map(({ text }) => text).filter((text) => text !== "").sort(), rest };
}

corpusTest(
  "a trim in place makes nearly the same cuts as a copy, and leaves everything else unchanged",
  () => {
    const totals = { cut: 0, several: 0, differingTexts: 0, differingCuts: 0 };
    for (const name of partOf(sessionFiles, 25, "real sessions that are trimmed in place")) {
      const input = `${CORPUS}/${name}`;
      using folder = newFastFolder();
      const output = `${folder.path}/${name}`;
      const counts = trimByLength({ input, output, keep: "need", keepRecent: 5 });
      const [results, inputs] = [resultsOf(output), inputsOf(output)];
      const rows = rowsOf(input);
      const cuts = chooseCuts(rows, {
        ...resolveTrim({ keep: "need", keepRecent: 5 })[0],
        parentFile: name.slice(0, 8),
        lineOf: lineNumbersIn(input),
        excessTokens: undefined,
        scale: 1,
      });
      const before = partsOf(rows);
      const after = partsOf(changeRows(rows, cuts));
      assertEquals(after.texts, before.texts, name);
      assertEquals([...after.rest.keys()].sort(), [...before.rest.keys()].sort(), name);
      let hasDifference = false;
      for (const [key, was] of before.rest) {
        const [kind, id = ""] = key.split(" ");
        // For a call without a result, rows contain the client's placeholder.
        if (kind === "result" && !results.has(id)) continue;
        // For a tool search, a copy keeps references to tools. Rows have only this text in their place.
        if (/^\w+ Found .*: search again to load$/.test(was)) continue;
        const isCut = (kind === "call" ? cuts.inputs : cuts.results).has(id);
        if (!isCut) assertEquals(after.rest.get(key), was, `${name}: ${key}`);
        const copied = kind === "call"
          ? JSON.stringify(inputs.get(id))
          : `${was.startsWith("true")} ${resultTexts(results.get(id)).join("\n")}`;
        // A trim in place cuts a result with several text blocks as one text.
        const isSingleText = kind === "call" || resultTexts(results.get(id)).length < 2;
        const now = after.rest.get(key);
        hasDifference ||= isCut !== (copied !== was) || (isCut && !isSingleText);
        if (isCut !== (copied !== was)) totals.differingCuts++;
        else if (isSingleText && now !== copied) totals.differingTexts++;
        if (isCut) totals[isSingleText ? "cut" : "several"]++;
      }
      if (!hasDifference) {
        const { newest, unused, passages, protectedCount } = cuts;
        assertEquals(
          [newest, unused, passages, protectedCount],
          [
            counts.kept_recent_count,
            counts.kept_unused_count,
            counts.worked_on_count,
            counts.protected_count,
          ],
          `${name}: unchanged content`,
        );
      }
    }
    console.log(totals);
    assert(totals.cut > 100);
    // In place, a digest lists names from rows only; in a copy, from all entries. The digests may therefore
    // differ, and one of them may be too long to be worth the cut.
    assert(totals.differingTexts * 1_000 <= totals.cut);
    // The rows also include results that arrive too late to be sent, which a copy keeps whole.
    assert(totals.differingCuts * 500 <= totals.cut);
  },
);
