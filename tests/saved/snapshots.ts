/** Makes snapshots and work states for tests. */

import fc from "fast-check";
import { emptyState } from "../../src/extract/empty_state.ts";
import { type ContextSnapshot, snapshotOf } from "../../src/saved/save.ts";
import type { Origin, WorkState } from "../../src/core/work_state.ts";
import { anyState } from "../extract/any_state.ts";
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

/** Makes snapshots of any state; some lack the fields that older saves lack. */
export function anySnapshot(): fc.Arbitrary<ContextSnapshot> {
  const text = hostileText();
  const extras = fc.record({
    name: fc.option(text),
    phase: fc.option(fc.record({ phase_number: fc.constantFrom(0, 2.1, 16), phase_name: text })),
    task: fc.option(fc.record({ plan_id: text, status: text })),
    originalTokens: fc.option(fc.nat({ max: 10_000 })),
  });
  return fc.tuple(anyState, extras, fc.boolean()).map(([state, extra, isOld]) => {
    const snapshot = snapshotOf(state, { ...extra, now: NOW });
    const { progress: _progress, origins: _origins, ...old } = snapshot;
    return isOld ? old : snapshot;
  });
}
