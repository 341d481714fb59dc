// A trim does not cut a result that an earlier trim has cut, but cuts a result that only looks cut.

import { assert, assertEquals } from "@std/assert";
import { fileHeadUnits, readNotice } from "../../src/core/marks.ts";
import { placeholderFor } from "../../src/trim/placeholder.ts";
import { trimByLength } from "./by_length.ts";
import { truncationNotice } from "../../src/trim/remainder.ts";
import { resultsOf, SessionBuilder, type TestSession } from "./build_session.ts";

const IDS = ["b82405ba", "c1111111", "c2222222", "c3333333"]
  .map((start) => `${start}-0000-4000-8000-000000000000`);
const LONG_OUTPUT = "error: this line was printed by a build\n".repeat(1_000);

const OPTION_SETS = [
  { keep: "need", keepRecent: 2 },
  { keep: "need", depth: "deep", keepRecent: 2 },
  { keep: "line", keepRecent: 2 },
  { keep: "head", keepRecent: 2 },
  { depth: "deep", keepRecent: 0 },
] as const;

const PLACEHOLDER = placeholderFor(LONG_OUTPUT, { toolName: "Bash", input: {} });

const LOOKALIKES: Record<string, string> = {
  wrongNumbers: `${LONG_OUTPUT}\n\n[...truncated - original was 1 chars, showing first 1. ` +
    "See line 1 of x for full content]",
  cutTextAmongOthers: LONG_OUTPUT + "x".repeat(80) +
    truncationNotice(9_000, { threshold: 80, lineNumber: 3, parentFile: "b82405ba" }),
  placeholdersAmongOthers: LONG_OUTPUT.replaceAll(/(?<=\n)/g, `${PLACEHOLDER}\n`),
  placeholder: PLACEHOLDER.padEnd(9_000, "x") + "]",
  longArguments: `[Bash result masked -- 9 bytes of output, command: "${"x".repeat(12_000)}"]`,
  fileOfClient: `<persisted-output>${"x".repeat(4_000)}\n\nPreview (first 2KB):\n${LONG_OUTPUT}`,
  shapedOutput: "[trimtab: shaped from 1 characters in 1 line; the whole output is in " +
    `/${"x".repeat(4_000)}/none.txt: Read it whole]\n${LONG_OUTPUT}`,
};

function sessionOfLookalikes(): TestSession {
  const builder = new SessionBuilder().user("start");
  for (const [id, text] of Object.entries(LOOKALIKES)) {
    builder.call(id, "Bash", { command: `make ${id}` }, text);
  }
  for (const id of ["r0", "r1", "r2"]) {
    builder.call(id, "Bash", { command: "ls" }, `file ${id}\n`.repeat(200));
  }
  return builder.user("go on").write();
}

for (const optionSet of OPTION_SETS) {
  Deno.test(`trimTranscript() cuts text that only looks cut: ${JSON.stringify(optionSet)}`, () => {
    using session = sessionOfLookalikes();
    trimByLength({ ...session, ...optionSet });
    const results = resultsOf(session.output);
    for (const id of Object.keys(LOOKALIKES)) {
      const remainder = String(results.get(id));
      assert(remainder.length < 2_500, `${id}: ${remainder.length} characters are left`);
      assert(readNotice(remainder) ?? remainder.startsWith("[Bash result masked"), id);
    }
  });

  Deno.test(`trimTranscript() cuts nothing more in copies of copies: ${JSON.stringify(optionSet)}`, () => {
    using session = sessionOfLookalikes();
    const folder = session.input.replace(/[^/]*$/, "");
    const path = (generation: number): string => `${folder}${IDS[generation]}.jsonl`;
    for (let generation = 1; generation < IDS.length; generation++) {
      const files = { input: path(generation - 1), output: path(generation) };
      const sessionId = IDS[generation] ?? "";
      const counts = trimByLength({ ...files, sessionId, metadata: true, ...optionSet });
      assertEquals(counts.trimmed_count > 0, generation === 1, `copy ${generation}`);
    }
    // Cut text is recognized even without the parents, which contain the original text.
    for (const generation of [0, 1, 2]) {
      Deno.removeSync(path(generation));
      assertEquals(trimByLength({ input: path(3), ...optionSet }).trimmed_count, 0);
    }
  });
}

const FOLDER = "/home/me/.claude/projects/-p/dbc157be-9266-48a3-b66a-74cb9791cb5a/tool-results";
const MOVED = [
  [
    `<persisted-output>\nOutput too large (98.5KB). Full output saved to: ${FOLDER}/b7.txt`,
    `\n\nPreview (first 2KB):\n${LONG_OUTPUT.slice(0, 2_000)}\n...\n</persisted-output>`,
  ],
  [
    "Error: result (115,892 characters across 9,000 lines) exceeds maximum allowed tokens. " +
    `Output has been saved to ${FOLDER}/mcp-x-1.txt.`,
    `\nFormat: Plain text\n${LONG_OUTPUT.slice(0, 1_200)}`,
  ],
] as const;

Deno.test("trimTranscript() keeps the path of an output that the client moved to a file", () => {
  const builder = new SessionBuilder().user("start");
  for (const [index, parts] of MOVED.entries()) {
    builder.call(`m${index}`, "Bash", { command: "make" }, parts.join(""));
  }
  for (const id of ["b", "c"]) builder.call(id, "Bash", { command: "ls" }, "a.ts");
  builder.user("go on");
  for (const optionSet of OPTION_SETS) {
    using session = builder.write();
    trimByLength({ ...session, ...optionSet });
    for (const [index, [head]] of MOVED.entries()) {
      const remainder = String(resultsOf(session.output).get(`m${index}`));
      assertEquals(remainder.slice(0, fileHeadUnits(remainder)), head, JSON.stringify(optionSet));
      assert(remainder.length < head.length + 500);
    }
    assertEquals(trimByLength({ input: session.output, ...optionSet }).trimmed_count, 0);
  }
});
