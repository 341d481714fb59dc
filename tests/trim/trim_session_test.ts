import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { judgeUsage } from "../../src/gauge/judge.ts";
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  trimSession,
  type TrimSessionOptions,
  trimUnlessTooSmall,
} from "../../src/trim/trim_session.ts";
import type { JsonObject } from "../../src/core/record.ts";
import { getContextPercentageFromFile } from "../../src/designs/percent.ts";
import { readNewestUsage } from "../../src/gauge/running_usage.ts";
import { VERSION } from "../../src/version.ts";
import type { BeforeAfter } from "../../src/trim/trim_transcript.ts";
import { POSIX } from "../posix.ts";
import { parseLines, resultsOf, SessionBuilder } from "./build_session.ts";
import { modeOf } from "../folder.ts";

const LONG = "a line of an output\n".repeat(2000);
const OLD = "b82405ba-0000-4000-8000-000000000000";
const NEW = "7a117a11-0000-4000-8000-00000000beef";
const NOW = new Date(Date.UTC(2026, 10, 22, 11));

function clientSession(builder: SessionBuilder): Disposable & {
  folder: string;
  options: TrimSessionOptions;
} {
  const folder = Deno.makeTempDirSync({ prefix: "trimtab-session-" });
  const project = `${folder}/projects/-home-a`;
  Deno.mkdirSync(project, { recursive: true });
  Deno.mkdirSync(`${folder}/tasks/${OLD}`, { recursive: true });
  Deno.writeTextFileSync(`${folder}/tasks/${OLD}/1.json`, "{}");
  const path = `${project}/${OLD}.jsonl`;
  Deno.writeTextFileSync(path, builder.lines.map((line) => JSON.stringify(line) + "\n").join(""));
  return {
    folder,
    options: { session: { path, id: OLD }, newId: () => NEW, now: NOW },
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

function longSession(): SessionBuilder {
  return new SessionBuilder()
    .user("Look at the tests, please\nand at the rest")
    .call("r", "Read", { file_path: "/a" }, LONG)
    .call("b", "Bash", { command: "ls" }, LONG)
    .assistant("m", [{ type: "text", text: "done" }]);
}

Deno.test("trimSession() writes a new session next to the old one", () => {
  using client = clientSession(longSession());
  const before = Deno.readTextFileSync(client.options.session.path);
  const result = trimSession(client.options);
  assertEquals(result.output, `${client.folder}/projects/-home-a/${NEW}.jsonl`);
  assertEquals([result.session_id, result.parent_session_id], [NEW, OLD]);
  assertEquals([result.resume_command, result.dry_run], [`claude --resume ${NEW}`, false]);
  const lines = parseLines(result.output);
  assertEquals(lines.map((line) => line.sessionId), lines.map(() => NEW));
  const { threshold, chars_saved, trimtab_version, ...metadata } = Object(lines[0]?.trim_metadata);
  assertEquals([threshold, trimtab_version], [500, VERSION]);
  assertEquals(chars_saved, result.context_chars.before - result.context_chars.after);
  assertEquals(metadata, {
    parent_file: client.options.session.path,
    parent_session_id: OLD,
    trimmed_at: NOW.toISOString(),
    trimmed_count: 2,
    bytes_saved: result.bytes.before - result.bytes.after,
  });
  assertEquals(Deno.statSync(result.output).size, result.bytes.after);
  assertEquals(Deno.readTextFileSync(client.options.session.path), before);
  if (POSIX) assertEquals(modeOf(result.output), 0o600);
  assertMatch(String(resultsOf(result.output).get("r")), /See line 3 of b82405ba for full content/);
});

Deno.test("trimSession() copies the session's files, and lowers the usage in the newest message", () => {
  using client = clientSession(longSession());
  const result = trimSession(client.options);
  assertEquals(result.owned, { tasks: 1, file_history: 0, notes: [] });
  assertEquals(Deno.readTextFileSync(`${client.folder}/tasks/${NEW}/1.json`), "{}");
  const usage = Object(parseLines(result.output).at(-2)?.message).usage;
  assertEquals(usage.input_tokens + usage.cache_read_input_tokens, result.tokens.after);
  assertEquals(result.tokens.before, 90_010);
  assert(result.tokens.after < 80_000);
  const percentAfter = Math.round((result.tokens.after * 100) / result.limit);
  assertEquals(result.percent, { before: 54, after: percentAfter });
});

Deno.test("trimSession() splits a line with two entries, and replaces only top-level session ids that are strings", () => {
  using client = clientSession(longSession());
  const { path } = client.options.session;
  const [first = "", second = "", ...others] = Deno.readTextFileSync(path).split("\n");
  const odd = { type: "mode", mode: {}, sessionId: 5, other: { sessionId: OLD } };
  const nested = { type: "mode", other: { sessionId: OLD }, sessionId: OLD };
  const added = [odd, nested].map((line) => JSON.stringify(line));
  Deno.writeTextFileSync(path, [first + second, ...added, ...others].join("\n"));
  const lines = Deno.readTextFileSync(trimSession(client.options).output).split("\n");
  assertEquals(lines.findIndex((line) => line.trim() === ""), lines.length - 1);
  const copied = lines.slice(0, 4).map((line) => JSON.parse(line));
  for (const [index, original] of [first, second].entries()) {
    const { uuid, sessionId } = copied[index];
    assertEquals([uuid, sessionId], [JSON.parse(original).uuid, NEW]);
  }
  assertEquals(copied.slice(2), [odd, { ...nested, sessionId: NEW }]);
});

/** Makes a metadata line with the usage. Some programs add such lines when they run Claude Code. */
function metadataLine(contextTokens: number): JsonObject {
  return { type: "metadata", contextTokens, maxContextTokens: 250_000 };
}

function append(client: { options: TrimSessionOptions }, line: JsonObject): void {
  const options = { append: true };
  Deno.writeTextFileSync(client.options.session.path, JSON.stringify(line) + "\n", options);
}

Deno.test("trimSession() uses and lowers the usage in a metadata line if no answer is newer", () => {
  using client = clientSession(longSession());
  append(client, metadataLine(125_000));
  const { output, tokens, percent, ...rest } = trimSession(client.options);
  assertEquals([tokens.before, rest.tokens_source, percent.before], [125_000, "metadata", 50]);
  assertEquals([rest.window, rest.window_source], [250_000, "metadata"]);
  const { target } = trimSession({ ...client.options, targetPercent: 40, dryRun: true });
  assertEquals(target?.tokens, 100_000);
  // The model comes from the newest answer, because a metadata line has no model.
  assertEquals(rest.model, "claude-sonnet-4-6");
  assert(percent.after < 45, `${percent.after}`);
  const { usage } = readNewestUsage(output);
  assertEquals([usage?.tokens, usage?.window], [tokens.after, 250_000]);
  assertEquals(getContextPercentageFromFile(output), Math.floor((tokens.after * 100) / 250_000));
  const line = Deno.readTextFileSync(output).split("\n").at(-3);
  assertEquals(line, JSON.stringify(metadataLine(tokens.after)));
});

Deno.test("trimSession() uses a metadata line if no answer has usage, and ignores a metadata line before a newer answer", () => {
  using short = clientSession(new SessionBuilder().user("please").result("r", "ok"));
  append(short, metadataLine(100_000));
  const only = trimSession(short.options);
  assertEquals(only.tokens, { before: 100_000, after: 100_000 });
  assertEquals([only.percent, only.model], [{ before: 40, after: 40 }, undefined]);
  const builder = longSession();
  using client = clientSession(builder);
  append(client, metadataLine(125_000));
  const last = Object(builder.lines.at(-1));
  const message = { ...last.message, id: "later" };
  append(client, { ...last, uuid: "later", parentUuid: last.uuid, message });
  const { output, tokens, tokens_source, window } = trimSession(client.options);
  assertEquals([tokens.before, tokens_source, window], [90_010, "api", 200_000]);
  assert(Deno.readTextFileSync(output).includes(JSON.stringify(metadataLine(125_000))));
});

Deno.test("trimSession() titles the copy after the session's title or first prompt, and numbers copies of copies", () => {
  const titleOf = (builder: SessionBuilder, title?: string): unknown => {
    using client = clientSession(builder);
    if (title !== undefined) append(client, { type: "custom-title", customTitle: title });
    return parseLines(trimSession(client.options).output).at(-1)?.customTitle;
  };
  const title = "Look at the tests, please (trimmed)";
  assertEquals(titleOf(longSession()), title);
  assertEquals(titleOf(longSession().line({ type: "novelty" })), title);
  assertEquals(titleOf(new SessionBuilder().line({ type: "mode" })), "Session (trimmed)");
  assertEquals(titleOf(longSession(), "Mine"), "Mine (trimmed)");
  assertEquals(titleOf(longSession(), "M (trimmed)"), "M (trimmed 2)");
});

Deno.test("trimSession() drops the torn end of a file, and adds a missing newline after the last complete entry", () => {
  const copyWith = (end: string): [tornBytes: number, lines: string[]] => {
    using client = clientSession(longSession());
    Deno.writeTextFileSync(client.options.session.path, end, { append: true });
    const { output, torn_bytes } = trimSession(client.options);
    // The metadata on the first line depends on the parent's path and size.
    return [torn_bytes, Deno.readTextFileSync(output).split("\n").slice(1)];
  };
  const [, whole] = copyWith("");
  const [, longer] = copyWith('{"type":"mode"}\n');
  assertEquals(longer.length, whole.length + 1);
  assertEquals(copyWith('{"type":"mo'), [11, whole]);
  assertEquals(copyWith('{"type":"mode"}'), [0, longer]);
  assertEquals(copyWith('{"type":"mode"}{"ty'), [4, longer]);
});

Deno.test("trimSession() rounds the percentage half up, but down for a metadata line, and caps it at 100", () => {
  const percentOf = (configured: number, metadata?: JsonObject): number => {
    using client = clientSession(longSession());
    if (metadata !== undefined) append(client, metadata);
    const config = { ...DEFAULT_CONFIG.context, window_tokens: configured };
    const facts = { config, state: {}, env: () => undefined };
    const gauge = judgeUsage(readNewestUsage(client.options.session.path), facts);
    return trimSession({ ...client.options, gauge: () => gauge, dryRun: true }).percent.before;
  };
  // 90,010 tokens are 53.51 % of the first limit and 53.45 % of the second, and exceed the third window.
  assertEquals([201_200, 201_400, 90_000].map((window) => percentOf(window)), [54, 53, 100]);
  assertEquals(percentOf(201_200, metadataLine(90_010)), 53);
});

Deno.test("trimSession() uses the gauge's figure if no answer has usage, for example after an undo", () => {
  const session = longSession();
  session.line({ type: "system", subtype: "compact_boundary", content: "Conversation compacted" });
  const later = new SessionBuilder().user("again").call("r", "Read", { file_path: "/a" }, LONG);
  for (const { message, type } of later.lines) {
    const { usage: _, ...bare } = Object(message);
    session.line({ type, message: bare });
  }
  using client = clientSession(session);
  const tokensBy = (tokens: number | null, nonMessageTokens?: number): BeforeAfter => {
    const gauge = { tokens, window: 200_000, limit: 180_000, windowSource: "default" } as const;
    const options = { gauge: () => gauge, keepRecent: 0, dryRun: true, nonMessageTokens };
    return trimSession({ ...client.options, ...options }).tokens;
  };
  const [known, guessed] = [tokensBy(150_000), tokensBy(null)];
  assertEquals(known.before, 150_000);
  assert(guessed.before < 30_000, `${guessed.before}: the messages alone`);
  const saved = guessed.before - guessed.after;
  assertEquals(known.before - known.after, saved);
  // The messages cannot exceed the known usage.
  const [tight, withSystem] = [tokensBy(9_000), tokensBy(29_000, 20_000)];
  assert(tight.after > 0 && tight.before - tight.after < saved);
  assertEquals(withSystem.after - 20_000, tight.after);
});

Deno.test("trimSession() rejects a string in place of a list of tools", () => {
  using client = clientSession(longSession());
  const options = { ...client.options, keep: "head", dryRun: true } as const;
  const message = 'tools must be a list of names, such as ["Read"]';
  // @ts-expect-error A caller in JavaScript can pass this.
  assertThrows(() => trimSession({ ...options, tools: "Read" }), TypeError, message);
  assertEquals(trimSession({ ...options, tools: ["Read"] }).trimmed_count, 1);
});

Deno.test("trimSession() with dryRun writes neither a copy nor the session's files", () => {
  using client = clientSession(longSession());
  const { output, owned } = trimSession({ ...client.options, dryRun: true });
  assertEquals(owned.tasks, 0);
  assertThrows(() => Deno.statSync(output), Deno.errors.NotFound);
  assertEquals([...Deno.readDirSync(`${client.folder}/tasks`)].map(({ name }) => name), [OLD]);
});

Deno.test("trimUnlessTooSmall() tells how much more a deep trim and a trim of the newest results would free", () => {
  const insteadOf = (options: Partial<TrimSessionOptions>): unknown => {
    using client = clientSession(longSession());
    const result = trimUnlessTooSmall({ ...client.options, ...options });
    return "instead" in result && [result.instead.deep > 0, result.instead.newest > 0];
  };
  assertEquals(insteadOf({ keepRecent: 5 }), [false, true]);
  assertEquals(insteadOf({ keepRecent: 0 }), false);
  assertEquals(insteadOf({ keepRecent: 0, protect: ["**"] }), [false, false]);
});
