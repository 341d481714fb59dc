import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describeTrim } from "../../src/trim/report_text.ts";
import type { TrimSessionResult } from "../../src/trim/trim_session.ts";
import { trimWorth } from "../../src/trim/worth.ts";

const NOTHING = { count: 0, chars_saved: 0 };
const TOKENS = { before: 150_000, after: 90_000 };

const RESULT: TrimSessionResult = {
  trimmed_count: 12,
  by_tool: { Bash: { count: 4, chars_saved: 1000 }, Read: { count: 8, chars_saved: 200_000 } },
  context_by_tool: {
    Bash: { count: 2, chars_saved: 900 },
    Read: { count: 8, chars_saved: 200_000 },
  },
  other_tools: [],
  inputs: NOTHING,
  images: NOTHING,
  thinking: NOTHING,
  is_cut_off: false,
  is_start_missing: false,
  context_chars: { before: 400_000, after: 199_000 },
  tokens: TOKENS,
  tokens_source: "api",
  metadata_window: undefined,
  estimate: { scale: 1.1, source: "session", spans: 9 },
  bytes: { before: 2_000_000, after: 1_500_000 },
  kept_recent_count: 5,
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
    newestAt: "2026-11-22T10:00:00.000Z",
    cacheTtlSeconds: 300,
    now: new Date(Date.UTC(2026, 10, 22, 10, 1)),
  }),
};

Deno.test("describeTrim() says what was cut, what it saved, and how to resume", () => {
  assertEquals(describeTrim(RESULT).split("\n"), [
    "Trimmed 10 tool outputs (Read 8, Bash 2): 150K -> 90K tokens",
    "Resume here with: /resume new-id",
    "Resume with: claude --resume new-id",
    "Context: 150,000 -> 90,000 tokens, 75% -> 45% of 200,000 " +
    "(estimate calibrated on 9 turns of this session)",
    "Messages: 201,000 of 400,000 characters freed (50%)",
    "Saved 500,000 bytes (25%) of the file",
  ]);
});

Deno.test("describeTrim() of a dry run promises nothing to resume", () => {
  const text = describeTrim({ ...RESULT, dry_run: true });
  assert(text.startsWith("Would trim 10 tool outputs ("), "those that the model gets");
  assert(!text.includes("/resume"));
  assertStringIncludes(text, "\nWould save 500,000 bytes (25%) of the file\n");
  const grown = describeTrim({ ...RESULT, dry_run: true, bytes: { before: 1000, after: 1300 } });
  assertStringIncludes(grown, "The file would grow by 300 bytes");
});

Deno.test("describeTrim() of a dry run says per tool what would be saved, the most first", () => {
  const [first, ...next] = describeTrim({ ...RESULT, dry_run: true }).split("\n");
  assertEquals(first, "Would trim 10 tool outputs (Read 8, Bash 2): 150K -> 90K tokens");
  assertEquals(next.slice(0, 2), [
    "  Read: 200,000 characters of messages",
    "  Bash: 900 characters of messages",
  ]);
});

Deno.test("describeTrim() says that a small saving is not worth a trim", () => {
  for (const [after, isSmall] of [[950, true], [901, true], [900, false]] as const) {
    const tokens = { before: 1000, after };
    // Of a picture's characters next to nothing is left, and of its tokens much.
    const text = describeTrim({
      ...RESULT,
      tokens,
      context_chars: { before: 10_000, after: 9_999 },
    });
    const advice = "That frees less than 10%; /rollover would help more.";
    assertEquals(text.includes(advice), isSmall, `${after} of 1,000 tokens left`);
  }
});

Deno.test("describeTrim() says that only recent results are long", () => {
  const text = describeTrim({ ...RESULT, trimmed_count: 0, by_tool: {}, context_by_tool: {} });
  const why = "Nothing was cut: the only 5 long outputs are among the newest, which are kept. " +
    "Cut them too with: --keep-recent 0\n";
  assert(text.startsWith(`${why}Trimmed 0 tool outputs: 150K -> 90K tokens\n`), text);
  const one = { ...RESULT, trimmed_count: 0, by_tool: {}, kept_recent_count: 1, dry_run: true };
  assertStringIncludes(
    describeTrim(one),
    "Nothing would be cut: the only long output is among the newest, which are kept. " +
      "Cut it too with: --keep-recent 0\n",
  );
});

Deno.test("describeTrim() names what a session calls where it calls none of the tools to cut", () => {
  const nothing = { ...RESULT, trimmed_count: 0, by_tool: {}, kept_recent_count: 0 };
  assertStringIncludes(
    describeTrim({ ...nothing, other_tools: ["Bash", "Read"] }),
    "Nothing was cut: this session never calls the tools to cut, only Bash, Read. " +
      "Name others with: --tool",
  );
  const many = Array.from({ length: 10 }, (_, nth) => `mcp__${nth}`);
  assertStringIncludes(
    describeTrim({ ...nothing, dry_run: true, other_tools: many }),
    "Nothing would be cut: this session never calls the tools to cut, only mcp__0, mcp__1, mcp__2, " +
      "mcp__3, mcp__4, mcp__5, mcp__6, mcp__7 and 2 more. Name others with: --tool\n",
  );
});

Deno.test("describeTrim() does not say that nothing was cut where something else was", () => {
  const thinking = { count: 2, chars_saved: 900 };
  const text = describeTrim({ ...RESULT, trimmed_count: 0, by_tool: {}, thinking });
  assert(!text.includes("Nothing was cut"));
  assertStringIncludes(text, "Also cut: 2 blocks of old thinking");
});

Deno.test("describeTrim() tells of a file that grew, a torn line, and what stayed behind", () => {
  const text = describeTrim({
    ...RESULT,
    bytes: { before: 1000, after: 1300 },
    torn_bytes: 1234,
    owned: { tasks: 0, file_history: 0, notes: ["The task list could not be copied: no"] },
  });
  assertStringIncludes(text, "The file grows by 300 bytes");
  assertStringIncludes(text, "it was still being written (1,234 bytes)");
  assertStringIncludes(text, "\nThe task list could not be copied: no");
});

Deno.test("describeTrim() names what else was cut and where its numbers come from", () => {
  const text = describeTrim({
    ...RESULT,
    inputs: { count: 3, chars_saved: 900 },
    images: { count: 1000, chars_saved: 900 },
    protected_count: 2,
    target: { percent: 20, tokens: 40_000, is_reached: false },
    tokens_source: "estimate",
    estimate: { scale: 1, source: "prior", spans: 0 },
  });
  assertStringIncludes(text, "Also cut: 3 inputs of Write and Edit, 1,000 images and documents\n");
  assertStringIncludes(text, "\nKept: 2 about protected paths");
  assertStringIncludes(text, "20% cannot be reached");
  assertStringIncludes(text, "(both an estimate; too few turns to calibrate it)");
});

Deno.test("describeTrim() tells of a conversation that has lost its beginning what puts it together", () => {
  const text = describeTrim({ ...RESULT, is_cut_off: true });
  assertStringIncludes(text, `trimtab rescue ${RESULT.parent_session_id.slice(0, 8)}`);
  assert(!describeTrim(RESULT).includes("rescue"));
});
