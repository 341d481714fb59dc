import { assert, assertEquals } from "@std/assert";
import { generateTranscript, GENERATOR_VERSION } from "../../bench/generate.ts";

const SIZE_BYTES = 5_000_000;

/**
 * Percentages of all bytes in 571 real sessions, with the permitted differences at 5 MB, where a
 * single large file or subagent changes a share by some percentage points.
 */
const SHARES: readonly (readonly [name: string, percent: number, tolerance: number])[] = [
  ["mirror", 38, 6],
  ["mirror.originalFile", 21, 6],
  ["progress", 16, 7],
  ["tool_result", 13, 3],
  ["envelope", 13, 2],
  ["signature", 5, 2],
  ["usage", 4, 1.5],
  ["tool_input", 3.5, 1.2],
  ["attachment", 2, 1],
];

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fields(value: unknown): Fields {
  assert(isFields(value), "a JSON object was expected");
  return value;
}

function blocks(entry: Fields): Fields[] {
  const content = isFields(entry.message) ? entry.message.content : undefined;
  return Array.isArray(content) ? content.map(fields) : [];
}

function lines(seed: number, sizeBytes = SIZE_BYTES): string[] {
  return [...generateTranscript({ sizeBytes, seed })];
}

function entries(seed: number, sizeBytes = SIZE_BYTES): Fields[] {
  return lines(seed, sizeBytes).map((line) => fields(JSON.parse(line)));
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

function quantile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0;
}

function textLength(content: unknown): number {
  if (typeof content === "string") return content.length;
  if (!Array.isArray(content)) return 0;
  return content.map(fields).reduce((sum, block) => sum + textLength(block.text), 0);
}

function shares(list: readonly Fields[]): Map<string, number> {
  const bytes = new Map<string, number>();
  const add = (name: string, count: number) => bytes.set(name, (bytes.get(name) ?? 0) + count);
  for (const entry of list) {
    const whole = bytesOf(entry) + 1;
    add("total", whole);
    if (entry.type !== "user" && entry.type !== "assistant") {
      add(String(entry.type), whole);
      continue;
    }
    const message = fields(entry.message);
    let inside = 0;
    const part = (name: string, value: unknown) => {
      const count = value === undefined ? 0 : bytesOf(value);
      inside += count;
      add(name, count);
    };
    part("usage", message.usage);
    part("mirror", entry.toolUseResult);
    if (isFields(entry.toolUseResult) && "originalFile" in entry.toolUseResult) {
      add("mirror.originalFile", bytesOf(entry.toolUseResult.originalFile));
    }
    if (typeof message.content === "string") part("text", message.content);
    for (const block of blocks(entry)) {
      part("tool_result", block.type === "tool_result" ? block.content : undefined);
      part("tool_input", block.input);
      part("signature", block.signature);
      part("text", block.thinking ?? block.text);
      part("image", block.source);
    }
    add("envelope", whole - inside);
  }
  return bytes;
}

Deno.test("generateTranscript() makes the same bytes as long as GENERATOR_VERSION is the same", async () => {
  // After an intended change of the generator, raise its version, which separates old and new
  // cached files.
  const bytes = new TextEncoder().encode(lines(1, 1_000_000).join("\n"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  assertEquals([GENERATOR_VERSION, digest.slice(0, 16)], [1, "af6d1c31715d860d"]);
});

function assertShares(list: readonly Fields[]): void {
  const bytes = shares(list);
  const total = bytes.get("total") ?? 0;
  for (const [name, percent, tolerance] of SHARES) {
    const share = 100 * (bytes.get(name) ?? 0) / total;
    const message = `${name} is ${share.toFixed(1)} % of the bytes, not ${percent} %`;
    assert(Math.abs(share - percent) <= tolerance, message);
  }
}

Deno.test("generateTranscript() has the proportions of real sessions at 5 MB", () => {
  for (const seed of [1, 2, 3]) {
    const list = entries(seed);
    assertShares(list);
    const sizes = list.flatMap(blocks).filter((block) => block.type === "tool_result")
      .map((block) => textLength(block.content));
    // Real sessions: p50 377, p90 4,491, p99 26,690, max 84,231.
    const [p50, p90, p99] = [quantile(sizes, 0.5), quantile(sizes, 0.9), quantile(sizes, 0.99)];
    assert(p50 > 260 && p50 < 500, `seed ${seed}: p50 ${p50}`);
    assert(p90 > 3_300 && p90 < 6_200, `seed ${seed}: p90 ${p90}`);
    assert(p99 > 14_000 && p99 < 50_000, `seed ${seed}: p99 ${p99}`);
    assert(quantile(sizes, 1) <= 110_000);
    // Real sessions: p50 1,108 B.
    const middle = quantile(list.map((entry) => bytesOf(entry)), 0.5);
    assert(middle > 850 && middle < 1_400, `seed ${seed}: lines p50 ${middle} B`);
  }
});
