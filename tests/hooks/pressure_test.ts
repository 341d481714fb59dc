/** The hooks that watch the window: UserPromptSubmit and PostToolBatch. */

import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { main as postToolBatch } from "../../hooks/post_tool_batch.ts";
import { main as userPromptSubmit } from "../../hooks/user_prompt_submit.ts";
import { readSessionState } from "../../src/store/state.ts";
import { updateSessionState } from "../../src/store/state_update.ts";
import { rowOf } from "../permissions.ts";
import type { ChildResult } from "../../tools/child.ts";
import { answer, user, writeLines } from "../gauge/transcript.ts";
import { type Bed, depsOf, encode, runHook, SESSION, withBed } from "./bed.ts";
import "../own_config.ts";

const FUZZ = { numRuns: 1_000, seed: 20260320 };
/** Far over what a hook takes, since a test machine may be busy: none of them hangs. */
const HOOK_LIMIT_MS = 60_000;
const HOOKS = 16;
/** The sessions of these tests cost much and hold little. */
const LITTLE = "a trim frees little (/trim 0, /trim --depth deep 0). ";
const WARNED = "Context at 74%. Consider /rollover if response quality feels degraded: " +
  LITTLE + "(123,580 of 167,000 tokens)";
const RECOMMENDED = "Context at 75%. Recommend /rollover soon: " +
  LITTLE + "(125,250 of 167,000 tokens)";

function outputOf(event: string, text: string, isRise = true): string {
  const context = { hookEventName: event, additionalContext: text };
  const message = isRise ? { systemMessage: text } : {};
  return `${JSON.stringify({ ...message, hookSpecificOutput: context })}\n`;
}

Deno.test("the hooks tell the user and the model when the level rises", () =>
  withBed(async (bed) => {
    bed.cost(99_364);
    assertEquals(await bed.run(userPromptSubmit), "");
    bed.cost(123_580);
    assertEquals(await bed.run(userPromptSubmit), outputOf("UserPromptSubmit", WARNED));
    bed.second = 60;
    bed.cost(125_250);
    assertEquals(await bed.run(postToolBatch), outputOf("PostToolBatch", RECOMMENDED));
  }));

Deno.test("the hooks tell only the model when the level stays", () =>
  withBed(async (bed) => {
    bed.cost(123_580);
    assertEquals(await bed.run(postToolBatch), outputOf("PostToolBatch", WARNED));
    const said: string[] = [];
    for (bed.second = 0; bed.second <= 600; bed.second += 20) {
      const printed = await bed.run(bed.second % 40 ? postToolBatch : userPromptSubmit);
      if (printed !== "") said.push(`${bed.second}: ${printed}`);
    }
    assertEquals(said, [`600: ${outputOf("UserPromptSubmit", WARNED, false)}`]);
  }));

Deno.test("the hooks warn with and without a worker's id", async (t) => {
  for (const worker of [undefined, "worker-7"]) {
    await t.step(worker ?? "without", () =>
      withBed(async (bed) => {
        bed.cost(123_580);
        if (worker !== undefined) bed.env["WORK_WORKER_ID"] = worker;
        assertEquals(await bed.run(userPromptSubmit), outputOf("UserPromptSubmit", WARNED));
      }));
  }
});

Deno.test("the hooks go by the window that the status line recorded", () =>
  withBed(async (bed) => {
    bed.cost(123_580);
    const owner = { projectDir: bed.projectDir, sessionId: SESSION };
    updateSessionState(owner, () => ({ window_tokens: 1_000_000 }));
    assertEquals(await bed.run(userPromptSubmit), "");
    bed.cost(600_000);
    const warning = "Context at 61%. Consider /rollover if response quality feels degraded: " +
      LITTLE + "(600,000 of 980,000 tokens)";
    assertEquals(await bed.run(userPromptSubmit), outputOf("UserPromptSubmit", warning));
    assertEquals(readSessionState(owner).window_tokens, 1_000_000);
  }));

Deno.test("the hooks pass over a subagent's calls, which neither warn nor count", () =>
  withBed(async (bed) => {
    bed.cost(123_580);
    for (const agent of ["a25bd4325c3d7a77a", "", 7]) {
      const payload = bed.payload({ agent_id: agent, agent_type: "general-purpose" });
      assertEquals(await bed.run(postToolBatch, payload), "");
    }
    assertEquals([...Deno.readDirSync(bed.projectDir)], [], "nothing was written down");
    const main = bed.payload({ agent_id: null });
    assertEquals(await bed.run(postToolBatch, main), outputOf("PostToolBatch", WARNED));
  }));

Deno.test("the hooks keep sessions apart", () =>
  withBed(async (bed) => {
    bed.cost(123_580);
    const other = bed.payload({ session_id: SESSION.replace("0e", "0f") });
    assertEquals(await bed.run(userPromptSubmit), outputOf("UserPromptSubmit", WARNED));
    assertEquals(await bed.run(userPromptSubmit, other), outputOf("UserPromptSubmit", WARNED));
    assertEquals(await bed.run(userPromptSubmit, other), "");
  }));

Deno.test("the hooks tell once in a session what is wrong with the configuration", () =>
  withBed(async (bed) => {
    bed.cost(100);
    Deno.writeTextFileSync(`${bed.projectDir}/.work.toml`, "[context]\nwarn_threshold = a\n");
    const first = JSON.parse(await bed.run(userPromptSubmit));
    assertEquals(Object.keys(first), ["systemMessage"]);
    assertStringIncludes(first.systemMessage, ".work.toml: expected TOML (line 2: ");
    assertEquals(await bed.run(userPromptSubmit), "");
    assertEquals(await bed.run(postToolBatch), "");
    bed.cost(123_580);
    assertEquals(await bed.run(postToolBatch), outputOf("PostToolBatch", WARNED));
  }));

Deno.test("the hooks tell of a broken configuration and of the window together", () =>
  withBed(async (bed) => {
    bed.cost(123_580);
    Deno.writeTextFileSync(`${bed.projectDir}/.work.toml`, "[context]\nwarn_threshold = a\n");
    const { systemMessage, hookSpecificOutput } = JSON.parse(await bed.run(postToolBatch));
    assert(
      /^trimtab: using defaults, .*\.work\.toml: expected .*\n/.test(systemMessage),
      systemMessage,
    );
    assert(systemMessage.endsWith(`\n${WARNED}`));
    assertEquals(hookSpecificOutput.additionalContext, WARNED);
  }));

Deno.test("the hooks tell of trouble once in a session", () =>
  withBed(async (bed) => {
    const payload = bed.payload({ transcript_path: `${bed.transcript}\0` });
    const first = JSON.parse(await bed.run(userPromptSubmit, payload));
    assertEquals(Object.keys(first), ["systemMessage"]);
    assertStringIncludes(first.systemMessage, "trimtab: cannot watch the context: ");
    assertEquals(await bed.run(userPromptSubmit, payload), "");
    assertEquals(await bed.run(postToolBatch, payload), "");
  }));

Deno.test("the hooks keep quiet where they cannot write that they spoke", () =>
  withBed(async (bed) => {
    bed.cost(123_580);
    Deno.mkdirSync(`${bed.projectDir}/.claude`);
    Deno.writeTextFileSync(`${bed.projectDir}/.claude/trimtab`, "a file has the name");
    assertEquals(await bed.run(userPromptSubmit), "");
    bed.env["CLAUDE_PROJECT_DIR"] = `${bed.root}/gone`;
    assertEquals(await bed.run(userPromptSubmit), "");
    bed.env["CLAUDE_PROJECT_DIR"] = "relative";
    assertEquals(await bed.run(userPromptSubmit), "");
  }));

Deno.test("the hooks find the project by the working folder where nothing names it", () =>
  withBed(async (bed) => {
    bed.cost(123_580);
    delete bed.env["CLAUDE_PROJECT_DIR"];
    const below = `${bed.projectDir}/packages/a`;
    Deno.mkdirSync(below, { recursive: true });
    Deno.mkdirSync(`${bed.projectDir}/.claude/trimtab`, { recursive: true });
    const payload = bed.payload({ cwd: below });
    assertEquals(await bed.run(userPromptSubmit, payload), outputOf("UserPromptSubmit", WARNED));
    const owner = { projectDir: bed.projectDir, sessionId: SESSION };
    assertEquals(readSessionState(owner).level, "warn");
  }));

Deno.test("the hooks wait for the call that the payload names", () =>
  withBed(async (bed) => {
    const early = [answer("a1", null, 1_000), user("u2", "a1", { promptId: "3a628e37" })];
    writeLines(bed.transcript, early);
    const write = (): void => writeLines(bed.transcript, [...early, answer("a2", "u2", 123_580)]);
    const calls = ["toolu_a2", "toolu_b"].map((tool_use_id) => ({
      tool_name: "Bash",
      tool_use_id,
    }));
    const payload = bed.payload({ tool_calls: calls });
    const deps = { ...depsOf(bed), sleep: write };
    assertEquals(await postToolBatch(payload, deps), outputOf("PostToolBatch", WARNED));
  }));

/** What a hook may print: nothing, or one line of well-formed JSON of the known shape. */
function assertProtocol(printed: string): void {
  if (printed === "") return;
  assert(/^[^\n]+\n$/.test(printed) && printed.isWellFormed(), printed);
  const { systemMessage, hookSpecificOutput, ...rest } = JSON.parse(printed);
  assertEquals(rest, {});
  assert(systemMessage === undefined || typeof systemMessage === "string");
  if (hookSpecificOutput === undefined) return;
  assertEquals(Object.keys(hookSpecificOutput), ["hookEventName", "additionalContext"]);
}

Deno.test("the hooks take any payload", () =>
  withBed(async (bed) => {
    bed.cost(123_580);
    const odd = fc.oneof(
      fc.constantFrom<unknown>(null, true, 0, -1, 1e308, "", "\0", "\ud800", "x\n", [], {}, [[]]),
      fc.constantFrom("/", "/dev/null", "..", bed.root, `${bed.root}/none`, "C:\\x", "-", "~"),
      fc.string({ unit: "binary" }),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const fields = ["session_id", "transcript_path", "cwd", "prompt_id", "agent_id", "tool_calls"];
    const names = [
      ...fields,
      "tool_use_id",
      "hook_event_name",
      "__proto__",
      "constructor",
      "prompt",
    ];
    const changes = fc.array(fc.tuple(fc.constantFrom(...names), odd), { maxLength: 4 });
    const dropped = fc.subarray(fields, { maxLength: 2 });
    const calls = fc.array(fc.record({ tool_use_id: odd }, { requiredKeys: [] }), { maxLength: 3 });
    const before = new Set(Deno.readDirSync(Deno.cwd()).map((entry) => entry.name));
    await fc.assert(
      fc.asyncProperty(changes, dropped, calls, async (changed, gone, tool_calls) => {
        const payload = JSON.parse(new TextDecoder().decode(bed.payload({ tool_calls })));
        for (const field of gone) delete payload[field];
        for (const [field, value] of changed) {
          Object.defineProperty(payload, field, { value, enumerable: true, configurable: true });
        }
        bed.second += 1_000;
        for (const main of [userPromptSubmit, postToolBatch]) {
          assertProtocol(await bed.run(main, encode(payload)));
        }
      }),
      FUZZ,
    );
    const after = Deno.readDirSync(Deno.cwd()).map((entry) => entry.name);
    assertEquals([...after].filter((name) => !before.has(name)), [], "nothing was made elsewhere");
    const left = [...Deno.readDirSync(bed.root)].map((entry) => entry.name).sort();
    assertEquals(left, [".claude", "project"]);
  }));

Deno.test("the hooks take any bytes", () =>
  withBed(async (bed) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        assertEquals(await bed.run(userPromptSubmit, bytes), "");
      }),
      FUZZ,
    );
  }));

/** A payload of a size, most of it in one text. */
function large(bed: Bed, bytes: number): Uint8Array {
  const tool_calls = [{ tool_use_id: "toolu_1", tool_response: "x".repeat(bytes) }];
  return bed.payload({ tool_calls, prompt: "p" });
}

Deno.test("the hooks as processes take any input with just their permissions", async (t) => {
  const inputs: Record<string, (bed: Bed) => string | Uint8Array> = {
    "nothing": () => "",
    "no JSON": () => "{",
    "an array": () => "[1,2]",
    "a NUL": () => "\0",
    "invalid UTF-8": () => new Uint8Array([0xff, 0xfe, 0x00]),
    "empty object": () => "{}",
    "half a surrogate pair": () => '{"session_id":"\\ud83d","transcript_path":"\\udc00"}',
    "__proto__": () => '{"__proto__":{"session_id":"x"},"constructor":1}',
    "wrong types": (bed) => bed.payload({ session_id: 1, transcript_path: [], cwd: {} }),
    "no such transcript": (bed) =>
      bed.payload({ transcript_path: `${bed.root}/.claude/none.jsonl` }),
    "a folder as transcript": (bed) => bed.payload({ transcript_path: `${bed.root}/.claude` }),
    "10 MB that are no JSON": () => new Uint8Array(10_000_000).fill(0x7b),
  };
  for (const hook of ["user_prompt_submit", "post_tool_batch"]) {
    for (const [name, input] of Object.entries(inputs)) {
      await t.step(`${hook}: ${name}`, () =>
        withBed(async (bed) => {
          const start = performance.now();
          const result = await runHook(bed, hook, input(bed));
          assertEquals(result, { code: 0, stdout: "", stderr: "" });
          assertLess(performance.now() - start, HOOK_LIMIT_MS);
        }));
    }
  }
});

Deno.test("the hooks as processes warn with just their permissions", async (t) => {
  const events = { user_prompt_submit: "UserPromptSubmit", post_tool_batch: "PostToolBatch" };
  for (const [hook, event] of Object.entries(events)) {
    await t.step(hook, () =>
      withBed(async (bed) => {
        bed.cost(123_580);
        const first = await runHook(bed, hook, large(bed, 10_000_000));
        assertEquals(first, { code: 0, stdout: outputOf(event, WARNED), stderr: "" });
        const second = await runHook(bed, hook, bed.payload());
        assertEquals(second, { code: 0, stdout: "", stderr: "" });
      }));
  }
});

Deno.test("the hooks as processes say so, once, when a permission is missing", () =>
  withBed(async (bed) => {
    bed.cost(123_580);
    const folders = { project: bed.projectDir, config: `${bed.root}/.claude` };
    const flags = rowOf("hooks/user_prompt_submit.ts", folders);
    const run = (wanted: readonly string[]): Promise<ChildResult> =>
      runHook(bed, "user_prompt_submit", bed.payload(), wanted);
    const silent = { code: 0, stdout: "", stderr: "" };
    const readOnly = flags.filter((flag) => !flag.startsWith("--allow-write"));
    assertEquals(await run(readOnly), silent, "it cannot note down that it spoke");
    const reads = `--allow-read=${bed.projectDir}`;
    const blind = [...flags.filter((flag) => !flag.startsWith("--allow-read")), reads];
    const first = await run(blind);
    assertEquals([first.code, first.stderr], [0, ""]);
    assertStringIncludes(JSON.parse(first.stdout).systemMessage, "Requires read access");
    assertEquals(await run(blind), silent);
  }));

Deno.test("the hooks warn once when many run at the same time", () =>
  withBed(async (bed) => {
    bed.cost(123_580);
    const owner = { projectDir: bed.projectDir, sessionId: SESSION };
    updateSessionState(owner, () => ({ window_tokens: 200_000, usage_tokens: 7 }));
    const hooks = Array.from({ length: HOOKS }, (_, index) =>
      runHook(bed, index % 2 ? "user_prompt_submit" : "post_tool_batch", bed.payload()));
    const results = await Promise.all(hooks);
    assertEquals(
      results.filter(({ code, stderr }) =>
        code !== 0 || stderr !== ""
      ),
      [],
    );
    const spoken = results.map(({ stdout }) => stdout).filter((stdout) => stdout !== "");
    assertEquals(spoken.length, 1);
    assertStringIncludes(spoken[0] ?? "", WARNED);
    const state = readSessionState(owner);
    assertEquals([state.window_tokens, state.usage_tokens, state.level], [200_000, 7, "warn"]);
  }));
