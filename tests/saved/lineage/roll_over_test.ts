import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { listCheckpoints } from "../../../src/saved/store.ts";
import { createSession, endSession } from "../../../src/designs/sessions.ts";
import { lineageOf } from "../../../src/saved/lineage/sessions.ts";
import { lineagePath } from "../../../src/saved/lineage/file.ts";
import { rollOver } from "../../../src/saved/lineage/roll_over.ts";
import { claimHandoff, isHandedOver, listHandoffs } from "../../../src/saved/lineage/handoffs.ts";
import type { AtomicFileSystem } from "../../../src/store/atomic.ts";
import {
  after,
  listSessions,
  NOON,
  projectTest as test,
  rollOptions,
  sessionId,
  SUMMARY,
  writeTranscript,
} from "./sessions.ts";
import { namesIn } from "../../folder.ts";

const [A, B] = [sessionId(1), sessionId(2)];

function failingAt(end: string): AtomicFileSystem {
  return {
    openSync: Deno.openSync,
    removeSync: Deno.removeSync,
    renameSync(from, to): void {
      if (to.endsWith(end)) throw new Error(`No space left for ${end}`);
      Deno.renameSync(from, to);
    },
  };
}

test("rollOver() ends the session, numbers the next, saves a checkpoint and writes the prompt", (place) => {
  const { root, projectDir, configDir } = place;
  const transcript = writeTranscript(root, A);
  createSession({ projectDir, sessionId: A, workerId: "7", transcript, now: NOON });
  const done = rollOver(rollOptions(place, { issue: "#42", now: () => after(30).getTime() }));
  const [checkpoint] = listCheckpoints({ projectDir });
  const prompt_file = `${projectDir}/.claude/trimtab/handoffs/${A}.md`;
  assertEquals(done, {
    worker_id: "7",
    session_number: 2,
    parent_session_id: A,
    prompt_file,
    start_command: `claude "$(cat ${prompt_file})"`,
    is_automatic: true,
    checkpoint: checkpoint?.id ?? "",
  });
  assertEquals([checkpoint?.trigger, checkpoint?.session_id], ["manual", A]);
  const [parent, child] = listSessions({ projectDir });
  assertEquals(
    [parent?.end_reason, parent?.context_at_end, parent?.ended_at, parent?.summary],
    ["rollover", 80, after(30).toISOString(), SUMMARY],
  );
  assertEquals([child?.session_id, child?.parent_session_id, child?.session_number], [null, A, 2]);
  const prompt = Deno.readTextFileSync(prompt_file);
  assertStringIncludes(prompt, "This is session #2 for #42.\nPrevious session rolled over at 80%");
  assertStringIncludes(prompt, SUMMARY);
  assertStringIncludes(prompt, `trimtab restore ${done.checkpoint}`);
  const claim = { projectDir, configDir, sessionId: B, nowMs: after(31).getTime(), parent: A };
  assertEquals(claimHandoff(claim)?.summary, "Session 2 of #42: Add a login; the form is done.");
  const started = { sessionId: B, parentSessionId: A, workerId: "x", now: after(31) };
  const next = createSession({ projectDir, ...started });
  assertEquals([next.session_number, next.worker_id], [2, "7"]);
  assertEquals(lineageOf(B, { projectDir }).map((one) => one.session_id), [B, A]);
});

test("rollOver() adds a session that the lineage does not contain yet", (place) => {
  const path = writeTranscript(place.root, A);
  const mode = `{"type":"mode","timestamp":"2026-02-28T09:30:00.000Z"}\n`;
  Deno.writeTextFileSync(path, mode + Deno.readTextFileSync(path));
  const done = rollOver(rollOptions(place));
  assertEquals([done.worker_id, done.session_number], ["main", 2]);
  const sessions = listSessions(place);
  const rows = sessions.map((one) => [one.session_number, one.session_id, one.end_reason]);
  assertEquals(rows, [[1, A, "rollover"], [2, null, null]]);
  const [first] = sessions;
  assertEquals([first?.transcript, first?.started_at], [path, "2026-02-28T09:30:00.000Z"]);
});

test("rollOver() makes the handoff from the work state if no handoff is given", (place) => {
  writeTranscript(place.root, A);
  const done = rollOver(rollOptions(place, { summary: null, percent: null }));
  const prompt = Deno.readTextFileSync(done.prompt_file);
  const now = "### Now\n- Add a login\n- The assistant last said: It is half done.\n";
  assertStringIncludes(prompt, now);
  assertStringIncludes(prompt, "### Where It Stopped\n- User: Add a login\n");
  const [handoff] = listHandoffs(place.projectDir);
  assertEquals(handoff?.summary, "Session 2: Add a login");
  assertEquals(done.warning, undefined);
});

test("rollOver() replaces its own handoff when repeated, and reuses the session number", (place) => {
  const { projectDir } = place;
  for (const id of [A, B]) writeTranscript(place.root, id);
  rollOver(rollOptions(place));
  rollOver(rollOptions(place, { owner: { projectDir, sessionId: B } }));
  const again = rollOver(rollOptions(place, { summary: SUMMARY.replace("8080", "9090") }));
  assertEquals(again.session_number, 2);
  const rows = listSessions(place).map((one) => [one.session_number, one.session_id]);
  assertEquals(rows, [[1, A], [2, null], [3, B], [4, null]]);
  assertStringIncludes(Deno.readTextFileSync(again.prompt_file), "port 9090");
  assertEquals(listHandoffs(projectDir).length, 2);
  assertStringIncludes(listSessions(place)[0]?.summary ?? "", "9090");
});

test("rollOver() warns about a handoff that lacks sections, but accepts it", (place) => {
  writeTranscript(place.root, A);
  const done = rollOver(rollOptions(place, { summary: "Just go on.\n## Lineage" }));
  assertStringIncludes(done.warning ?? "", "The handoff lacks sections Current Task, ");
  assertStringIncludes(Deno.readTextFileSync(done.prompt_file), "Just go on.\n#### Lineage\n");
});

test("rollOver() writes nothing when its input is invalid", (place) => {
  const { projectDir, root } = place;
  writeTranscript(root, A);
  const assertRefused = (changes: Parameters<typeof rollOptions>[1], words: string): void => {
    assertThrows(() => rollOver(rollOptions(place, changes)), Error, words);
  };
  assertRefused({ summary: " \n" }, "Cannot roll over: The handoff is empty");
  assertRefused({ summary: "x".repeat(20_001) }, "expected at most 20000");
  assertRefused({ owner: { projectDir, sessionId: "x" } }, "is not the id of a session");
  assertRefused({ owner: { projectDir, sessionId: B } }, "No such file");
  assertRefused({ transcript: root }, "is not a regular file");
  assertEquals(namesIn(projectDir), []);
  assertRefused({ owner: { projectDir: `${root}/gone`, sessionId: A } }, "No such file");
  Deno.writeTextFileSync(`${projectDir}/.claude`, "a file");
  assertRefused({}, "Not a directory");
  assertEquals(Deno.readTextFileSync(`${projectDir}/.claude`), "a file");
});

test("rollOver() announces nothing when a file cannot be written", (place) => {
  const { projectDir } = place;
  writeTranscript(place.root, A);
  createSession({ projectDir, sessionId: A, now: NOON });
  const before = Deno.readTextFileSync(lineagePath(projectDir));
  for (const end of [".md", ".json", "sessions.json"]) {
    const options = rollOptions(place, { fs: failingAt(end) });
    assertThrows(() => rollOver(options), Error, `No space left for ${end}`);
    assertEquals(Deno.readTextFileSync(lineagePath(projectDir)), before);
    assertEquals(listHandoffs(projectDir), []);
    assertEquals(isHandedOver(A, NOON.getTime(), projectDir), false);
  }
  rollOver(rollOptions(place));
  const options = rollOptions(place, { summary: "newer", fs: failingAt("sessions.json") });
  assertThrows(() => rollOver(options));
  assertEquals(listHandoffs(projectDir).length, 1);
});

test("isHandedOver() is true for saves until two minutes after the handoff, even if the session continues", (place) => {
  const { projectDir } = place;
  writeTranscript(place.root, A);
  rollOver(rollOptions(place));
  const noonMs = NOON.getTime();
  const turnEnd = noonMs + 2 * 60_000;
  const handedOver = (id: string): boolean[] =>
    [noonMs - 60_000, turnEnd, turnEnd + 1].map((time) => isHandedOver(id, time, projectDir));
  assertEquals(handedOver(A), [true, true, false]);
  assertEquals(handedOver(B), [false, false, false]);
  createSession({ projectDir, sessionId: A });
  endSession({ projectDir, sessionId: A, reason: "exit" });
  assertEquals(handedOver(A), [true, true, false]);
});
