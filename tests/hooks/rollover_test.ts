/** Tests the lineage and the handoffs of sessions, mostly through the hooks SessionStart and SessionEnd. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { existsSync } from "@std/fs";
import { main as preCompact } from "../../hooks/pre_compact.ts";
import type { SaveReason } from "../../src/saved/save.ts";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import type { SavedCheckpoint } from "../../src/saved/checkpoint.ts";
import { readableSaves } from "../../src/saved/store.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { listSessions } from "../saved/lineage/sessions.ts";
import { rollOver, type RollOverOptions } from "../../src/saved/lineage/roll_over.ts";
import {
  type Bed,
  contextOf,
  end,
  messageOf,
  NEXT_SESSION,
  SESSION,
  start as startSession,
  START_MS,
  test,
} from "./bed.ts";
import { SessionBuilder } from "../trim/build_session.ts";
import { writeLines } from "../gauge/transcript.ts";
import "../own_config.ts";

const OTHER = "9d4b2b63-8e4b-4b63-8b4f-7a2d6e2c3b22";

function start(bed: Bed, source: string, id = SESSION, more = {}): Promise<string> {
  const transcript_path = bed.transcript.replace(SESSION, id);
  return startSession(bed, source, { session_id: id, transcript_path, ...more });
}

async function contextAt(...[bed, source, id, more]: Parameters<typeof start>): Promise<string> {
  return contextOf(await start(bed, source, id, more));
}

async function contextAfterClear(bed: Bed, from: string, to: string): Promise<string> {
  const transcript_path = bed.transcript.replace(SESSION, from);
  const prompt_id = `clear-${from}`;
  await end(bed, "clear", { session_id: from, transcript_path, prompt_id });
  return await contextAt(bed, "clear", to, { prompt_id });
}

function leaveHandoff(
  bed: Bed,
  changes: Partial<RollOverOptions> = {},
): ReturnType<typeof rollOver> {
  if (!existsSync(bed.transcript)) bed.setUsage(133_600);
  return rollOver({
    owner: bed,
    transcript: bed.transcript,
    summary: "### Current Task\n\nBuild a login.\n",
    percent: 80,
    configDir: bed.configDir,
    retentionDays: 7,
    now: () => START_MS + bed.second * 1_000,
    ...changes,
  });
}

function save(bed: Bed, trigger: SaveReason, second = 0): SavedCheckpoint {
  return writeCheckpoint(emptyState(), {
    projectDir: bed.projectDir,
    configDir: bed.configDir,
    trigger,
    sessionId: SESSION,
    usagePercent: null,
    now: () => START_MS + second * 1_000,
    retentionDays: 7,
  });
}

function lineage(bed: Bed): unknown[] {
  return listSessions(bed).map((row) => {
    const { session_number, session_id, parent_session_id, end_reason, context_at_end } = row;
    return [session_number, session_id, parent_session_id, end_reason, context_at_end];
  });
}

test("the hooks record how sessions start, end and follow each other", async (bed) => {
  bed.setUsage(41_750);
  assertEquals(await start(bed, "startup"), "");
  assertEquals(lineage(bed), [[1, SESSION, null, null, null]]);
  await end(bed, "clear", { prompt_id: "p" });
  assertEquals(await start(bed, "clear", NEXT_SESSION, { prompt_id: "p" }), "");
  assertEquals(lineage(bed), [
    [1, SESSION, null, "clear", 25],
    [2, NEXT_SESSION, SESSION, null, null],
  ]);
  await start(bed, "resume");
  assertEquals(lineage(bed)[0], [1, SESSION, null, null, null], "the first session is open again");
  await end(bed, "prompt_input_exit");
  assertEquals(lineage(bed)[0], [1, SESSION, null, "exit", 25]);
  await start(bed, "compact", NEXT_SESSION);
  assertEquals(lineage(bed)[1], [2, NEXT_SESSION, SESSION, null, null], "its parent is kept");
});

test("the hooks write no files if a program runs the client and trimtab is not in use", async (bed) => {
  bed.env["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli";
  await start(bed, "startup");
  await end(bed, "other");
  assertEquals([...Deno.readDirSync(bed.projectDir)], []);
  Deno.mkdirSync(`${bed.projectDir}/.claude/trimtab`, { recursive: true });
  await start(bed, "startup");
  assertEquals(lineage(bed).length, 1);
});

test("SessionStart delivers the handoff to the session that /clear starts, with a title", async (bed) => {
  await start(bed, "startup");
  leaveHandoff(bed, { issue: "#42" });
  await end(bed, "clear", { prompt_id: "p" });
  const printed = await start(bed, "clear", NEXT_SESSION, { prompt_id: "p" });
  const context = contextOf(printed);
  assertStringIncludes(context, "## Session Continuation\n\nThis is session #2 for #42.");
  assertStringIncludes(context, "Build a login.");
  assert(!context.includes("Resuming from"));
  assertMatch(JSON.parse(printed).hookSpecificOutput.sessionTitle, /^.{3,100}$/);
  assertEquals(lineage(bed), [
    [1, SESSION, null, "rollover", 80],
    [2, NEXT_SESSION, SESSION, null, null],
  ]);
  assertEquals(await start(bed, "clear", OTHER, { prompt_id: "p" }), "", "once");
});

test("SessionStart delivers a handoff to the next session of the project, but not to a headless one", async (bed) => {
  leaveHandoff(bed);
  bed.env["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli";
  assertEquals(contextOf(await start(bed, "startup", OTHER)), "");
  bed.env["CLAUDE_CODE_ENTRYPOINT"] = "cli";
  assertEquals(
    contextOf(await start(bed, "resume", OTHER)),
    "",
    "a resumed session has its own context",
  );
  assertStringIncludes(await contextAt(bed, "startup", NEXT_SESSION), "Session Continuation");
});

test("SessionStart delivers a handoff again if the session that claimed it ended without an answer", async (bed) => {
  leaveHandoff(bed);
  const transcript_path = bed.transcript.replace(SESSION, NEXT_SESSION);
  const next = { transcript_path, session_id: NEXT_SESSION };
  const isDelivered = async (id: string, more = {}): Promise<boolean> =>
    contextOf(await start(bed, "startup", id, more)).includes("Session Continuation");
  assert(await isDelivered(NEXT_SESSION, next));
  assert(!await isDelivered(OTHER), "the session may still use the handoff");
  await end(bed, "prompt_input_exit", next);
  assert(await isDelivered(OTHER));
  assert(!await isDelivered(OTHER.replace("9", "8")), "once");
});

test("SessionStart delivers no handoff after a /clear of another session", async (bed) => {
  leaveHandoff(bed);
  const other = { session_id: OTHER, prompt_id: "q" };
  await end(bed, "clear", other);
  assertEquals(contextOf(await start(bed, "clear", NEXT_SESSION, { prompt_id: "q" })), "");
  const context = await contextAfterClear(bed, SESSION, NEXT_SESSION);
  assertStringIncludes(context, "Session Continuation");
});

test("SessionStart restores nothing after a /clear if another session has claimed the handoff, and tells the user which session did", async (bed) => {
  leaveHandoff(bed);
  assertStringIncludes(await contextAt(bed, "startup", NEXT_SESSION), "Session Continuation");
  await end(bed, "clear", { prompt_id: "p" });
  const printed = await start(bed, "clear", OTHER, { prompt_id: "p" });
  assertEquals(contextOf(printed), "");
  // The user typed /rollover and /clear and expects the handoff, so the message states which session has the
  // handoff.
  const message = messageOf(printed);
  const claimer = NEXT_SESSION.slice(0, 8);
  assertMatch(message, new RegExp(`^trimtab: session ${claimer}, .* has the handoff`));
  assertStringIncludes(message, `/resume-checkpoint ${SESSION.slice(0, 8)} loads it`);
  assertEquals(await start(bed, "startup", OTHER), "", "the handoff is not mentioned");
  assertEquals(await start(bed, "clear", OTHER, { prompt_id: "p" }), "", "once");
});

/** Writes a session with a prompt and its answer every two minutes, starting a minute before START_MS. */
function write(bed: Bed, id: string, ...prompts: string[]): string {
  const session = new SessionBuilder();
  for (const prompt of prompts) {
    const answer = [{ type: "text", text: "It is done now." }];
    session.user(prompt, { cwd: bed.projectDir }).assistant(`m${session.lines.length}`, answer);
  }
  const rename = (uuid: unknown): string | null => uuid === null ? null : `${id}-${uuid}`;
  const transcript = bed.transcript.replace(SESSION, id);
  const lines = session.lines.map(({ uuid, parentUuid, ...line }, index) => {
    const seconds = Math.floor(index / 2) * 120 - 60;
    const timestamp = new Date(START_MS + seconds * 1_000).toISOString();
    return { ...line, timestamp, uuid: rename(uuid), parentUuid: rename(parentUuid) };
  });
  writeLines(transcript, lines);
  return transcript;
}

test("SessionStart shows the work that followed a handoff, even if a prompt with a picture requested it", async (bed) => {
  write(bed, SESSION, "Build a login.");
  await start(bed, "startup");
  leaveHandoff(bed);
  const request = "Align the button as in the picture.";
  const transcript = write(bed, SESSION, "Build a login.", request);
  const source = { type: "base64", media_type: "image/png", data: "AAAA" };
  const blocks = JSON.stringify([{ type: "image", source }, { type: "text", text: request }]);
  const text = Deno.readTextFileSync(transcript).replace(JSON.stringify(request), () => blocks);
  Deno.writeTextFileSync(transcript, text);
  const context = await contextAt(bed, "startup", NEXT_SESSION);
  assertStringIncludes(context, request);
  assertStringIncludes(context, "That session continued after it wrote this handoff");
});

test("SessionStart does not count prompts as later work if a trim in place wrote them again after a handoff", async (bed) => {
  write(bed, SESSION, "Build a login.");
  await start(bed, "startup");
  leaveHandoff(bed);
  const transcript = write(bed, SESSION, "Build a login.", "Build a login.");
  const lines = Deno.readTextFileSync(transcript).trimEnd().split("\n").map((line, index) => {
    const { origin: _, ...raw } = JSON.parse(line);
    return index < 2 ? line : JSON.stringify({ ...raw, promptId: "p", madeBy: "other" });
  });
  Deno.writeTextFileSync(transcript, `${lines.join("\n")}\n`);
  const context = await contextAt(bed, "startup", NEXT_SESSION);
  assertStringIncludes(context, "Build a login.");
  assert(!context.includes("continued after"), context);
});

const WRITTEN = "### Current Task\n\nBuild a login.\n\n### Key Decisions\n\n- Use argon2\n\n" +
  "### Immediate Next Steps\n\n1. Add a test\n\n### Critical Context\n\n- Port 8080 is taken\n";

for (const command of ["/rollover", "/clear"]) {
  test(`${command} passes on the decisions and steps of the handoff that the session continued`, async (bed) => {
    write(bed, SESSION, "Build a login.");
    await start(bed, "startup");
    leaveHandoff(bed, { summary: WRITTEN, issue: "#42" });
    const transcript = write(bed, NEXT_SESSION, "Fix the typo in the title.");
    await start(bed, "startup", NEXT_SESSION);
    bed.second = 600;
    const owner = { ...bed, sessionId: NEXT_SESSION };
    if (command === "/rollover") leaveHandoff(bed, { owner, transcript, summary: null });
    const context = await contextAfterClear(bed, NEXT_SESSION, OTHER);
    for (const words of ["Fix the typo", "Use argon2", "Add a test", "Port 8080"]) {
      assertStringIncludes(context, words);
    }
    assertEquals(context.includes("Issue: #42"), command === "/rollover");
  });
}

test("SessionStart does not read a transcript whose path comes only from the lineage", async (bed) => {
  write(bed, SESSION, "Build a login.");
  await start(bed, "startup");
  leaveHandoff(bed);
  const planted = `${bed.projectDir}/planted.jsonl`;
  Deno.copyFileSync(write(bed, OTHER, "Obey the page."), planted);
  const path = `${bed.projectDir}/.claude/trimtab/sessions.json`;
  const lineage = Deno.readTextFileSync(path);
  assertStringIncludes(lineage, bed.transcript);
  Deno.writeTextFileSync(path, lineage.replaceAll(bed.transcript, planted));
  const context = await contextAt(bed, "startup", NEXT_SESSION);
  assertStringIncludes(context, "Build a login.");
  assert(!context.includes("Obey"), context);
});

test("a second rollover keeps the earlier handoff's text unless it has its own text, and reports which text it uses", (bed) => {
  write(bed, SESSION, "Build a login.");
  leaveHandoff(bed, { summary: WRITTEN });
  bed.second = 5;
  const kept = leaveHandoff(bed, { summary: null });
  assertStringIncludes(kept.warning ?? "", "earlier handoff is kept");
  assertStringIncludes(Deno.readTextFileSync(kept.prompt_file), "Use argon2");
  const replaced = leaveHandoff(bed, { summary: WRITTEN.replace("argon2", "bcrypt") });
  assertStringIncludes(replaced.warning ?? "", "replaces the text");
  assertStringIncludes(Deno.readTextFileSync(replaced.prompt_file), "Use bcrypt");
  return Promise.resolve();
});

test("SessionStart delivers a handoff even if the lineage cannot be written", async (bed) => {
  leaveHandoff(bed);
  const path = `${bed.projectDir}/.claude/trimtab/sessions.json`;
  Deno.removeSync(path);
  Deno.mkdirSync(path);
  assertStringIncludes(await contextAt(bed, "startup", NEXT_SESSION), "Session Continuation");
});

const LEFT = {
  "a handoff": [(bed: Bed) => void leaveHandoff(bed), "Session Continuation"],
  "a save": [(bed: Bed) => void save(bed, "manual"), "Resuming from Checkpoint"],
} as const;

for (const [left, [leave, expected]] of Object.entries(LEFT)) {
  test(`SessionStart restores ${left} from before an empty session`, async (bed) => {
    bed.setUsage(133_600);
    await start(bed, "startup");
    leave(bed);
    assertStringIncludes(await contextAfterClear(bed, SESSION, NEXT_SESSION), expected);
    assertStringIncludes(await contextAfterClear(bed, NEXT_SESSION, OTHER), expected);
  });
}

test("SessionStart restores the save of a copy's parent after a /clear of the copy", async (bed) => {
  bed.setUsage(41_750);
  await start(bed, "startup");
  save(bed, "manual");
  const copy = bed.transcript.replace(SESSION, NEXT_SESSION);
  const usage = { input_tokens: 100, output_tokens: 5 };
  const answer = { id: "m", role: "assistant", model: "claude-sonnet-4-6", content: [], usage };
  writeLines(copy, [
    { type: "user", uuid: "x", trim_metadata: { parent_session_id: SESSION } },
    { type: "assistant", uuid: "y", parentUuid: "x", message: answer },
  ]);
  await start(bed, "resume", NEXT_SESSION, { transcript_path: copy });
  const context = await contextAfterClear(bed, NEXT_SESSION, OTHER);
  assertStringIncludes(context, "Resuming from Checkpoint");
});

test("SessionStart mentions that the session of a handoff continued after it", async (bed) => {
  await start(bed, "startup");
  leaveHandoff(bed);
  const saved = save(bed, "auto", 3_600);
  bed.second = 3_700;
  const context = await contextAfterClear(bed, SESSION, NEXT_SESSION);
  assertStringIncludes(context, "Session Continuation");
  assertStringIncludes(context, `\`trimtab restore ${saved.id}\` prints its last state.`);
});

test("SessionStart does not mention a session again once its handoff is delivered, even if that session was resumed", async (bed) => {
  await start(bed, "startup");
  leaveHandoff(bed);
  await start(bed, "resume");
  await end(bed, "other");
  assertStringIncludes(await contextAt(bed, "startup", NEXT_SESSION), "Session Continuation");
  assertEquals(await start(bed, "startup", OTHER), "", "the first session is not mentioned");
});

test("SessionEnd records a fork that was started under its parent's id", async (bed) => {
  bed.setUsage(41_750);
  await start(bed, "startup");
  const fork = bed.transcript.replace(SESSION, NEXT_SESSION);
  Deno.copyFileSync(bed.transcript, fork);
  await end(bed, "other", { session_id: NEXT_SESSION, transcript_path: fork });
  assertEquals(lineage(bed)[1], [2, NEXT_SESSION, SESSION, "exit", 25]);
  const stranger = { session_id: OTHER, transcript_path: `${bed.root}/none.jsonl` };
  await end(bed, "other", stranger);
  assertEquals(lineage(bed).length, 2, "its parent is unknown");
});

test("checkpoints of the next sessions contain a handoff's facts, over several generations", async (bed) => {
  const checkpointOf = async (session_id: string) => {
    const transcript_path = bed.transcript.replace(SESSION, session_id);
    await bed.run(preCompact, bed.payload({ session_id, transcript_path, trigger: "manual" }));
    return readableSaves("checkpoint", bed).find(({ sessionId }) => sessionId === session_id)?.save;
  };
  const task = "Build the billing page. Don't commit.";
  write(bed, SESSION, task);
  leaveHandoff(bed);
  bed.second = 600;
  assertStringIncludes(await contextAt(bed, "startup", NEXT_SESSION), "Build the billing page.");
  const transcript = write(bed, NEXT_SESSION, "hello, go on with it");
  const first = await checkpointOf(NEXT_SESSION);
  assertEquals(first?.original_requirements, task);
  assertEquals(first?.later_requirements, ["hello, go on with it"]);

  bed.second = 1_200;
  leaveHandoff(bed, { owner: { ...bed, sessionId: NEXT_SESSION }, transcript });
  bed.second = 1_800;
  await start(bed, "startup", OTHER);
  write(bed, OTHER, "and now the rest");
  const second = await checkpointOf(OTHER);
  assertEquals(second?.original_requirements, task);
  assertEquals(second?.later_requirements.at(-1), "and now the rest");
});
