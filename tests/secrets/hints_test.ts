import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { CONTEXT_KINDS } from "../../src/secrets/contexts.ts";
import { SECRET_KINDS, type SecretKind } from "../../src/secrets/kinds.ts";

const DRAWS = { numRuns: 150, seed: 20260405 };

const TOKENS = /\(\?(?:<?[=!]|<\w+>|:)?|\\.|\[(?:\\.|[^\]])*\]|[^]/gs;

/**
 * Patterns for credentials that may lack a hint, keyed by one of the hints of their kind. The hint is
 * elsewhere in the text, or would be too common.
 */
const UNHINTED_TEXTS: Readonly<Record<string, RegExp>> = {
  "ailgun": /^/,
  "wilio": /^/,
  "kty": /^/,
  ":5432:": /:\d{4,5}:/,
  "@localhost": /@/,
  "enha ": /^senha[\u00a0은는为為是は：]/,
  // Without the space, the hint would be in every compact JSON text.
  ', "': /^,["']/,
};

/**
 * Drops pattern parts from which no text can be drawn: lookbehinds, negative lookaheads, word boundaries and
 * rare whitespace.
 */
function drawable([, , pattern]: SecretKind): RegExp {
  let depth = 0;
  let droppedAt = 0;
  const kept = (pattern.source.match(TOKENS) ?? []).filter((token) => {
    if (token.startsWith("(")) depth++;
    if (droppedAt === 0 && /^\(\?(?:!|<[=!])$/.test(token)) droppedAt = depth;
    const isKept = droppedAt === 0 && token !== "\\b";
    if (token === ")" && depth-- === droppedAt) droppedAt = 0;
    return isKept;
  }).map((token) => token === "(?=" ? "(?:" : token.replaceAll("\\s", " "));
  return new RegExp(`^${kept.join("")}$`, pattern.flags.replaceAll(/[gi]/g, ""));
}

Deno.test("each pattern of redactSecrets() matches only texts with one of its hints, except for known texts", () => {
  for (const kind of [...SECRET_KINDS, ...CONTEXT_KINDS]) {
    const [name, hints, pattern] = kind;
    const unhinted = hints.map((hint) => UNHINTED_TEXTS[hint]).find((one) => one !== undefined);
    const drawn = fc.sample(fc.stringMatching(drawable(kind)), DRAWS)
      .filter((text) => text.search(pattern) !== -1);
    assert(drawn.length * 5 > DRAWS.numRuns, `${drawn.length} of ${pattern.source}`);
    const missed = drawn.filter((text) =>
      unhinted?.test(text) !== true && !hints.some((hint) => text.includes(hint))
    );
    assertEquals(missed, [], `${name}: ${pattern.source}`);
  }
});
