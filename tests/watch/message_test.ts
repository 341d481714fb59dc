import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  type BoardLine,
  decodeLine,
  encodeLine,
  MAX_NAME_CHARS,
} from "../../src/watch/blackboard.ts";
import "../own_config.ts";

const RUNS = { numRuns: 500, seed: 20261122 };
console.log(`lines of the blackboard: seed ${RUNS.seed}, ${RUNS.numRuns} runs a property`);

/** Names that post() lets no payload have. */
const RESERVED = [
  "id",
  "type",
  "to",
  "created",
  "expires",
  "mark",
  "claim",
  "ack",
  "trimtab_blackboard",
];

const name = fc.string({ minLength: 1, maxLength: MAX_NAME_CHARS, unit: "binary" })
  .filter((text) => text.length <= MAX_NAME_CHARS);
const time = fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
  .map((date) => date.toISOString());
const payload = fc.dictionary(fc.string(), fc.jsonValue())
  .map((fields) =>
    Object.fromEntries(Object.entries(fields).filter(([key]) => !RESERVED.includes(key)))
  );
const message = fc.record({
  id: name,
  type: name,
  to: fc.option(name),
  created: time,
  expires: time,
  payload,
});
const line: fc.Arbitrary<BoardLine> = fc.oneof(
  fc.record({ kind: fc.constant("message" as const), message, mark: fc.option(name) }),
  fc.record({
    kind: fc.constantFrom("claim" as const, "ack" as const),
    id: name,
    by: name,
    at: time,
  }),
  fc.record({ kind: fc.constant("header" as const), carried: fc.nat() }),
);

/** What JSON makes of a value: no minus zero, no order of keys. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

Deno.test("decodeLine() reads back what encodeLine() wrote, on one line whatever is in it", () => {
  fc.assert(
    fc.property(line, (one) => {
      const text = encodeLine(one);
      assertEquals(text.indexOf("\n"), text.length - 1);
      assertEquals(plain(decodeLine(text)), plain(one));
      assertEquals(plain(decodeLine(text.trimEnd())), plain(one));
    }),
    RUNS,
  );
});

Deno.test("decodeLine() takes no part of a line for a line", () => {
  fc.assert(
    fc.property(line, fc.nat(), (one, n) => {
      const text = encodeLine(one).trimEnd();
      assertEquals(decodeLine(text.slice(0, n % text.length)), null);
    }),
    RUNS,
  );
});

Deno.test("decodeLine() takes any text without failing", () => {
  const texts = fc.oneof(fc.string(), fc.json(), fc.jsonValue().map((one) => JSON.stringify(one)));
  fc.assert(
    fc.property(texts, (text) => {
      const found = decodeLine(text);
      if (found !== null) assertEquals(plain(decodeLine(encodeLine(found))), plain(found));
    }),
    RUNS,
  );
});

Deno.test("decodeLine() passes over fields of wrong types", () => {
  const good = { id: "m", type: "t", to: null, created: "2026-03-01", expires: "2026-03-02" };
  const wrong: Record<string, unknown>[] = [
    { ...good, id: 1 },
    { ...good, id: "" },
    { ...good, id: "x".repeat(MAX_NAME_CHARS + 1) },
    { ...good, type: null },
    { ...good, to: 1 },
    { ...good, to: "" },
    { ...good, created: "yesterday" },
    { ...good, expires: 7 },
    { ...good, mark: 1 },
    { ...good, mark: "" },
    { claim: "m", by: "s" },
    { ack: "m", at: "2026-03-01" },
    { trimtab_blackboard: 2, carried: 0 },
    { trimtab_blackboard: 1, carried: -1 },
  ];
  assertEquals(wrong.map((one) => decodeLine(JSON.stringify(one))), wrong.map(() => null));
  assertEquals(decodeLine(JSON.stringify(good))?.kind, "message");
});

Deno.test("encodeLine() puts the fields of a payload beside the others", () => {
  const text = encodeLine({
    kind: "message",
    message: {
      id: "m",
      type: "checkpoint_trigger",
      to: "s",
      created: "2026-03-01T10:00:00.000Z",
      expires: "2026-03-01T11:00:00.000Z",
      payload: { reason: "checkpoint_stale" },
    },
    mark: "m",
  });
  assertEquals(
    text,
    '{"id":"m","type":"checkpoint_trigger","to":"s","reason":"checkpoint_stale",' +
      '"created":"2026-03-01T10:00:00.000Z","expires":"2026-03-01T11:00:00.000Z","mark":"m"}\n',
  );
});
