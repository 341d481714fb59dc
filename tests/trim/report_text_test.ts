import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describeCopy, describeTrim } from "../../src/trim/report_text.ts";
import type { SkippedTrim, TrimSessionResult } from "../../src/trim/trim_session.ts";
import { keptTexts, sinceTrimText } from "../../src/trim/trim_words.ts";
import { trimWorth } from "../../src/trim/worth.ts";

const NOTHING = { count: 0, chars_saved: 0 };
const READ = { count: 8, chars_saved: 200_000 };
const TOKENS = { before: 150_000, after: 90_000 };

const RESULT: TrimSessionResult = {
  trimmed_count: 12,
  by_tool: { Bash: { count: 4, chars_saved: 1000 }, Read: READ },
  context_by_tool: { Bash: { count: 2, chars_saved: 900 }, Read: READ },
  other_tools: [],
  named_tools: [],
  inputs: NOTHING,
  images: NOTHING,
  thinking: NOTHING,
  is_cut_off: false,
  is_start_missing: false,
  context_chars: { before: 400_000, after: 199_000 },
  tokens: TOKENS,
  message_tokens: 130_000,
  tokens_source: "api",
  metadata_window: undefined,
  estimate: { scale: 1.1, source: "session", spans: 9 },
  bytes: { before: 2_000_000, after: 1_500_000 },
  kept_recent_count: 5,
  kept_unused_count: 0,
  worked_on_count: 0,
  protected_count: 0,
  target: null,
  newest_at: "2026-11-22T10:00:00.000Z",
  cache_ttl_seconds: 300,
  torn_bytes: 0,
  model: "claude-sonnet-4-6",
  session_id: "new-id",
  parent_session_id: "old-id",
  output: "/p/new-id.jsonl",
  percent: { before: 75, after: 45 },
  window: 200_000,
  limit: 200_000,
  window_source: "model",
  resume_command: "claude --resume new-id",
  owned: { tasks: 0, file_history: 0, notes: [] },
  dry_run: false,
  worth: trimWorth({
    tokens: TOKENS,
    model: "claude-sonnet-4-6",
    newest_at: "2026-11-22T10:00:00.000Z",
    cache_ttl_seconds: 300,
  }, new Date(Date.UTC(2026, 10, 22, 10, 1))),
};

Deno.test("describeTrim() warns about a trim that frees little, and reports whether a rollover would free more", () => {
  for (const [after, isSmall] of [[950, true], [901, true], [900, false]] as const) {
    const tokens = { before: 1000, after };
    // A cut picture saves few characters but many tokens.
    const context_chars = { before: 10_000, after: 9_999 };
    for (const [message_tokens, would] of [[130_000, "would"], [900, "would not"]] as const) {
      const text = describeTrim({ ...RESULT, tokens, context_chars, message_tokens });
      const advice = `This trim frees less than 10%; /rollover ${would} free more.`;
      assertEquals(text.includes(advice), isSmall, `${after} of 1,000 tokens left`);
    }
  }
});

Deno.test("describeTrim() states when a trim pays off only before the trim is made", () => {
  const texts = [true, false].map((dry_run) => describeTrim({ ...RESULT, dry_run }));
  const hasWorth = texts.map((text) => text.includes("Every request would have 60,000 fewer"));
  assertEquals(hasWorth, [true, false]);
});

Deno.test("describeTrim() names the tools with the most freed characters first, and leaves out what did not happen", () => {
  const text = describeTrim(RESULT);
  assertStringIncludes(text, "Trimmed 10 tool outputs (Read 8, Bash 2)");
  assertStringIncludes(text, "Messages: 201,000 of 400,000 characters freed (50%)");
  assert(!text.includes("Dropped") && !text.includes("Also cut"), text);
  const same = { before: 1_000, after: 1_000 };
  assertStringIncludes(describeTrim({ ...RESULT, bytes: same }), "Saved 0 bytes (0%) of the file");
  const cut = { line: 7, tool: "Write", reason: "written text", chars_saved: 900 } as const;
  const explained = [{ ...cut, part: "input" as const }, { ...cut, part: "result" as const }];
  assertStringIncludes(
    describeTrim({ ...RESULT, explained }),
    "  line 7: Write input, 900 characters: already in the file\n  line 7: Write, 900 characters:",
  );
});

Deno.test("sinceTrimText() mentions the tokens that were not sent if the trim freed any", () => {
  const since = { requests: 3, rereads: 0, recalls: 0, failedEdits: 0 };
  const needed = "no cut content was needed again";
  assertEquals(sinceTrimText(since, 0), `3 requests; ${needed}`);
  assertEquals(sinceTrimText(since, 2_000), `3 requests, 6k tokens not sent; ${needed}`);
});

Deno.test("describeCopy() explains why no copy was made", () => {
  const skipped = {
    ...RESULT,
    ...{ trimmed_count: 0, by_tool: {}, context_by_tool: {} },
    ...{ tokens: { before: 1_000, after: 1_000 }, dry_run: true },
    ...{ session_id: null, output: null, resume_command: null },
    instead: { deep: 0, newest: 0 },
  };
  const cases: readonly (readonly [Partial<SkippedTrim>, why: string])[] = [
    [
      {},
      "all outputs that may be cut are short. Kept: 5 long outputs among the newest. " +
      "Cut the newest too with: --keep-recent 0",
    ],
    [
      { kept_recent_count: 1, protected_count: 5, kept_unused_count: 2 },
      "all outputs that may be cut are short. Kept: 1 long output among the newest, " +
      "2 file reads not used yet, 5 outputs about protected paths. " +
      "Cut the newest too with: --keep-recent 0",
    ],
  ];
  for (const [changes, why] of cases) {
    assertEquals(describeCopy({ ...skipped, ...changes }).split("\n").slice(0, 3), [
      "No copy was made: the trim would free 0 of 1,000 tokens.",
      `Nothing would be cut: ${why}`,
      "This would help: /rollover",
    ]);
  }
  const [, , ...last] = describeCopy({ ...skipped, message_tokens: 900 }).split("\n");
  assertEquals(last, ["No command can free more: most of the context is not messages"]);
});

Deno.test("describeTrim() mentions other cuts, kept outputs, a larger file and problems", () => {
  const bytes = { before: 1000, after: 1300 };
  const notes = ["Not all of the task list could be copied: no"];
  const cases: readonly (readonly [Partial<TrimSessionResult>, expected: string])[] = [
    [{ thinking: { count: 2, chars_saved: 900 } }, "Also cut: 2 blocks of old thinking"],
    [{ bytes }, "The file grows by 300 bytes"],
    [{ bytes, dry_run: true }, "The file would grow by 300 bytes"],
    [{ torn_bytes: 1234 }, "it was still being written (1,234 bytes)"],
    [{ owned: { tasks: 0, file_history: 0, notes } }, `\n${notes[0]}`],
    [
      { inputs: { count: 1, chars_saved: 900 }, images: { count: 1000, chars_saved: 900 } },
      "Also cut: 1 input of Write and Edit calls, 1,000 pictures or documents",
    ],
    [{ protected_count: 2 }, "\nKept: 2 outputs about protected paths"],
    [{ target: { percent: 20, tokens: 40_000, is_reached: false } }, "20% cannot be reached"],
    [{ tokens_source: "estimate" }, "(both are estimates)"],
    [{ is_cut_off: true, is_start_missing: true }, "earlier messages are not in the file"],
    [{ is_cut_off: true }, `trimtab rescue ${RESULT.parent_session_id.slice(0, 8)}`],
  ];
  for (const [changes, expected] of cases) {
    const text = describeTrim({ ...RESULT, ...changes });
    assertStringIncludes(text, expected);
    assert(!describeTrim(RESULT).includes(expected));
  }
});

Deno.test("keptTexts() lists content in use, protected content, and tools that are not targets", () => {
  const none = { newest: 0, passages: 0, unused: 0, protectedCount: 0 };
  const names = { otherTools: [], namedTools: [] };
  const maybe = "Kept because it may still be needed: ";
  const cases: [counts: Partial<Parameters<typeof keptTexts>[0]>, lines: string[]][] = [
    [{ newest: 5 }, []],
    [{ newest: 2, passages: 3 }, [
      `${maybe}2 long outputs among the newest, passages of 3 file reads`,
    ]],
    [{ unused: 1, protectedCount: 4 }, [
      "Kept: 4 outputs about protected paths",
      `${maybe}1 file read not used yet`,
    ]],
    [{ otherTools: ["Bash"], namedTools: ["Nope"] }, [
      "No output is cut: this session does not call Nope, only Bash",
    ]],
  ];
  const eight = "ABCDEFGH".split("");
  for (
    const [otherTools, end] of [[eight, "G, H"], [[...eight, "I"], "G, H and others"]] as const
  ) {
    const only = `only A, B, C, D, E, F, ${end}. To select others, use --tool`;
    cases.push([{ otherTools: [...otherTools] }, [
      `No output is cut: this session calls none of the tools whose results are cut, ${only}`,
    ]]);
  }
  for (const [counts, lines] of cases) {
    assertEquals(keptTexts({ ...none, ...names, ...counts }), lines);
  }
});
