/**
 * Makes trims as the module plans them, without a session.
 *
 * @module
 */

import type { InsideTrim } from "../../src/inside/trim.ts";

/** Returns a trim with the given fields. By default, the trim cuts nothing. */
export function trimOf(
  { cuts, ...fields }: Omit<Partial<InsideTrim>, "cuts"> & { cuts?: Partial<InsideTrim["cuts"]> },
): InsideTrim {
  return {
    rows: [],
    cuts: {
      results: new Map(),
      inputs: new Map(),
      byTool: [],
      savedTokens: 0,
      newest: 0,
      unused: 0,
      passages: 0,
      protectedCount: 0,
      otherTools: [],
      namedTools: [],
      ...cuts,
    },
    losses: { thinking: 0, thinkingTokens: 0, loadedTools: 0, lostTypes: [] },
    media: { count: 0, tokens: 0 },
    mediaInUse: 0,
    tokens: { before: 100_000, after: 100_000 },
    limit: 167_000,
    target: undefined,
    scale: 1,
    lineOf: () => undefined,
    isReached: true,
    ...fields,
  };
}
