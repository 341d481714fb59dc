import { assert, assertEquals } from "@std/assert";
import { redactSecrets } from "../../src/secrets/redact.ts";
import { DOCUMENTED_KINDS, LATER_KINDS } from "./documented_kinds.ts";
import { type DocumentedKind, drawFrom, fillIn, leakedPiece } from "./draw.ts";
import { ORDINARY_LINES } from "./ordinary_lines.ts";

/** Several draws per credential catch rare misses. */
const DRAWS = 5;

type Wrap = (text: string) => string;

/** Counts the draws of a kind that leave part of a credential in the given surroundings. */
function leaks({ template }: DocumentedKind, row: number, wrap: Wrap): number {
  return Array.from({ length: DRAWS }, (_, draw) => drawFrom(template, row + 1_000 * draw))
    .filter(({ text, secrets }) => {
      const redacted = redactSecrets(wrap(text));
      return secrets.some((secret) => leakedPiece(redacted, secret) !== undefined);
    }).length;
}

function missedKinds(wrap: Wrap): string[] {
  return DOCUMENTED_KINDS.filter((kind, row) => leaks(kind, row, wrap) > 0).map(({ name }) => name);
}

function inText(text: string): string {
  return `Look at this:\n${text}\nand go on.`;
}

Deno.test("redactSecrets() finds every documented kind, in plain text and in a string within JSON", () => {
  assertEquals(missedKinds(inText), []);
  assertEquals(missedKinds((text) => JSON.stringify({ command: `\n${text}\n` })), []);
});

Deno.test("redactSecrets() misses a kind of another service only in a rare draw", () => {
  const drawn = LATER_KINDS.map((kind, row) => ({
    name: kind.name,
    leaks: leaks(kind, row, inText),
  }));
  // Some drawn letters read like words, and such a password looks like a name.
  assertEquals(drawn.filter(({ leaks }) => leaks * 2 > DRAWS).map(({ name }) => name), []);
  const leaked = drawn.reduce((sum, { leaks }) => sum + leaks, 0);
  assert(leaked * 100 <= drawn.length * DRAWS, `${leaked} of ${drawn.length * DRAWS}`);
});

Deno.test("redactSecrets() leaves ordinary lines unchanged", () => {
  const hit = ORDINARY_LINES.flatMap((line, row) =>
    Array.from({ length: DRAWS }, (_, draw) => fillIn(line, row + 1_000 * draw))
      .filter((text) => redactSecrets(text) !== text).slice(0, 1)
  );
  assertEquals(hit, []);
  assertEquals(redactSecrets(ORDINARY_LINES.join("\n")), ORDINARY_LINES.join("\n"));
});

Deno.test("redactSecrets() leaves redacted text unchanged", () => {
  for (const [row, { name, template }] of [...DOCUMENTED_KINDS, ...LATER_KINDS].entries()) {
    const once = redactSecrets(drawFrom(template, row).text);
    assertEquals(redactSecrets(once), once, name);
  }
});
