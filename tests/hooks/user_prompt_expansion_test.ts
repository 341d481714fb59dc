/** The hook that answers `/trim`. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { answer } from "../../hooks/user_prompt_expansion.ts";
import type { ChildResult } from "../../tools/child.ts";
import { idOf, newPlace, type Place, type RunOptions, sessionOf } from "../scripts/place.ts";
import "../own_config.ts";
import { POSIX } from "../posix.ts";

const HOOK = "hooks/user_prompt_expansion.ts";
const LONG = "a line of an output\n".repeat(2_000);

/** Makes a session in which one output can be cut, and returns the payload for a `/trim` in it. */
function trimPayload(place: Place, args: string): Record<string, unknown> {
  const id = idOf(1);
  const outputs = [["Read", LONG], ...Array(5).fill(["Read", "short"])] as [string, string][];
  return {
    session_id: id,
    transcript_path: place.add(id, sessionOf(outputs, { cwd: place.cwd })),
    cwd: place.cwd,
    prompt_id: "p",
    permission_mode: "default",
    hook_event_name: "UserPromptExpansion",
    expansion_type: "slash_command",
    command_name: "trimtab:trim",
    command_args: args,
    command_source: "plugin",
    prompt: `/trimtab:trim ${args}`,
  };
}

function run(place: Place, payload: unknown, options: RunOptions = {}): Promise<ChildResult> {
  return place.run(HOOK, [], { stdin: JSON.stringify(payload), ...options });
}

async function reason(place: Place, args: string, options?: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await run(place, trimPayload(place, args), options);
  assertEquals({ code, stderr }, { code: 0, stderr: "" });
  const printed = JSON.parse(stdout);
  assertEquals(stdout, `${JSON.stringify(printed)}\n`, "one line of JSON");
  const { reason, ...rest } = printed;
  const hookSpecificOutput = { hookEventName: "UserPromptExpansion", suppressOriginalPrompt: true };
  assertEquals(rest, { decision: "block", hookSpecificOutput });
  return reason;
}

Deno.test("user_prompt_expansion answers /trim with its result", async () => {
  using place = newPlace();
  const text = await reason(place, "");
  assertMatch(
    text,
    /^Trimmed 1 tool outputs \(Read 1\): 50K -> [\d]+K tokens\nResume here with: /,
  );
  assertMatch(text, /\nContext: 50,006 -> [\d,]+ tokens, 30% -> /);
  const [, id] = /\nResume with: claude --resume (\S+)$/m.exec(text) ?? [];
  assertStringIncludes(text, `Resume here with: /resume ${id}\n`);
  const copy = Deno.statSync(`${place.sessions}/${id}.jsonl`);
  if (POSIX) assertEquals((copy.mode ?? 0) & 0o777, 0o600);
});

Deno.test("user_prompt_expansion makes no copy that would free too little, and suggests a better way", async () => {
  using place = newPlace();
  const payload = trimPayload(place, "");
  Deno.removeSync(`${place.sessions}/${idOf(1)}.jsonl`);
  place.add(idOf(1), sessionOf([["Read", LONG]], { cwd: place.cwd }));
  const before = place.files();
  const { stdout } = await run(place, payload);
  const { reason: text } = JSON.parse(stdout);
  assertMatch(text, /^No copy was made: it would free 0 of 50,001 tokens\.\n/);
  assertMatch(
    text,
    /\nThis would help: .*adding --keep-recent 0 frees [\d,]+ tokens of the newest outputs$/,
  );
  assertEquals(place.files(), before);
  const json = JSON.parse(
    JSON.parse((await run(place, { ...payload, command_args: "--json" })).stdout).reason,
  );
  assertEquals([json.output, json.session_id, json.resume_command], [null, null, null]);
  assertEquals(json.instead.newest > 1_000, true);
});

Deno.test("user_prompt_expansion accepts the options of trimtab trim", async (t) => {
  using place = newPlace();
  await t.step("--dry-run", async () => {
    const before = place.files().length;
    const text = await reason(place, "--dry-run --threshold 100");
    assertMatch(text, /^Would trim 1 tool outputs /);
    assertEquals(place.files().length, before + 1, "the session alone");
  });
  await t.step("--json", async () => {
    const json = JSON.parse(await reason(place, "--json --dry-run --tool=Bash"));
    assertEquals([json.trimmed_count, json.parent_session_id], [0, idOf(1)]);
  });
  await t.step("--help", async () => {
    assertStringIncludes(await reason(place, "--help"), "Usage: trimtab trim [SESSION]");
  });
  await t.step("another session", async () => {
    place.add(idOf(2), sessionOf([["Bash", LONG]], { id: idOf(2) }));
    const json = JSON.parse(await reason(place, `22222222 --json --dry-run`));
    assertEquals(json.parent_session_id, idOf(2));
  });
});

Deno.test("user_prompt_expansion answers with the error", async (t) => {
  using place = newPlace();
  const cases: [string, RegExp][] = [
    ["--nope", /^Cannot run trim: unknown option --nope\. Options: /],
    ["--threshold", /^Cannot run trim: --threshold needs a value/],
    ["'open", /^Cannot read the arguments: unterminated '$/],
    ["99999999", /^Cannot find session 99999999: no folder in /],
    ["undo", /^Cannot run trim: undo is not a session; the option is --undo$/],
    ["; touch x", /^Cannot run trim: usage is .*, got ; touch x$/],
  ];
  for (const [args, message] of cases) {
    await t.step(args, async () => assertMatch(await reason(place, args), message));
  }
  await t.step("a missing permission", async () => {
    const text = await reason(place, "", { without: "--allow-write" });
    assertEquals(
      text,
      `Cannot write a copy of the session into ${place.sessions}. ` +
        "trimtab lacks this permission; see docs/reference/permissions.md",
    );
  });
});

Deno.test("user_prompt_expansion reports a session without a transcript", async () => {
  using place = newPlace();
  for (
    const missing of [{ transcript_path: `${place.sessions}/gone.jsonl` }, {
      transcript_path: undefined,
    }]
  ) {
    const { stdout } = await run(place, { ...trimPayload(place, ""), ...missing });
    assertMatch(JSON.parse(stdout).reason, /^Nothing to trim yet: /);
  }
});

Deno.test("user_prompt_expansion leaves every other command alone", async (t) => {
  using place = newPlace();
  for (const name of ["other:trim", "trim", "trimtab:rollover", "TRIMTAB:TRIM", undefined, 7]) {
    await t.step(String(name), async () => {
      const result = await run(place, { ...trimPayload(place, ""), command_name: name });
      assertEquals(result, { code: 0, stdout: "", stderr: "" });
    });
  }
});

Deno.test("user_prompt_expansion answers a skill that is linked in settings by its bare name", async () => {
  using place = newPlace();
  for (const source of ["userSettings", "projectSettings"]) {
    const payload = {
      ...trimPayload(place, "--help"),
      command_name: "trim",
      command_source: source,
    };
    const { stdout } = await run(place, payload);
    assertMatch(JSON.parse(stdout).reason, /^Usage: trimtab trim/m);
  }
  for (const source of ["plugin", "builtin", undefined, 7]) {
    const payload = { ...trimPayload(place, ""), command_name: "trim", command_source: source };
    assertEquals((await run(place, payload)).stdout, "");
  }
});

Deno.test("answer() ignores arguments of a wrong type", async () => {
  using place = newPlace();
  const payload = { ...trimPayload(place, ""), command_args: ["--nope"] };
  const result = Object(await answer({ ...payload, transcript_path: 5 }));
  assertMatch(result.reason, /^Nothing to trim yet: /);
  assertEquals(await answer({}), undefined);
  const wrong = Object(await answer({ ...payload, command_args: "--nope" }));
  assert(String(wrong.reason).startsWith("Cannot run trim: "));
});
