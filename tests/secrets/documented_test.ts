import { assertEquals } from "@std/assert";
import { redactSecrets } from "../../src/secrets/redact.ts";
import { DOCUMENTED_KINDS } from "./documented_kinds.ts";
import { type DocumentedKind, drawFrom, fillIn, leakedPiece } from "./draw.ts";
import { ORDINARY_LINES } from "./ordinary_lines.ts";
import { SECOND_KINDS } from "./second_kinds.ts";
import { THIRD_KINDS } from "./third_kinds.ts";

/** Each is drawn so many times: what depends on luck is found. */
const DRAWS = 5;

/** What is known to pass: nothing but its place tells of it. The docs say so. */
const KNOWN_TO_PASS = [
  "Kubernetes secret decoded",
  "Asana",
  "NVIDIA",
  "Coinbase",
];

/** Which kinds have a credential left of them in a text, as what stands around it shows it. */
function passing(kinds: readonly DocumentedKind[], around: (text: string) => string): string[] {
  return kinds.filter((one, row) =>
    Array.from({ length: DRAWS }, (_, draw) => drawFrom(one.template, row + 1_000 * draw))
      .some(({ text, secrets }) => {
        const redacted = redactSecrets(around(text));
        return secrets.some((secret) => leakedPiece(redacted, secret) !== undefined);
      })
  ).map((one) => one.name);
}

Deno.test("redactSecrets() lets at most three in a hundred documented kinds pass", () => {
  const passed = passing(DOCUMENTED_KINDS, (text) => `Look at this:\n${text}\nand go on.`);
  assertEquals(passed.filter((name) => !KNOWN_TO_PASS.includes(name)), []);
  assertEquals(passed.length * 100 <= DOCUMENTED_KINDS.length * 3, true, passed.join(", "));
});

Deno.test("redactSecrets() lets few kinds of other services pass", () => {
  const passed = passing(SECOND_KINDS, (text) => `Look at this:\n${text}\nand go on.`);
  assertEquals(passed.filter((name) => !KNOWN_TO_PASS.includes(name)), []);
});

Deno.test("redactSecrets() lets few kinds pass in the places that sessions show them in", () => {
  const passed = passing(THIRD_KINDS, (text) => `Look at this:\n${text}\nand go on.`);
  assertEquals(passed.filter((name) => !KNOWN_TO_PASS.includes(name)), []);
});

Deno.test("redactSecrets() finds them in a text inside of a JSON text, too", () => {
  const passed = passing(DOCUMENTED_KINDS, (text) => JSON.stringify({ command: `\n${text}\n` }));
  assertEquals(passed.filter((name) => !KNOWN_TO_PASS.includes(name)), []);
});

Deno.test("redactSecrets() leaves ordinary lines as they are", () => {
  const hit = ORDINARY_LINES.flatMap((line, row) =>
    Array.from({ length: DRAWS }, (_, draw) => fillIn(line, row + 1_000 * draw))
      .filter((text) => redactSecrets(text) !== text).slice(0, 1)
  );
  assertEquals(hit, []);
  assertEquals(redactSecrets(ORDINARY_LINES.join("\n")), ORDINARY_LINES.join("\n"));
});

Deno.test("redactSecrets() changes nothing in what it has redacted", () => {
  for (
    const [row, { name, template }] of [...DOCUMENTED_KINDS, ...SECOND_KINDS, ...THIRD_KINDS]
      .entries()
  ) {
    const once = redactSecrets(drawFrom(template, row).text);
    assertEquals(redactSecrets(once), once, name);
  }
});
