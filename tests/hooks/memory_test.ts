/**
 * The hooks that save a session and restore it: PreCompact, SessionStart, SessionEnd and Stop, and
 * UserPromptExpansion for `/fresh-start`.
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { main as preCompact } from "../../hooks/pre_compact.ts";
import { main as stop } from "../../hooks/stop.ts";
import { main as expansion } from "../../hooks/user_prompt_expansion.ts";
import { COMPACT_INSTRUCTIONS } from "../../src/saved/views/summariser.ts";
import { readIndex } from "../../src/saved/project_index.ts";
import { listCheckpoints, listSaves } from "../../src/saved/store.ts";
import { updateSessionState } from "../../src/store/state_update.ts";
import { readSessionState } from "../../src/store/state.ts";
import {
  type Bed,
  configure,
  contextOf,
  depsOf,
  encode,
  end,
  messageOf,
  NEXT_SESSION,
  runHook,
  SESSION,
  start,
  START_MS,
  test,
  writeInsideRecord,
} from "./bed.ts";
import "../own_config.ts";
import { writeLines } from "../gauge/transcript.ts";

function work(
  bed: Bed,
  tokens = 83_500,
  task = "Build a login.",
  model = "claude-sonnet-4-6",
): void {
  const input = { file_path: `${bed.projectDir}/login.ts`, content: "export const a = 1;\n" };
  const messages = [
    ["u1", "user", task],
    ["a1", "assistant", [{ type: "tool_use", id: "t1", name: "Write", input }]],
    ["r1", "user", [{ type: "tool_result", tool_use_id: "t1", content: "File created" }]],
    ["a2", "assistant", [{ type: "text", text: "Next steps:\n- hash the passwords." }]],
  ] as const;
  const usage = { input_tokens: tokens };
  const lines = messages.map(([uuid, type, content], index) => {
    const message = { id: `m-${uuid}`, role: type, content, model, usage };
    const parentUuid = messages[index - 1]?.[0] ?? null;
    return { type, uuid, parentUuid, sessionId: SESSION, message };
  });
  writeLines(bed.transcript, lines);
}

async function stopAt(bed: Bed, tokens: number, task?: string): Promise<string> {
  work(bed, tokens, task);
  return await bed.run(stop);
}

const NEXT = { session_id: NEXT_SESSION, prompt_id: "the-clear" };

async function saveWork(bed: Bed): Promise<void> {
  work(bed);
  await bed.run(preCompact);
}

test("PreCompact records the usage as the limit, unless a long prompt or a long pause may have led to the compaction", async (bed) => {
  const compact = async (tokens: number, idleMs: number, model?: string): Promise<unknown> => {
    work(bed, tokens, "Build a login.", model);
    Deno.utimeSync(bed.transcript, new Date(START_MS), new Date(START_MS - idleMs));
    await bed.run(preCompact, bed.payload({ trigger: "auto" }));
    return readSessionState(bed).auto_compacted_at;
  };
  assertEquals(await compact(16_700, 0), undefined);
  assertEquals(await compact(83_500, 54 * 60_000), undefined);
  assertEquals(await compact(83_500, 60_000), 83_500);
  // The client may use the standard window for a model that has a larger one.
  assertEquals(await compact(150_000, 0, "claude-sonnet-5"), 150_000);
});

test("PreCompact blocks the compaction after a failed trim in place, but not one whose instructions only mention trimtab", async (bed) => {
  work(bed);
  const compact = (custom_instructions: string): Promise<string> =>
    bed.run(preCompact, bed.payload({ trigger: "manual", custom_instructions }));
  for (const typed of ["trimtab", "trimtab --undo", " trimtab --keep-recent 0 "]) {
    const { decision, reason } = JSON.parse(await compact(typed));
    assertEquals(decision, "block", typed);
    assertStringIncludes(reason, "nothing was compacted");
  }
  assertEquals(readSessionState(bed).last_checkpoint, undefined);
  for (const typed of ["", "trimtab is what we talk about", "keep what trimtab --undo did"]) {
    assert((await compact(typed)).startsWith("Keep in the summary"), typed);
  }
});

test("PreCompact saves a verified and indexed checkpoint, and asks the summarizer to keep facts", async (bed) => {
  work(bed);
  writeInsideRecord(bed, { tokens: 83_500, window: 400_000, limit: 334_000 });
  const printed = await bed.run(preCompact, bed.payload({ trigger: "auto" }));
  assertStringIncludes(printed, "Keep these facts");
  assertStringIncludes(printed, "Build a login.");
  assertStringIncludes(printed, "- [ ] hash the passwords.");
  const [checkpoint, ...others] = listCheckpoints(bed);
  assertEquals(others, []);
  assert(checkpoint !== undefined);
  const { id, trigger, verified, session_id, summary } = checkpoint;
  assertEquals([id, trigger, verified, session_id], ["2026-03-01-100000", "auto", true, SESSION]);
  assertEquals(summary, "Build a login. - 1 file modified");
  assertEquals(readIndex(bed.configDir).checkpoints.map((row) => row.id), [id]);
  assertEquals(readSessionState(bed).last_checkpoint?.id, id);
  const text = Deno.readTextFileSync(checkpoint.path);
  assertStringIncludes(text, "\nusage_percent: 25\n", "of the window that the module recorded");
});

test("PreCompact after /compact prints one short line, which the client shows", async (bed) => {
  work(bed);
  const printed = await bed.run(preCompact, bed.payload({ trigger: "manual" }));
  assertEquals(printed, COMPACT_INSTRUCTIONS);
  assert(printed.length < 160, "it must fit into two rows of a terminal");
  assertEquals(listCheckpoints(bed).length, 1);
});

test("PreCompact saves at most once a minute, unless the transcript has grown or the checkpoint is gone", async (bed) => {
  work(bed);
  const first = await bed.run(preCompact);
  bed.second = 59;
  assertEquals(await bed.run(preCompact), first);
  assertEquals(listCheckpoints(bed).length, 1);
  bed.second = 60;
  await bed.run(preCompact);
  assertEquals(listCheckpoints(bed).length, 2);
  bed.second = 100;
  work(bed, 83_500, "Build a login and a logout.");
  await bed.run(preCompact);
  assertEquals(listCheckpoints(bed).length, 3);
  Deno.removeSync(`${bed.projectDir}/.claude/checkpoints/2026-03-01-100140.md`);
  await bed.run(preCompact);
  assertEquals(listCheckpoints(bed).length, 4);
});

test("PreCompact saves the content of an earlier checkpoint when the transcript cannot be read", async (bed) => {
  await saveWork(bed);
  Deno.removeSync(bed.transcript);
  bed.second = 120;
  const printed = await bed.run(preCompact);
  assertStringIncludes(printed, "Build a login.");
  const [newest] = listCheckpoints(bed);
  assert(newest !== undefined);
  assertEquals(newest.id, "2026-03-01-100200");
  assertMatch(Deno.readTextFileSync(newest.path), /^partial: "the transcript could not be read/m);
});

test("PreCompact prints generic instructions if it cannot read the work state because `.claude` is a link", async (bed) => {
  work(bed);
  Deno.symlinkSync(bed.root, `${bed.projectDir}/.claude`);
  assertMatch(await bed.run(preCompact), /^Keep in the summary: .+\n\(trimtab could not .+ link/);
});

test("SessionStart after a compaction restores the checkpoint, with identical output each time", async (bed) => {
  await saveWork(bed);
  const printed = await start(bed, "compact");
  const context = contextOf(printed);
  assertStringIncludes(context, "## Resuming from Checkpoint\n\nCheckpoint 2026-03-01-100000");
  assertStringIncludes(context, '<trimtab-data source="checkpoint 2026-03-01-100000">');
  assertStringIncludes(context, "Build a login.");
  assertStringIncludes(context, "### Immediate Next Steps\n- [ ] hash the passwords.");
  assertStringIncludes(context, "besides what the summary says");
  bed.second = 5_000;
  assertEquals(await start(bed, "compact"), printed);
  await end(bed, "clear");
  const cleared = contextOf(await start(bed, "clear", { session_id: NEXT_SESSION }));
  assertStringIncludes(cleared, "## Resuming from Checkpoint");
  assert(!cleared.includes("besides what the summary says"), cleared);
});

test("SessionStart explains trimtab only once, and only to people", async (bed) => {
  Deno.removeSync(`${bed.configDir}/trimtab`, { recursive: true });
  bed.env.CLAUDE_CODE_ENTRYPOINT = "sdk-cli";
  assertEquals(await start(bed, "startup"), "");
  bed.env.CLAUDE_CODE_ENTRYPOINT = "cli";
  assertEquals(await start(bed, "resume"), "");
  assertMatch(
    messageOf(await start(bed, "startup")),
    /^trimtab is active: .*\/trim.*trimtab doctor$/,
  );
  assertEquals(await start(bed, "startup"), "");
});

test("SessionStart reports once, and only to people, that a project's settings have no effect until they are trusted", async (bed) => {
  const file = `${bed.projectDir}/.claude/trimtab.toml`;
  Deno.mkdirSync(`${bed.projectDir}/.claude`);
  Deno.writeTextFileSync(file, "[live]\nenabled = true\n");
  bed.env.CLAUDE_CODE_ENTRYPOINT = "sdk-cli";
  assertEquals(await start(bed, "startup"), "");
  bed.env.CLAUDE_CODE_ENTRYPOINT = "cli";
  assertEquals(
    messageOf(await start(bed, "startup")),
    "trimtab: these settings have no effect until you accept them with !trimtab trust: " +
      `live.enabled in ${file}`,
  );
  assertEquals(await start(bed, "startup"), "");
  Deno.writeTextFileSync(file, "[live]\nenabled = true\nmax_chars = 900\n");
  assertStringIncludes(messageOf(await start(bed, "startup")), "live.enabled, live.max_chars");
  configure(bed, "[context]\nwarn_threshold = 1");
  assertEquals(await start(bed, "startup"), "", "trusted");
});

test("SessionStart restores the previous session's save after a /clear", async (bed) => {
  await saveWork(bed);
  bed.second = 300;
  assertEquals(await end(bed, "clear", { prompt_id: "the-clear" }), "");
  const other = { ...NEXT, prompt_id: "another-clear" };
  assertEquals(await start(bed, "clear", other), "", "a different /clear ended the other session");
  const printed = await start(bed, "clear", NEXT);
  assertStringIncludes(contextOf(printed), "Build a login.");
  assertEquals(
    messageOf(printed),
    "trimtab: loaded checkpoint 2026-03-01-100000, saved 5m ago (Build a login. - 1 file " +
      "modified). To start without it, restart Claude Code; to stop loading at clear, set " +
      "restore_on in trimtab.toml",
  );
  assertEquals(await start(bed, "clear", NEXT), "", "once");
});

function askForPort(bed: Bed): void {
  const message = { role: "user", content: "Change the port to 9090." };
  const later = {
    ...{ type: "user", uuid: "u2", parentUuid: "a2", sessionId: SESSION, message },
    timestamp: "2026-03-01T10:04:00.000Z",
  };
  Deno.writeTextFileSync(bed.transcript, `${JSON.stringify(later)}\n`, { append: true });
}

test("SessionStart after /clear includes the requests made after the newest save", async (bed) => {
  await saveWork(bed);
  askForPort(bed);
  bed.second = 300;
  await end(bed, "clear", { prompt_id: "the-clear" });
  const context = contextOf(await start(bed, "clear", NEXT));
  assertStringIncludes(context, "### Now\n- Change the port to 9090.");
  assertStringIncludes(context, "login.ts");
});

test("SessionStart saves nothing after a /clear if restore_on leaves it out", async (bed) => {
  configure(bed, '[context]\nrestore_on = ["compact"]');
  await saveWork(bed);
  askForPort(bed);
  bed.second = 300;
  await end(bed, "clear", { prompt_id: "the-clear" });
  assertEquals(contextOf(await start(bed, "clear", NEXT)), "");
  const saves = Array.from(
    Deno.readDirSync(`${bed.projectDir}/.claude/checkpoints`),
    (one) => one.name,
  );
  assertEquals(saves.filter((name) => name.endsWith(".json")), ["2026-03-01-100000.json"]);
});

test("SessionStart identifies the cleared session by the client's process id if the payload has no prompt id", async (bed) => {
  await saveWork(bed);
  bed.env.CLAUDE_PID = "29103";
  await end(bed, "clear", { prompt_id: "the-clear" });
  const next = { session_id: NEXT_SESSION, prompt_id: undefined };
  bed.env.CLAUDE_PID = "29171";
  assertEquals(await start(bed, "clear", next), "", "another client ended that session");
  bed.env.CLAUDE_PID = "29103";
  assertStringIncludes(contextOf(await start(bed, "clear", next)), "Build a login.");
});

test("SessionEnd prepares a restore only if a /clear ended the session", async (bed) => {
  await saveWork(bed);
  for (const reason of ["other", "logout", "prompt_input_exit", 7]) {
    await end(bed, reason, { prompt_id: "p" });
  }
  assertEquals(await start(bed, "clear", { session_id: NEXT_SESSION, prompt_id: "p" }), "");
});

test("SessionStart mentions a checkpoint to people, but not to programs", async (bed) => {
  await saveWork(bed);
  const other = { session_id: NEXT_SESSION, transcript_path: `${bed.root}/none.jsonl` };
  const printed = await start(bed, "startup", other);
  assertEquals(contextOf(printed), "");
  assertEquals(
    messageOf(printed),
    "trimtab: this project has checkpoint 2026-03-01-100000 (Build a login. - 1 file modified): " +
      "/resume-checkpoint loads it",
  );
  bed.env["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli";
  assertEquals(await start(bed, "startup", other), "");
});

test("SessionStart restores a save at startup, up to a day later, if restore_on lists startup", async (bed) => {
  configure(bed, '[context]\nrestore_on = ["compact", "clear", "startup", "resume", "fork"]');
  await saveWork(bed);
  const other = { session_id: NEXT_SESSION, transcript_path: `${bed.root}/none.jsonl` };
  bed.second = 3_600;
  const continued = (): unknown => readSessionState({ ...bed, sessionId: NEXT_SESSION }).continues;
  assertEquals(continued(), undefined);
  assertStringIncludes(contextOf(await start(bed, "startup", other)), "Build a login.");
  assertEquals(continued(), SESSION, "the new session continues the saved one");
  bed.second = 25 * 3_600;
  assertEquals(await start(bed, "startup", other), "");
});

test("SessionStart does not restore a session's own save, or the parent's save in a fork or a trimmed copy, and explains how to read cut results", async (bed) => {
  configure(bed, '[context]\nrestore_on = ["resume", "fork"]');
  await saveWork(bed);
  assertEquals(await start(bed, "resume"), "", "its own");
  const copy = bed.transcript.replace(SESSION, NEXT_SESSION);
  Deno.copyFileSync(bed.transcript, copy);
  const other = { session_id: NEXT_SESSION, transcript_path: copy };
  assertEquals(await start(bed, "fork", other), "", "a fork has the same entries");
  const trim_metadata = { parent_session_id: SESSION, trimmed_count: 3 };
  Deno.writeTextFileSync(copy, JSON.stringify({ type: "user", uuid: "x", trim_metadata }) + "\n");
  const resumeText = contextOf(await start(bed, "resume", other));
  assert(!resumeText.includes("Build a login"), resumeText);
  assertStringIncludes(resumeText, `\`trimtab show ${SESSION.slice(0, 8)}:N\` prints it in full.`);
  Deno.writeTextFileSync(copy, JSON.stringify({ type: "user", uuid: "x" }) + "\n");
  assertStringIncludes(contextOf(await start(bed, "resume", other)), "Build a login.");
});

test("Stop at a raised level records how much a trim would free, and does so again once usage has grown by a tenth", async (bed) => {
  const freed = () => readSessionState(bed).freed;
  await stopAt(bed, 90_000);
  assertEquals(freed(), undefined, "at the level ok, the estimate is not computed");
  await stopAt(bed, 110_000);
  assertEquals(freed()?.at_tokens, 110_000);
  await stopAt(bed, 120_000);
  assertEquals(freed()?.at_tokens, 110_000);
  await stopAt(bed, 121_001);
  assertEquals(freed()?.at_tokens, 121_001);
});

test("SessionStart on resume tells the user once that a trim costs nothing, if the cache is cold and a trim frees a fifth", async (bed) => {
  const amounts = { at_tokens: 100_000, light: 12_000, deep: 30_000, rollover: 80_000 };
  const freed = { ...amounts, bytes: 1, cache_ttl_seconds: null, newest_at: null };
  const cold = {
    prompt_cache_likely_expired: true,
    context_tokens: 104_000,
    estimated_cache_write_usd: 0.652,
  };
  assertEquals(await start(bed, "resume", cold), "", "nothing is recorded");
  updateSessionState(bed, () => ({ freed: { ...freed, deep: 19_999 } }));
  assertEquals(await start(bed, "resume", cold), "", "less than a fifth");
  updateSessionState(bed, () => ({ freed }));
  const warm = { ...cold, prompt_cache_likely_expired: false };
  assertEquals(await start(bed, "resume", warm), "");
  assertEquals(await start(bed, "resume", { ...cold, agent_id: "a1" }), "", "a subagent");
  assertEquals(JSON.parse(await start(bed, "resume", cold)), {
    systemMessage: "trimtab: the prompt cache has likely expired, so the next request writes " +
      "104,000 tokens again, about $0.65. Running /trim --depth deep first would free about " +
      "30,000 of them, and costs nothing now.",
  });
  assertEquals(await start(bed, "resume", cold), "", "once");
});

test("SessionStart on resume leaves out the price of a cold cache if the client reports none", async (bed) => {
  const freed = { at_tokens: 100_000, light: 30_000, deep: 30_000, rollover: 80_000 };
  const more = { bytes: 1, cache_ttl_seconds: null, newest_at: null };
  for (const estimated_cache_write_usd of [undefined, 0, "0.65"]) {
    updateSessionState(bed, () => ({ freed: { ...freed, ...more }, notices: null }));
    const cold = { prompt_cache_likely_expired: true, context_tokens: 100_000 };
    const text = await start(bed, "resume", { ...cold, estimated_cache_write_usd });
    assertStringIncludes(text, "writes 100,000 tokens again. Running /trim first");
  }
});

test("Stop saves a snapshot when the window fills up, and no second one before a compaction", async (bed) => {
  assertEquals(await stopAt(bed, 131_930), "");
  work(bed, 133_600);
  assertEquals(await bed.run(stop, bed.payload({ agent_id: "a1" })), "", "a subagent");
  const printed = await bed.run(stop);
  assertEquals(JSON.parse(printed), {
    // Does not warn about the window, because the hook of the next prompt does.
    systemMessage: "trimtab: a snapshot of the work is saved.",
  });
  assertEquals(await stopAt(bed, 141_950), "", "once");
  const [snapshot, ...others] = listSaves("snapshot", bed);
  assertEquals(others, []);
  assertEquals([snapshot?.problem, snapshot?.sessionId], [null, SESSION]);
  await start(bed, "resume");
  assertEquals(readSessionState(bed).auto_snapshot?.path, snapshot?.path);
  await start(bed, "compact");
  assertEquals(readSessionState(bed).auto_snapshot, undefined);
  bed.second = 60;
  assert(await bed.run(stop) !== "");
  assertEquals(listSaves("snapshot", bed).length, 2);
  const events = Deno.readTextFileSync(`${bed.projectDir}/.claude/trimtab/events.jsonl`);
  const types = events.trimEnd().split("\n").map((line) => JSON.parse(line).type);
  assertEquals(types, ["auto_compaction_complete", "auto_compaction_complete"]);
});

test("PreCompact and SessionStart ignore a subagent's compaction", async (bed) => {
  work(bed);
  const worked = Deno.readTextFileSync(bed.transcript);
  const line = (uuid: string, type: string, ...content: unknown[]): string =>
    JSON.stringify({
      ...{ type, uuid, parentUuid: "a2", sessionId: SESSION },
      message: { id: "m-a3", role: type, content, usage: { input_tokens: 83_500 } },
    });
  const call = (id: string, name: string): unknown => ({ type: "tool_use", id, name, input: {} });
  const result = (id: string): unknown => ({ type: "tool_result", tool_use_id: id, content: "x" });
  const endWith = (...lines: string[]): void =>
    Deno.writeTextFileSync(bed.transcript, `${worked}${lines.join("\n")}\n`);
  const compact = async (more: Record<string, unknown> = {}): Promise<string> => {
    const words = await bed.run(preCompact, bed.payload({ trigger: "auto", ...more }));
    return words + await start(bed, "compact", more);
  };
  assertEquals(await compact({ agent_id: "a1", agent_type: "general-purpose" }), "");
  endWith(line("a3", "assistant", call("t2", "Agent")));
  assertEquals(await compact(), "", "Claude Code 2.1.197 sends no agent_id");
  endWith(
    line("a3", "assistant", call("t2", "Task")),
    line("a4", "assistant", call("t3", "Read")),
    line("r3", "user", result("t3")),
  );
  assertEquals(await compact(), "", "another call of the message has its result");
  const { auto_compacted_at, last_checkpoint } = readSessionState(bed);
  assertEquals([auto_compacted_at, last_checkpoint], [undefined, undefined]);
  endWith(line("a3", "assistant", call("t2", "Agent")), line("r2", "user", result("t2")));
  const words = await compact();
  assertStringIncludes(words, "Keep these facts");
  assertStringIncludes(words, "## Resuming from Checkpoint");
  endWith(line("a3", "assistant", call("t4", "Agent")));
  assertEquals(await start(bed, "compact"), "", "the session's checkpoint is not for its subagent");
});

const KINDS = [["checkpoint", "checkpoints"], ["snapshot", "runtime/context-snapshots"]] as const;
for (const [kind, folder] of KINDS) {
  test(`Stop reports once that it cannot save a ${kind}, and tries again at the next turn`, async (bed) => {
    work(bed, 141_950);
    const path = `${bed.projectDir}/.claude/${folder}`;
    Deno.mkdirSync(path.replace(/\/[^/]*$/, ""), { recursive: true });
    Deno.writeTextFileSync(path, "a file");
    assertMatch(messageOf(await bed.run(stop)), /^trimtab: could not save the work: /);
    assertEquals(await bed.run(stop), "");
    Deno.removeSync(path);
    await bed.run(stop);
    assertEquals(listSaves(kind, bed).length, 1);
  });
}

test("/fresh-start loads the requested snapshot or the newest, and reports that it cannot find one", async (bed) => {
  const load = (command_args: string): Promise<string> =>
    expansion(
      encode({ command_name: "trimtab:fresh-start", command_args, cwd: bed.projectDir }),
      depsOf(bed),
    );
  assertStringIncludes(contextOf(await load("")), "# No context snapshot available");
  await stopAt(bed, 141_950, "Build a login.");
  await start(bed, "compact");
  bed.second = 60;
  await stopAt(bed, 141_950, "Build a logout.");
  assertStringIncludes(contextOf(await load("")), "Build a logout.");
  assertStringIncludes(contextOf(await load("latest")), "Build a logout.");
  assertStringIncludes(contextOf(await load("20260301_100000")), "Build a login.");
  assertStringIncludes(contextOf(await load('"')), "trimtab could not load the snapshot.");
  const named = contextOf(await load("my login"));
  assertStringIncludes(named, 'Cannot find snapshot "my login"');
  assertMatch(
    contextOf(await load("20990101_000000")),
    /^trimtab could not load the snapshot\. Cannot find snapshot "20990101_000000": .* `trimtab list` /,
  );
});

test("the hooks run with exactly their permissions", async (bed) => {
  work(bed, 141_950);
  const run = async (hook: string, more: Record<string, unknown>): Promise<string> => {
    const { code, stdout, stderr } = await runHook(bed, hook, bed.payload(more));
    assertEquals([hook, code, stderr], [hook, 0, ""]);
    return stdout;
  };
  assertStringIncludes(await run("pre_compact", { trigger: "auto" }), "Keep these facts");
  assertEquals(listCheckpoints(bed).length, 1);
  assertStringIncludes(contextOf(await run("session_start", { source: "compact" })), "login");
  assertStringIncludes(messageOf(await run("stop", {})), "a snapshot of the work is saved");
  assertEquals(await run("session_end", { reason: "clear" }), "");
  const next = { source: "clear", session_id: NEXT_SESSION };
  assertStringIncludes(contextOf(await run("session_start", next)), "## Resuming from Snapshot");
});

test("Stop saves one checkpoint when usage passes the threshold", async (bed) => {
  assertEquals(await stopAt(bed, 98_530), "");
  assertEquals(listCheckpoints(bed).length, 0);
  assertEquals(await stopAt(bed, 100_200), "", "Stop prints nothing");
  assertEquals(listCheckpoints(bed).map(({ trigger, verified }) => [trigger, verified]), [
    ["watcher", true],
  ]);
  bed.second = 120;
  await stopAt(bed, 108_550, "Build a logout.");
  assertEquals(listCheckpoints(bed).length, 1);
});

test("Stop saves a checkpoint after half an hour of work", async (bed) => {
  Deno.mkdirSync(`${bed.projectDir}/.claude/trimtab`, { recursive: true });
  for (let minute = 0; minute <= 28; minute += 4) {
    bed.second = minute * 60;
    await stopAt(bed, 16_700 + minute);
  }
  assertEquals(listCheckpoints(bed).length, 0);
  bed.second = 32 * 60;
  await stopAt(bed, 25_050);
  assertEquals(listCheckpoints(bed).length, 1);
});

test("SessionStart restores the newest compaction's checkpoint, even if the clock was set back", async (bed) => {
  bed.second = 7_200;
  work(bed, 83_500, "Build a login.");
  await bed.run(preCompact);
  bed.second = 0;
  work(bed, 83_500, "Build a login and a logout, please.");
  await bed.run(preCompact);
  assertStringIncludes(contextOf(await start(bed, "compact")), "and a logout");
});
