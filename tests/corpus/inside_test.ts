// On real sessions, a trim in place makes the same cuts as a copy, with the same text, and leaves
// everything else unchanged.

import { isObject, type JsonObject } from "../../src/core/record.ts";
import { assert, assertEquals } from "@std/assert";
import type { ApiMessage, Row } from "../../src/inside/client.ts";
import { chooseCuts } from "../../src/inside/cuts.ts";
import { changeRows, layOutRows } from "../../src/inside/rows.ts";
import { resultTexts } from "../../src/transcript/content.ts";
import type { Entry } from "../../src/transcript/entry.ts";
import { findActiveContext, readNodes } from "../../src/transcript/tree/active_context.ts";
import { resolveTrim } from "../../src/trim/trim_options.ts";
import { trimTranscript } from "../trim/by_length.ts";
import { inputsOf, resultsOf } from "../trim/build_session.ts";
import { CORPUS, corpusTest, names } from "./corpus.ts";

/** Lays out the conversation of a session as the module does with the client's messages. */
function rowsOf(path: string): Row[] {
  using file = Deno.openSync(path);
  const { nodes } = findActiveContext(file, file.statSync().size);
  const entries = [...readNodes(file, nodes)].map(({ entry }) => entry);
  const rows = entries.flatMap(rowOf);
  const reminders = { keep: (text: string) => [text], isState: () => false };
  return layOutRows({ rows, messages: messagesOf(entries) }, reminders, { textsOf: () => [] });
}

/** Groups the blocks by answer, each followed by all its results in the order of their lines. */
function messagesOf(entries: readonly Entry[]): ApiMessage[] {
  const results = new Map<string, JsonObject>();
  const answers = new Map<string, JsonObject[]>();
  for (const { type, message } of entries) {
    const blocks = Array.isArray(message?.content) ? message.content.filter(isObject) : [];
    for (const block of blocks.filter((block) => block.type === "tool_result")) {
      results.set(`${block.tool_use_id}`, block);
    }
    if (type !== "assistant") continue;
    const id = `${message?.id}`;
    answers.set(id, [...answers.get(id) ?? [], ...blocks]);
  }
  const seen = new Set<string>();
  return entries.flatMap(({ type, message }): ApiMessage[] => {
    if (type === "user") {
      const { content = "" } = message ?? {};
      const blocks = Array.isArray(content) ? content.filter(isObject) : [{
        type: "text",
        text: content,
      }];
      return [{ role: "user", content: blocks.filter((block) => block.type === "text") }];
    }
    const id = `${message?.id}`;
    if (type !== "assistant" || seen.has(id)) return [];
    seen.add(id);
    const content = answers.get(id) ?? [];
    const calls = content.filter((block) => block.type === "tool_use").map(({ id }) => `${id}`);
    const answered = [
      ...[...results].filter(([id]) => calls.includes(id)).map(([, block]) => block),
      ...calls.filter((id) => !results.has(id)).map(interruptedResult),
    ];
    return [{ role: "assistant", content }, { role: "user", content: answered }];
  });
}

function rowOf({ type, message }: Entry): Row[] {
  if ((type !== "user" && type !== "assistant") || message === undefined) return [];
  const { content } = message;
  const blocks = Array.isArray(content)
    ? content.filter(isObject)
    : [{ type: "text", text: content }];
  const of = (kind: string): JsonObject[] => blocks.filter((block) => block.type === kind);
  const text = of("text").map((block) => `${block.text}`).join("\n");
  const toolUses = of("tool_use").map(({ id, name, input }) => ({
    tool_use_id: `${id}`,
    tool: `${name}`,
    input: isObject(input) ? input : {},
  }));
  const toolResults = of("tool_result").map((block) => ({
    tool_use_id: `${block.tool_use_id}`,
    text: resultTexts(block.content).join("\n"),
    isError: block.is_error === true,
  }));
  return [{ role: type, text, toolUses, ...(toolResults.length > 0 ? { toolResults } : {}) }];
}

/** Makes the client's result for a call that was open when the client was killed. */
function interruptedResult(id: string): JsonObject {
  return {
    type: "tool_result",
    tool_use_id: id,
    content: "[Tool call interrupted]",
    is_error: true,
  };
}

function linesOf(path: string): (id: string, kind: "call" | "result") => number | undefined {
  const found = new Map<string, number>();
  for (const [index, line] of Deno.readTextFileSync(path).split("\n").entries()) {
    for (const [, kind, id] of line.matchAll(/"(id|tool_use_id)":"(toolu_[^"]+)"/g)) {
      const key = `${kind === "id" ? "call" : "result"} ${id}`;
      if (!found.has(key)) found.set(key, index + 1);
    }
  }
  return (id, kind) => found.get(`${kind} ${id}`);
}

/** Ignores the order within a turn. */
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
  "a trim in place makes the same cuts as a copy, and leaves everything else unchanged",
  () => {
    const totals = {
      sessions: 0,
      cut: 0,
      several: 0,
      wordedOtherwise: 0,
      decidedOtherwise: 0,
      countedOtherwise: 0,
    };
    for (const name of names) {
      const input = `${CORPUS}/${name}`;
      const folder = Deno.makeTempDirSync({ prefix: "trimtab-corpus-" });
      try {
        const output = `${folder}/${name}`;
        const counts = trimTranscript({ input, output, keep: "need", keepRecent: 5 });
        const [results, inputs] = [resultsOf(output), inputsOf(output)];
        const rows = rowsOf(input);
        const cuts = chooseCuts(rows, {
          ...resolveTrim({ keep: "need", keepRecent: 5 })[0],
          parentFile: name.slice(0, 8),
          lineOf: linesOf(input),
          excessTokens: undefined,
          scale: 1,
        });
        const before = partsOf(rows);
        const after = partsOf(changeRows(rows, cuts));
        assertEquals(after.texts, before.texts, name);
        assertEquals([...after.rest.keys()].sort(), [...before.rest.keys()].sort(), name);
        let isOdd = false;
        for (const [key, was] of before.rest) {
          const [kind, id = ""] = key.split(" ");
          if (kind === "result" && !results.has(id)) continue; // the client's stand-in
          const isCut = (kind === "call" ? cuts.inputs : cuts.results).has(id);
          if (!isCut) assertEquals(after.rest.get(key), was, `${name}: ${key}`);
          const copied = kind === "call"
            ? JSON.stringify(inputs.get(id))
            : `${was.startsWith("true")} ${resultTexts(results.get(id)).join("\n")}`;
          // A row joins the texts of a result into one, which a trim in place cuts as a whole.
          const isOne = kind === "call" || resultTexts(results.get(id)).length < 2;
          const now = after.rest.get(key);
          isOdd ||= isCut !== (copied !== was) || (isCut && !isOne);
          if (isCut !== (copied !== was)) totals.decidedOtherwise++;
          else if (isOne && now !== copied) totals.wordedOtherwise++;
          if (isCut) totals[isOne ? "cut" : "several"]++;
        }
        if (!isOdd) {
          const { newest, unused, passages, protectedCount } = cuts;
          assertEquals(
            [newest, unused, passages, protectedCount],
            [
              counts.kept_recent_count,
              counts.kept_unused_count,
              counts.worked_on_count,
              counts.protected_count,
            ],
            `${name}: what stays`,
          );
        }
        totals.sessions++;
      } finally {
        Deno.removeSync(folder, { recursive: true });
      }
    }
    console.log(totals);
    assert(totals.cut > 100);
    // A digest takes names only from rows, which lack the names of other entries. So it may choose
    // other names, become a little longer, and no longer be worth a cut.
    assert(totals.wordedOtherwise * 1_000 <= totals.cut);
    // The rows also include results that arrive too late to be sent, which a copy keeps whole.
    assert(totals.decidedOtherwise * 500 <= totals.cut);
  },
);
