import { assert, assertEquals } from "@std/assert";
import { LONG_LINE_BYTES, LONG_TEXT_BYTES, readBriefly } from "../../src/transcript/long_lines.ts";

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

Deno.test("readBriefly() shortens the long texts of a long line, whatever they contain", () => {
  const unit = 'a "quoted" \\ word, 語 and 😀\n';
  const log = unit.repeat(LONG_LINE_BYTES / unit.length);
  const line = JSON.stringify({ before: "short", log, data: "QUJD".repeat(200_000), after: 1 });
  const { before, log: shortLog, data, after } = readBriefly(bytes(line))[0]?.entry.raw ?? {};
  assertEquals([before, after], ["short", 1]);
  for (const [short, whole] of [[shortLog, log], [data, "QUJD".repeat(200_000)]] as const) {
    assert(typeof short === "string" && short.length > LONG_TEXT_BYTES / 2);
    assert(short.length <= LONG_TEXT_BYTES && whole.startsWith(short));
  }
  // Without a space, a cut can split an escape. The line is then read whole.
  const quotes = JSON.stringify({ text: '"'.repeat(LONG_LINE_BYTES) });
  const [text] = readBriefly(bytes(quotes)).map(({ entry }) => entry.raw.text);
  assert(typeof text === "string" && /^"+$/.test(text));
});

Deno.test("readBriefly() keeps long texts in a line of normal length, and returns nothing for a torn long line", () => {
  const text = "x".repeat(LONG_TEXT_BYTES + 1);
  const [whole] = readBriefly(bytes(JSON.stringify({ text })));
  assertEquals(whole?.entry.raw.text, text);
  const long = JSON.stringify({ text: "x".repeat(LONG_LINE_BYTES) });
  assertEquals(readBriefly(bytes(long.slice(0, -1))), []);
});

Deno.test("readBriefly() reads two entries on one long line, up to the broken part", () => {
  const long = JSON.stringify({ type: "user", text: "é".repeat(LONG_LINE_BYTES / 2) });
  const found = readBriefly(bytes(` ${long}{"type":"mode"}{"torn`));
  const middle = bytes(long).length + 1;
  assertEquals(found.map(({ entry, start, end }) => [entry.type, start, end]), [
    ["user", 1, middle],
    ["mode", middle, middle + 15],
  ]);
  assertEquals(readBriefly(bytes(`${"words ".repeat(LONG_LINE_BYTES / 6)} {}`)), []);
});
