import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { statusLine } from "../../scripts/statusline.ts";
import { readSessionState } from "../../src/store/state.ts";
import { updateSessionState } from "../../src/store/state_update.ts";
import { type ChildResult, cleanEnv, runDeno } from "../../tools/child.ts";
import {
  type Bed,
  depsOf,
  encode,
  SESSION,
  test as bedTest,
  writeInsideRecord,
} from "../hooks/bed.ts";
import { rowOf } from "../permissions.ts";
import { PLUGIN } from "../plugin_copy.ts";

const SCRIPT = `${PLUGIN}/scripts/statusline.ts`;
const LINE = "Sonnet 4.6 ███████░░░ 74% 124k/167k warn";

function test(name: string, run: (bed: Bed) => Promise<void>): void {
  bedTest(name, async (bed) => {
    bed.env["NO_COLOR"] = "1";
    await run(bed);
  });
}

function input(
  { root, projectDir }: Bed,
  window: Record<string, unknown> = {},
  extra: Record<string, unknown> = {},
): Uint8Array {
  return encode({
    session_id: SESSION,
    transcript_path: `${root}/none.jsonl`,
    cwd: `${projectDir}/elsewhere`,
    model: { id: "claude-sonnet-4-6", display_name: "Sonnet 4.6" },
    workspace: { current_dir: `${projectDir}/elsewhere`, project_dir: projectDir },
    context_window: {
      ...{ total_input_tokens: 123_580, context_window_size: 200_000, used_percentage: 74 },
      current_usage: { input_tokens: 123_580 },
      ...window,
    },
    ...extra,
  });
}

async function draw(bed: Bed, stdin: Uint8Array): Promise<string> {
  return (await statusLine(stdin, depsOf(bed))).text;
}

function runScript(bed: Bed, stdin: Uint8Array, args: string[] = []): Promise<ChildResult> {
  const folders = { project: bed.projectDir, config: bed.configDir };
  const flags = rowOf("scripts/statusline.ts", folders);
  const options = { cwd: bed.root, env: cleanEnv(bed.env), clearEnv: true, stdin };
  return runDeno(["run", "--no-prompt", ...flags, SCRIPT, ...args], options);
}

test("statusLine() uses the limit, like the client's display above the prompt", async (bed) => {
  assertEquals(await draw(bed, input(bed)), LINE);
  const odd = input(bed, { used_percentage: 61 });
  assertStringIncludes(await draw(bed, odd), "74% 124k/167k warn");
  const large = input(bed, { context_window_size: 1_000_000, used_percentage: 15 });
  assertStringIncludes(await draw(bed, large), "13% 124k/980k ok");
});

test("statusLine() shows the limit and records the window before the first answer", async (bed) => {
  const stdin = input(bed, { total_input_tokens: 0, current_usage: null, used_percentage: null });
  assertEquals(await draw(bed, stdin), "Sonnet 4.6 –/167k");
  const state = readSessionState(bed);
  assertEquals([state.window_tokens, state.usage_tokens], [200_000, undefined]);
});

test("statusLine() shows the usage after a trim in place while the client reports none", async (bed) => {
  const stdin = input(bed, { total_input_tokens: 0, current_usage: null, used_percentage: null });
  const trims = [{ kind: "trim", at_ms: 1, tokens_before: 150_000, tokens_after: 60_000 }];
  writeInsideRecord(bed, { at_ms: 1, tokens: 60_000, window: 200_000, limit: 167_000 }, trims);
  assertStringIncludes(await draw(bed, stdin), "36% 60k/167k ok");
});

test("statusLine() uses the configured thresholds and window", async (bed) => {
  const file = `${bed.root}/.claude/trimtab.toml`;
  const values = "warn_threshold = 10\nrecommend_threshold = 20\nwindow_tokens = 400000\n";
  Deno.mkdirSync(bed.configDir, { recursive: true });
  Deno.writeTextFileSync(file, `[context]\n${values}`);
  assertEquals(await draw(bed, input(bed)), "Sonnet 4.6 ███░░░░░░░ 34% 124k/367k recommend");
  assertEquals(readSessionState(bed).window_tokens, 200_000, "the client's own value");
});

test("statusLine() records window and usage, once per change", async (bed) => {
  await draw(bed, input(bed));
  const first = readSessionState(bed);
  assertEquals(first, {
    window_tokens: 200_000,
    window_seen_at: "2026-03-01T10:00:00.000Z",
    usage_tokens: 123_580,
  });
  const file = `${bed.projectDir}/.claude/trimtab/state/${SESSION}.json`;
  const { ino } = Deno.statSync(file);
  await draw(bed, input(bed));
  assertEquals(Deno.statSync(file).ino, ino, "unchanged values are not written again");
  updateSessionState(bed, () => ({ level: "warn" }));
  await draw(bed, input(bed, { total_input_tokens: 150_000, used_percentage: 75 }));
  assertEquals(readSessionState(bed), { ...first, usage_tokens: 150_000, level: "warn" });
});

test("statusLine() shows the age of the newest checkpoint", async (bed) => {
  const created = "2026-03-01T09:12:30.000Z";
  updateSessionState(bed, () => ({ last_checkpoint: { id: "x", created } }));
  assertEquals(await draw(bed, input(bed)), `${LINE} · saved 47m ago`);
});

test("statusLine() honors COLUMNS and NO_COLOR", async (bed) => {
  bed.env["COLUMNS"] = "20";
  assertEquals(await draw(bed, input(bed)), "███████░░░ 74% warn");
  bed.env["COLUMNS"] = "wide";
  assertEquals(await draw(bed, input(bed)), LINE);
  delete bed.env["NO_COLOR"];
  const bar = "\x1b[33m███████░░░\x1b[0m";
  const colored = `${bar} \x1b[33m74%\x1b[0m 124k/167k \x1b[33mwarn\x1b[0m`;
  assertEquals(await draw(bed, input(bed)), `Sonnet 4.6 ${colored}`);
});

test("statusLine() returns its line when the state cannot be written", async (bed) => {
  Deno.mkdirSync(`${bed.projectDir}/.claude`);
  Deno.writeTextFileSync(`${bed.projectDir}/.claude/trimtab`, "a file in place of the folder");
  assertEquals(await draw(bed, input(bed)), LINE);
  bed.env["CLAUDE_PROJECT_DIR"] = `${bed.root}/gone`;
  assertEquals(await draw(bed, input(bed)), LINE);
  const names = [...Deno.readDirSync(bed.root)].map((entry) => entry.name).sort();
  assertEquals(names, [".claude", "project"]);
});

test("statusLine() removes terminal sequences", async (bed) => {
  const model = { display_name: "\x1b]0;owned\x07So\x1b[31mnnet\n\r\u202e" };
  const drawn = await draw(bed, input(bed, {}, { model }));
  assert(drawn.startsWith("Sonnet ███"), drawn);
});

test("statusline prints its line with exactly its permissions", async (bed) => {
  assertEquals(await runScript(bed, input(bed)), { code: 0, stdout: `${LINE}\n`, stderr: "" });
  assertEquals(readSessionState(bed).usage_tokens, 123_580);
});

test("statusline prints JSON with --json, even without CLAUDE_PROJECT_DIR", async (bed) => {
  delete bed.env["CLAUDE_PROJECT_DIR"];
  const { code, stdout } = await runScript(bed, input(bed), ["--json"]);
  assertEquals(code, 0);
  assertEquals(JSON.parse(stdout), {
    ...{ session_id: SESSION, model: "Sonnet 4.6", tokens: 123_580, window: 200_000 },
    ...{ limit: 167_000, percent: 74, level: "warn", last_checkpoint: null },
  });
  assertEquals(readSessionState(bed).window_tokens, 200_000);
});

test("statusline prints an empty line for invalid input, and exits 0", async (bed) => {
  const nested = new Uint8Array(1_000_000).fill(0x5b);
  assertEquals(await runScript(bed, nested), { code: 0, stdout: "\n", stderr: "" });
  for (const text of ["", "{", "[]", "{}", "\xff\0"]) {
    assertEquals(await draw(bed, new TextEncoder().encode(text)), "");
  }
});
