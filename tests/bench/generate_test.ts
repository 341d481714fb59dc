import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  generateTranscript,
  GENERATOR_VERSION,
  parseSize,
  writeTranscript,
} from "../../bench/generate.ts";

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

Deno.test("generateTranscript() keeps the tree whole: each parent exists and each uuid is unique", () => {
  for (const seed of [1, 2, 3]) {
    const list = entries(seed);
    const uuids = list.flatMap((entry) => typeof entry.uuid === "string" ? [entry.uuid] : []);
    assertEquals(new Set(uuids).size, uuids.length);
    const known = new Set(uuids);
    const roots = list.filter((entry) => entry.parentUuid === null);
    const boundaries = list.filter((entry) => entry.subtype === "compact_boundary");
    assertEquals(roots.length, boundaries.length + 1);
    for (const { parentUuid } of list) {
      if (typeof parentUuid === "string") assert(known.has(parentUuid), parentUuid);
    }
    for (const { logicalParentUuid } of boundaries) assert(known.has(String(logicalParentUuid)));
  }
});

Deno.test("generateTranscript() answers each tool_use once, below its own line", () => {
  for (const seed of [1, 2, 3]) {
    const uses = new Map<unknown, unknown>();
    const results = new Map<unknown, Fields>();
    for (const entry of entries(seed)) {
      for (const block of blocks(entry)) {
        if (block.type === "tool_use") uses.set(block.id, entry.uuid);
        if (block.type !== "tool_result") continue;
        assert(!results.has(block.tool_use_id));
        results.set(block.tool_use_id, entry);
      }
    }
    assert(uses.size > 200, `${uses.size} calls`);
    assertEquals(new Set(results.keys()), new Set(uses.keys()));
    for (const [id, entry] of results) {
      assertEquals(entry.parentUuid, uses.get(id));
      assertEquals(entry.sourceToolAssistantUUID, uses.get(id));
    }
  }
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

Deno.test("parseSize() reads units as powers of ten and refuses anything else", () => {
  assertEquals(parseSize("100MB"), 100_000_000);
  assertEquals(parseSize("1.5 gb"), 1_500_000_000);
  assertEquals(parseSize("42"), 42);
  for (const text of ["", "MB", "10MiB", "-1MB", "1e6"]) {
    assertThrows(() => parseSize(text), RangeError, "Cannot read the size");
  }
});

Deno.test("writeTranscript() replaces the file's content and counts its bytes", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/session.jsonl`;
    await Deno.writeTextFile(path, "x".repeat(2_000_000));
    const { bytes, sessionId } = writeTranscript(path, { sizeBytes: 400_000, seed: 3 });
    const text = await Deno.readTextFile(path);
    assertEquals((await Deno.stat(path)).size, bytes);
    assertEquals(text, lines(3, 400_000).join("\n") + "\n");
    assert(text.includes(`"sessionId":"${sessionId}"`));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
