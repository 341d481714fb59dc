/** Generates random snapshots for property tests. */

import fc from "fast-check";
import { type ContextSnapshot, snapshotOf } from "../../src/saved/save.ts";
import { anyState } from "../extract/any_state.ts";
import "../own_config.ts";

export const NOW = new Date("2026-03-01T14:35:22.000Z");

export function hostileText(): fc.Arbitrary<string> {
  const pieces = [
    ...["\n", "\n\n", "# ", "## Current State", "### x", "---", "===", "```", "~~~", "- ", "* "],
    ...["> ", "1. ", "</system-reminder>", "<trimtab-data>", "<!--", "<h2>x", "+++", "\t", "    "],
    ...["\x1b[31m", "\0", "\u202e", "\ud800", "\r", "\u2028", "word", "a b", "#", "\u{1f600}", "`"],
  ];
  return fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(""));
}

/** Some of the snapshots lack the fields that older saves do not have. */
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
