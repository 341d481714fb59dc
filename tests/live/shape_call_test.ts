import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { existsSync } from "@std/fs";
import { fileName, parentPath } from "../../src/store/paths.ts";
import { DEFAULT_CONFIG, type LiveConfig } from "../../src/config/schema.ts";
import { liveLogPaths, logShaped, readLiveStats } from "../../src/live/live_log.ts";
import { readResponse } from "../../src/live/responses.ts";
import { type AnsweredCall, shapeCall } from "../../src/live/shape_call.ts";
import { keepOutput, spillFolder } from "../../src/live/spill.ts";
import { isFirstOutput, oldOutputs, pruneOutputs } from "../../src/live/spill_prune.ts";
import { createSession } from "../../src/designs/sessions.ts";
import { isTarget } from "../../src/live/target.ts";
import { fileHeadUnits } from "../../src/core/marks.ts";
import { inFolder, modeOf, namesIn } from "../folder.ts";

const SESSION = "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10";
const SESSIONS = [SESSION, SESSION.replace("0e", "1e"), SESSION.replace("0e", "2e")] as const;
const NOW = new Date("2026-03-01T10:00:00.000Z");
const OLD = new Date("2026-02-21T10:00:00.000Z");
const LONG = Array.from({ length: 300 }, (_, n) => `ok ${n} - adds`).join("\n");
const BASH = { stdout: LONG, stderr: "", interrupted: false, isImage: false };
const FILES = Array.from({ length: 300 }, (_, n) => `/p/src/${n}.ts`);

const CONFIG: LiveConfig = { ...DEFAULT_CONFIG.live, max_chars: 1_000 };

function shape(
  projectDir: string,
  call: Partial<AnsweredCall>,
  config: Partial<LiveConfig> = {},
): unknown {
  const whole = { toolName: "Bash", input: {}, response: BASH, toolUseId: "toolu_1", ...call };
  const owner = { projectDir, sessionId: SESSION };
  return shapeCall(whole, { owner, config: { ...CONFIG, ...config }, now: NOW });
}

function keepAt(date: Date, projectDir: string, sessionId: string, toolUseId = "toolu_1"): string {
  const path = keepOutput({ projectDir, sessionId }, { toolUseId, text: "x" });
  Deno.utimeSync(path, date, date);
  return path;
}

Deno.test("shapeCall() first stores the full output in a private file, and shows the file's path", () =>
  inFolder((projectDir) => {
    const { stdout: text } = shape(projectDir, {}) as typeof BASH;
    const path = `${spillFolder(projectDir)}/${SESSION}/toolu_1.txt`;
    assertEquals(Deno.readTextFileSync(path), LONG);
    assertEquals(modeOf(path), 0o600);
    for (const folder of [parentPath(path), spillFolder(projectDir)]) {
      assertEquals(modeOf(folder), 0o700);
    }
    assertEquals(Deno.readTextFileSync(`${projectDir}/.claude/trimtab/.gitignore`), "*\n");
    const head =
      `[trimtab: shaped from 4,089 characters in 300 lines; the whole output is in ${path}: ` +
      "Read it with offset and limit]";
    const passed = "[trimtab: lines 2-299 left out, 298 passing]";
    assertEquals(text, `${head}\nok 0 - adds\n${passed}\nok 299 - adds`);
    assertEquals(fileHeadUnits(text), head.length);
    assertEquals(readLiveStats(projectDir).totals, {
      outputs: 1,
      before_chars: LONG.length,
      after_chars: text.length,
      saved_chars: LONG.length - text.length,
      saved_percent: Math.round((1 - text.length / LONG.length) * 100),
    });
  }));

Deno.test("shapeCall() does not change short outputs, outputs about protected paths, or unknown responses", () =>
  inFolder((projectDir) => {
    const short = { ...BASH, stdout: "x".repeat(1_000) };
    assertEquals(shape(projectDir, { response: short }), null);
    const protect = ["*.lock"];
    assertEquals(shape(projectDir, { input: { command: "cat deno.lock" } }, { protect }), null);
    const moved = `<persisted-output>\n${LONG.slice(0, 4_000)}`;
    const changes = [
      ...[{ persistedOutputPath: "/x" }, { isImage: true }, { interrupted: true }],
      ...[{ backgroundTaskId: "b" }, { stdout: moved }],
    ];
    const unknown = [...changes.map((change) => ({ ...BASH, ...change })), { stdout: LONG }];
    for (const response of [...unknown, LONG, null]) {
      assertEquals(shape(projectDir, { response }), null, JSON.stringify(response));
    }
    assertEquals(namesIn(projectDir), []);
  }));

Deno.test("shapeCall() shapes a long output that only begins like the client's notice of an output in a file", () =>
  inFolder((projectDir) => {
    for (const start of ["<persisted-output>\n", "Error: result (9 characters) exceeds\n"]) {
      const response = { ...BASH, stdout: start + LONG.padEnd(6_000, LONG) };
      assert(shape(projectDir, { response }) !== null, start);
    }
  }));

Deno.test("shapeCall() shapes error output above half of max_chars, even if the whole output is within max_chars", () =>
  inFolder((projectDir) => {
    const stderr = Array.from({ length: 60 }, (_, n) => `warning ${"abc".repeat(n % 3 + 1)}`);
    const response = { ...BASH, stdout: "short", stderr: stderr.join("\n") };
    assertEquals(shape(projectDir, { response }, { max_chars: 10_000 }), null);
    const shaped = shape(projectDir, { response });
    assertMatch(JSON.stringify(shaped), /"stdout":"short","stderr":"\[trimtab: shaped from /);
  }));

Deno.test("shapeCall() logs nothing if it cannot store one of a call's two outputs", () =>
  inFolder((projectDir) => {
    const owner = { projectDir, sessionId: SESSION };
    for (let n = 0; n < 19; n++) keepOutput(owner, { toolUseId: "toolu_1", text: `${n}` });
    const response = { ...BASH, stderr: LONG.replaceAll("ok", "failed") };
    assertThrows(() => shape(projectDir, { response }), RangeError, "already has 20 files");
    assertEquals(readLiveStats(projectDir).totals.outputs, 0);
  }));

Deno.test("shapeCall() returns the fields of each tool's own response, and does not change unknown responses", () =>
  inFolder((projectDir) => {
    const names = { numFiles: 300, durationMs: 1, truncated: false, filenames: FILES };
    const grep = { mode: "content", numFiles: 0, filenames: [], content: LONG, numLines: 300 };
    const web = { bytes: 1, code: 200, codeText: "OK", result: LONG, durationMs: 1, url: "u" };
    const file = { filePath: "/f", content: LONG, numLines: 300, startLine: 11, totalLines: 400 };
    const answers: [string, unknown][] = [
      ["Glob", names],
      ["Grep", { mode: "files_with_matches", numFiles: 300, filenames: FILES }],
      ["Grep", grep],
      ["WebFetch", web],
      ["Read", { type: "text", file }],
      ["mcp__a__b", LONG],
      ["mcp__a__b", [{ type: "text", text: "short" }, { type: "text", text: LONG }]],
    ];
    for (const [nth, [toolName, response]] of answers.entries()) {
      const shaped = shape(projectDir, { toolName, response, toolUseId: `toolu_${nth}` });
      const texts = readResponse(toolName, shaped)?.texts.map(({ text }) => text) ?? [];
      assertEquals(texts.filter((text) => fileHeadUnits(text) > 0).length, 1, toolName);
      assert(texts.join("").length < 1_000);
      if (toolName === "Read") {
        assertMatch(JSON.stringify(shaped), /"startLine":10,/);
        assertMatch(texts.join(), /lines \d+-310 left out, numbered as in the file\]$/);
      }
    }
    const block = { type: "text", text: LONG };
    const unknown = [[], [{ type: "image", source: {} }, block], [{ ...block, annotations: {} }]];
    for (const response of [...unknown, { content: LONG }]) {
      assertEquals(shape(projectDir, { toolName: "mcp__a__b", response }), null);
    }
    assertEquals(shape(projectDir, { toolName: "Task", response: { content: LONG } }), null);
    assertEquals(readLiveStats(projectDir).totals.outputs, answers.length);
  }));

Deno.test("shapeCall() does not shorten a read of a stored output", () =>
  inFolder((projectDir) => {
    const file = { filePath: "/f", content: LONG, numLines: 300, startLine: 1, totalLines: 300 };
    const response = { type: "text", file };
    const read = (file_path: string): unknown =>
      shape(projectDir, { toolName: "Read", input: { file_path }, response });
    assertEquals(read(`${projectDir}/.claude/trimtab/spill/s/toolu_1.txt`), null);
    assert(read(`${projectDir}/a.txt`) !== null);
  }));

Deno.test("isTarget() accepts names and patterns, and matches characters of regular expressions literally", () => {
  assert(isTarget("Bash", ["Read", "Bash"]));
  assert(isTarget("mcp__a__list_b", ["mcp__*__list_*"]));
  for (const name of ["BashOutput", "xBash", "mcp_a"]) {
    assert(!isTarget(name, ["Bash", "mcp__*", "Ba.h"]), name);
  }
});

Deno.test("keepOutput() never overwrites an output, and stores equal outputs once", () =>
  inFolder((projectDir) => {
    const owner = { projectDir, sessionId: SESSION };
    const keep = (text: string): string =>
      fileName(keepOutput(owner, { toolUseId: "toolu_1", text }));
    const [first, second, third] = ["toolu_1.txt", "toolu_1-2.txt", "toolu_1-3.txt"];
    const names = ["a", "b", "a", "b", "c"].map(keep);
    assertEquals(names, [first, second, first, second, third]);
    for (let n = 4; n <= 20; n++) keep(String(n));
    assertThrows(() => keep("x"), RangeError, "already has");
  }));

Deno.test("keepOutput() refuses links and invalid ids", () =>
  inFolder((projectDir) => {
    const elsewhere = `${projectDir}/elsewhere`;
    Deno.mkdirSync(elsewhere);
    Deno.mkdirSync(`${projectDir}/.claude/trimtab`, { recursive: true });
    Deno.symlinkSync(elsewhere, spillFolder(projectDir));
    const owner = { projectDir, sessionId: SESSION };
    assertThrows(() => keepOutput(owner, { toolUseId: "toolu_1", text: "x" }), TypeError, "link");
    assertEquals(namesIn(elsewhere), []);
    const other = { projectDir, sessionId: "../x" };
    assertThrows(() => keepOutput(other, { toolUseId: "toolu_1", text: "x" }), RangeError);
    assertThrows(
      () => keepOutput(owner, { toolUseId: "../x", text: "x" }),
      RangeError,
      "not valid",
    );
    const line = { projectDir: `${projectDir}/a]b`, sessionId: SESSION };
    assertThrows(
      () => keepOutput(line, { toolUseId: "toolu_1", text: "x" }),
      RangeError,
      "not valid",
    );
  }));

Deno.test("pruneOutputs() deletes all outputs of a session once the newest is old", () =>
  inFolder((projectDir) => {
    const [old, used] = SESSIONS;
    const paths = [old, used].flatMap((session) => [
      keepAt(OLD, projectDir, session),
      keepAt(session === used ? NOW : OLD, projectDir, session, "toolu_2"),
    ]);
    const options = { projectDir, retentionDays: 7, nowMs: NOW.getTime() };
    assertEquals(oldOutputs(options).sort(), paths.slice(0, 2).sort());
    assertEquals([pruneOutputs(options), pruneOutputs(options)], [2, 0]);
    assertEquals(paths.map((path) => existsSync(path)), [false, false, true, true]);
    assert(!existsSync(`${spillFolder(projectDir)}/${old}`));
    assert(!isFirstOutput({ projectDir, sessionId: used }));
  }));

Deno.test("oldOutputs() omits outputs of an active session and of its parents", () =>
  inFolder((projectDir) => {
    const [parent, copy] = SESSIONS;
    const paths = SESSIONS.map((session) => keepAt(OLD, projectDir, session));
    createSession({ projectDir, sessionId: copy, parentSessionId: parent, workerId: "w" });
    const options = { projectDir, retentionDays: 7, nowMs: NOW.getTime() };
    assertEquals(oldOutputs(options).sort(), paths);
    const state = `${projectDir}/.claude/trimtab/state/${copy}.json`;
    Deno.mkdirSync(parentPath(state), { recursive: true });
    Deno.writeTextFileSync(state, "{}");
    const limit = new Date(NOW.getTime() - 7 * 24 * 60 * 60 * 1_000);
    Deno.utimeSync(state, limit, limit);
    assertEquals(oldOutputs(options), paths.slice(2));
    Deno.utimeSync(paths[2] ?? "", limit, limit);
    assertEquals(oldOutputs(options), []);
  }));

const RECORD = { time: NOW.toISOString(), session_id: "a", tool: "Bash" };

Deno.test("readLiveStats() adds up the figures of both logs by tool, and skips invalid lines", () =>
  inFolder((projectDir) => {
    assertEquals(readLiveStats(projectDir).since, null);
    logShaped(projectDir, { ...RECORD, before: 1_000, after: 100 });
    const { newest, older } = liveLogPaths(projectDir);
    Deno.renameSync(newest, older);
    logShaped(projectDir, { ...RECORD, tool: "Grep", before: 5_000, after: 100 });
    Deno.writeTextFileSync(newest, `half a li\n{"time":1}\n`, { append: true });
    const { totals, by_tool: tools, sessions } = readLiveStats(projectDir);
    const { outputs, saved_chars: saved, saved_percent: percent } = totals;
    assertEquals([outputs, saved, percent, sessions], [2, 5_800, 97, 1]);
    assertEquals(Object.keys(tools), ["Grep", "Bash"]);
  }));
