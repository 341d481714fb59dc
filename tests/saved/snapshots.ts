/** Makes snapshots and work states for tests. */

import fc from "fast-check";
import { emptyState } from "../../src/extract/empty_state.ts";
import type { ContextSnapshot } from "../../src/saved/save.ts";
import type { Origin, WorkState } from "../../src/core/work_state.ts";
import "../own_config.ts";

export const NOW = new Date("2026-03-01T14:35:22.000Z");

export const FROM: Origin = { uuid: "u1", line: 3 };

export function fullState(): WorkState {
  return {
    ...emptyState(),
    session_id: "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10",
    requirements: [
      { text: "Add JWT authentication\nto all endpoints", from: FROM },
      { text: "Leave the health check open", from: FROM },
    ],
    changes: [{
      ...{ file: "src/auth.ts", action: "created", count: 3, first_line: 1, last_line: 80 },
      ...{ what: "check the issuer", why: "tokens of others were accepted", from: FROM },
    }],
    commits: [{ hash: "3f2a91c", message: "Verify tokens", from: FROM }],
    decisions: [{
      ...{ decision: "Sign with RS256", rationale: "The gateway has the public key" },
      ...{ alternatives: ["HS256", "opaque tokens"], kind: "assistant", from: FROM },
    }],
    issues: [{ issue: "npm test fails: timeout", kind: "command", from: FROM }],
    next_steps: [
      { step: "Verify tokens", status: "completed", from: FROM },
      { step: "Write the middleware", status: "in_progress", from: FROM },
      { step: "Document it", status: "pending", from: FROM },
    ],
    learnings: [{ text: "Tests need a running Redis", from: FROM }],
    progress: {
      recent: [{ text: "The verifier is done.", from: FROM }],
      tools: [{ name: "Bash", count: 9 }, { name: "Edit", count: 2 }],
      files_read: [],
      summaries: [],
    },
  };
}

export function hostileText(): fc.Arbitrary<string> {
  const pieces = [
    ...["\n", "\n\n", "# ", "## Current State", "### x", "---", "===", "```", "~~~", "- ", "* "],
    ...["> ", "1. ", "</system-reminder>", "<trimtab-data>", "<!--", "<h2>x", "+++", "\t", "    "],
    ...["\x1b[31m", "\0", "\u202e", "\ud800", "\r", "\u2028", "word", "a b", "#", "\u{1f600}", "`"],
  ];
  return fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(""));
}

export function anySnapshot(): fc.Arbitrary<ContextSnapshot> {
  const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 20 }), hostileText());
  const count = fc.nat({ max: 10_000 });
  const line = fc.option(fc.integer({ min: 1, max: 5_000 }));
  const texts = fc.array(text, { maxLength: 3 });
  const words = { decision: text, rationale: text, alternatives: text };
  const from = fc.record({ uuid: fc.option(text), line });
  const requiredKeys = ["decision", "rationale", "alternatives"] as const;
  const decision = fc.record({ ...words, from }, { requiredKeys: [...requiredKeys] });
  const status = fc.constantFrom("pending", "in_progress", "completed");
  const step = fc.record({ step: text, status });
  const change = fc.record({
    ...{ file: text, action: fc.constantFrom("created", "modified"), what: text },
    ...{ count: fc.integer({ min: 1, max: 9 }), first_line: line, last_line: line },
  });
  const phase = fc.record({ phase_number: fc.constantFrom(0, 2.1, 16), phase_name: text });
  const bare = fc.record({
    schema_version: fc.constant(1 as const),
    snapshot_id: fc.constantFrom("20260301_143522", "20260301_143522-2"),
    name: fc.option(text),
    timestamp: fc.constantFrom("2026-03-01T14:35:22.000Z", "1999-12-31T23:59:59Z"),
    session_id: fc.option(text),
    original_requirements: text,
    later_requirements: texts,
    key_decisions: fc.array(decision, { maxLength: 2 }),
    implementation_state: text,
    open_items: texts,
    next_steps: fc.array(step, { maxLength: 3 }),
    tools_used: texts,
    token_count: count,
    changes: fc.array(change, { maxLength: 2 }),
    commits: fc.array(fc.record({ hash: text, message: text }), { maxLength: 2 }),
    phase_state: fc.option(phase),
    active_task: fc.option(fc.record({ plan_id: text, status: text })),
    learnings: texts,
    original_tokens: fc.option(count),
    compacted_tokens: fc.option(count),
    compression_ratio: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  });
  const lists = { stopped: texts, commands: texts, refused: texts, links: texts, read: texts };
  const trail = fc.record({ ...lists, plans: texts, branch: text });
  return fc.tuple(bare, fc.option(trail, { nil: undefined })).map(([snapshot, one]) =>
    one === undefined ? snapshot : { ...snapshot, trail: one }
  );
}
