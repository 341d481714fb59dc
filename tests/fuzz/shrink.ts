/**
 * Makes a failing input smaller, as long as it fails in the same way.
 *
 * @module
 */

import { valueSpans } from "./json_spans.ts";
import { type CaseOptions, type MadeCase, runCase } from "./run_case.ts";

const MAX_ATTEMPTS = 600;
const MAX_MS = 20_000;

/** Drops lines, then members, from every part while the case still fails. */
export async function shrinkCase(
  made: MadeCase,
  kind: string,
  options: CaseOptions,
): Promise<MadeCase> {
  let best = made;
  let attempts = 0;
  const deadline = performance.now() + MAX_MS;
  const stillFails = async (parts: MadeCase["parts"]): Promise<boolean> => {
    if (++attempts > MAX_ATTEMPTS || performance.now() > deadline) return false;
    const failure = await runCase({ ...made, parts }, options);
    if (failure?.kind !== kind) return false;
    best = { ...made, parts };
    return true;
  };
  for (const name of Object.keys(made.parts)) {
    for (const candidates of [lineCandidates, memberCandidates]) {
      let isSmaller = true;
      while (isSmaller) {
        isSmaller = false;
        for (const text of candidates(best.parts[name] ?? "")) {
          if (!await stillFails({ ...best.parts, [name]: text })) continue;
          isSmaller = true;
          break;
        }
      }
    }
  }
  return best;
}

/** Yields the text without each half of its lines, then without each line. */
function* lineCandidates(text: string): Generator<string, void, undefined> {
  if (text === "") return;
  yield "";
  const lines = text.split("\n");
  for (let size = lines.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < lines.length; at += size) {
      yield [...lines.slice(0, at), ...lines.slice(at + size)].join("\n");
    }
  }
}

/** Yields the text without each member or item, the largest first, and with shortened strings. */
function* memberCandidates(text: string): Generator<string, void, undefined> {
  const spans = valueSpans(text).sort((a, b) => b.end - b.start - (a.end - a.start));
  for (const { start, end, keyStart } of spans) {
    if (end - start < text.length / 400) continue;
    const from = keyStart < 0 ? start : keyStart;
    const [before, after] = [text.slice(0, from), text.slice(end)];
    if (after.startsWith(",")) yield before + after.slice(1);
    else if (before.endsWith(",")) yield before.slice(0, -1) + after;
    else yield before + after;
    if (text[start] === '"' && end - start > 40) {
      yield `${text.slice(0, start + 1)}${text.slice(end - ((end - start) >> 1))}`;
    }
  }
}
