import { assert, assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import {
  generateTranscript,
  GENERATOR_VERSION,
  parseSize,
  writeTranscript,
} from "../../bench/generate.ts";

const SIZE_BYTES = 5_000_000;

/**
 * Percentages of all bytes in 571 real sessions, with the permitted differences at 5 MB and at 40
 * MB. At 5 MB, a single large file or subagent changes a share by some percentage points.
 */
const SHARES: readonly (readonly [name: string, percent: number, at5: number, at40: number])[] = [
  ["mirror", 38, 6, 3],
  ["mirror.originalFile", 21, 6, 3],
  ["progress", 16, 7, 3],
  ["tool_result", 13, 3, 1.5],
  ["envelope", 13, 2, 1.5],
  ["signature", 5, 2, 1],
  ["usage", 4, 1.5, 0.5],
  ["tool_input", 3.5, 1.2, 0.5],
  ["attachment", 2, 1, 0.6],
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

Deno.test("generateTranscript() gives the same bytes for the same seed, and different bytes for another", () => {
  const first = lines(7, 1_000_000);
  assertEquals(lines(7, 1_000_000), first);
  assertNotEquals(lines(8, 1_000_000), first);
});

Deno.test("generateTranscript() makes the same bytes as long as GENERATOR_VERSION is the same", async () => {
  // After an intended change of the generator, raise its version, which separates old and new
  // cached files.
  const bytes = new TextEncoder().encode(lines(1, 1_000_000).join("\n"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  assertEquals([GENERATOR_VERSION, digest.slice(0, 16)], [1, "af6d1c31715d860d"]);
});

Deno.test("generateTranscript() makes at least the size and stops soon after it", () => {
  for (const sizeBytes of [1, 300_000, SIZE_BYTES]) {
    const bytes = lines(1, sizeBytes).reduce((sum, line) => sum + bytesOfText(line) + 1, 0);
    assert(bytes >= sizeBytes, `${bytes} of ${sizeBytes}`);
    assert(bytes < sizeBytes + 700_000, `${bytes} of ${sizeBytes}`);
  }
});

function bytesOfText(line: string): number {
  return new TextEncoder().encode(line).length;
}

Deno.test("generateTranscript() writes lines as the client's own JSON.stringify does", () => {
  for (const line of lines(2, 1_000_000)) assertEquals(JSON.stringify(JSON.parse(line)), line);
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

Deno.test("generateTranscript() writes some results before their calls, and some calls in parallel", () => {
  const seen = new Set<unknown>();
  let before = 0;
  let parallel = 0;
  let last: unknown;
  for (const entry of entries(1, 20_000_000)) {
    for (const block of blocks(entry)) {
      if (block.type === "tool_use") seen.add(block.id);
      if (block.type === "tool_result" && !seen.has(block.tool_use_id)) before++;
      if (block.type === "tool_use" && last === entry.parentUuid) parallel++;
      last = block.type === "tool_use" ? entry.uuid : undefined;
    }
  }
  assert(before >= 1 && before <= 20, `${before} results before their uses`);
  assert(parallel >= 10, `${parallel} calls right behind another`);
});

Deno.test("generateTranscript() compacts at 160k tokens and continues from a summary", () => {
  const list = entries(1, 12_000_000);
  const boundaries = list.flatMap((entry, at) => entry.subtype === "compact_boundary" ? [at] : []);
  assert(boundaries.length >= 3, `${boundaries.length} compactions`);
  for (const at of boundaries) {
    const tokens = Number(fields(list[at]?.compactMetadata).preTokens);
    assert(tokens > 160_000 && tokens < 200_000, `${tokens} tokens`);
    assertEquals(list[at + 1]?.isCompactSummary, true);
    assertEquals(list[at + 1]?.parentUuid, list[at]?.uuid);
  }
});

Deno.test("generateTranscript() lets usage grow with the content of the context", () => {
  let last = 0;
  let shrinkCount = 0;
  let compactions = 0;
  const spans: number[] = [];
  let chars = 0;
  for (const entry of entries(1, 12_000_000)) {
    if (entry.subtype === "compact_boundary") compactions++;
    for (const block of blocks(entry)) {
      if (block.type === "tool_result") chars += textLength(block.content);
      if (block.type === "tool_use") chars += JSON.stringify(block.input).length;
      if (block.type === "text" || block.type === "thinking") {
        chars += textLength(block.text ?? block.thinking);
      }
    }
    if (entry.type !== "assistant") continue;
    const usage = fields(fields(entry.message).usage);
    const context = Number(usage.input_tokens) + Number(usage.cache_read_input_tokens) +
      Number(usage.cache_creation_input_tokens);
    if (context < last) shrinkCount++;
    if (context > last && chars > 5_000) spans.push(chars / (context - last));
    if (context !== last) chars = 0;
    last = context;
  }
  // Only compactions and rewinds shrink the context.
  assert(shrinkCount >= compactions && shrinkCount <= compactions + 12, `${shrinkCount} falls`);
  const median = quantile(spans, 0.5);
  assert(median > 2.4 && median < 4.2, `${median} characters a token`);
});

Deno.test("generateTranscript() writes both key orders and several lines per message id", () => {
  const list = lines(1, SIZE_BYTES);
  const head = list.filter((line) => line.slice(0, 400).includes('"sessionId":"'));
  const tail = list.filter((line) => line.slice(-250).includes('"sessionId":"'));
  assert(head.length > 200 && tail.length > 200, `${head.length} and ${tail.length}`);
  const counts = new Map<unknown, number>();
  for (const entry of entries(1)) {
    if (entry.type !== "assistant") continue;
    const { id } = fields(entry.message);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const split = [...counts.values()].filter((count) => count > 1).length;
  assert(split / counts.size > 0.5, `${split} of ${counts.size} messages are split`);
});

function assertShares(list: readonly Fields[], tolerances: 2 | 3): void {
  const bytes = shares(list);
  const total = bytes.get("total") ?? 0;
  for (const row of SHARES) {
    const share = 100 * (bytes.get(row[0]) ?? 0) / total;
    const message = `${row[0]} is ${share.toFixed(1)} % of the bytes, not ${row[1]} %`;
    assert(Math.abs(share - row[1]) <= row[tolerances], message);
  }
}

Deno.test("generateTranscript() has the proportions of real sessions at 5 MB", () => {
  for (const seed of [1, 2, 3]) {
    const list = entries(seed);
    assertShares(list, 2);
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

Deno.test("generateTranscript() approaches the proportions with size", () => {
  assertShares(entries(1, 40_000_000), 3);
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

Deno.test("generate.ts writes a file with write permission alone, and exits 2 without a size", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/session.jsonl`;
    const script = new URL("../../bench/generate.ts", import.meta.url).pathname;
    const run = (args: string[]) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-prompt", `--allow-write=${folder}`, script, ...args],
      }).output();
    const done = await run(["--size", "200KB", "--seed", "5", "-o", path]);
    assertEquals(done.code, 0, new TextDecoder().decode(done.stderr));
    assert((await Deno.stat(path)).size >= 200_000);
    const wrong = await run(["-o", path]);
    assertEquals(wrong.code, 2);
    assert(new TextDecoder().decode(wrong.stderr).includes("Usage:"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
