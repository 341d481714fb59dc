import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  ContextManagementOrchestrator,
  contextManagementSkill,
  type SnapshotResult,
} from "../../src/designs/orchestrator.ts";
import { ContextRehydrator } from "../../src/designs/context_rehydrator.ts";
import { saveFolder } from "../../src/saved/store.ts";
import { updateSessionState } from "../../src/store/state_update.ts";
import { answer, boundary, type Line, user, writeLines } from "../gauge/transcript.ts";
import { NOW } from "../saved/snapshots.ts";
import "../own_config.ts";
import { inFolder } from "../folder.ts";

const CONVERSATION = [
  { role: "user", content: "Add JWT authentication" },
  { role: "assistant", content: "It is added." },
];
const SESSION = "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10";

function writeSession(projectDir: string, lines: readonly Line[]): string {
  const path = `${projectDir}/${SESSION}.jsonl`;
  writeLines(path, lines);
  return path;
}

Deno.test("contextManagementSkill() status has the documented shape", () => {
  assertEquals(contextManagementSkill("status", { current_tokens: 45_000 }), {
    status: "ok",
    usage: {
      current_tokens: 45_000,
      max_tokens: 1_000_000,
      percentage: 4.5,
      threshold_status: "ok",
      recommendation: "Context is healthy. No action needed.",
    },
  });
  const full = contextManagementSkill("status", { current_tokens: 190_000, max_tokens: 200_000 });
  assertEquals([full.status, full.usage.percentage], ["urgent", 95]);
});

Deno.test("contextManagementSkill() status measures the session if no tokens are given", () =>
  inFolder((projectDir) => {
    const transcript = writeSession(projectDir, [user("a", null), answer("b", "a", 150_000)]);
    const options = { projectDir, findTranscript: () => transcript, env: () => undefined };
    const { usage } = contextManagementSkill("status", {}, options);
    assertEquals([usage.current_tokens, usage.max_tokens], [150_000, 167_000]);
    const large = contextManagementSkill("status", { max_tokens: 1_000_000, transcript }, options);
    assertEquals(large.usage.percentage, 15);
    const owner = { projectDir, sessionId: SESSION };
    updateSessionState(owner, () => ({ window_tokens: 500_000 }));
    // The maximum is the client's limit, which is below the window.
    assertEquals(contextManagementSkill("status", {}, options).usage.max_tokens, 480_000);
  }));

Deno.test("contextManagementSkill() status explains why usage is unknown", () =>
  inFolder((projectDir) => {
    const status = (args: { transcript?: string }): unknown =>
      contextManagementSkill("status", args, { projectDir, findTranscript: () => null });
    const missing =
      "Cannot check usage: no current session was found. Pass transcript or current_tokens";
    assertThrows(() => status({}), Error, missing);
    const fresh = writeSession(projectDir, [user("a", null)]);
    assertThrows(() => status({ transcript: fresh }), Error, "has no answer yet");
    const compacted = [user("a", null), answer("b", "a", 9), boundary("c"), user("d", "c")];
    const cut = writeSession(projectDir, compacted);
    assertThrows(() => status({ transcript: cut }), Error, "was just compacted");
  }));

Deno.test("contextManagementSkill() lists and rehydrates a snapshot that it made", () =>
  inFolder((projectDir) => {
    const options = { projectDir, now: () => NOW };
    const args = { name: "auth-feature", conversation: CONVERSATION };
    const made = contextManagementSkill("snapshot", args, options);
    const path = `${saveFolder("snapshot", options)}/20260301_143522.json`;
    const { token_count } = made.snapshot;
    assert(Number.isInteger(token_count) && token_count > 0);
    assertEquals(made, {
      status: "success",
      snapshot: {
        snapshot_id: "20260301_143522",
        name: "auth-feature",
        file_path: path,
        token_count,
        components: ["requirements", "decisions", "state", "open_items"],
      },
      recommendation:
        "Snapshot created. After the client has compacted, rehydrate 20260301_143522.",
    });
    const snapshots = new ContextRehydrator(options).listSnapshots();
    assertEquals(contextManagementSkill("list", {}, options), {
      snapshots,
      count: 1,
      total_size: snapshots[0]?.size ?? "",
    });
    const which = { snapshot_id: "20260301_143522", level: "essential" } as const;
    const text = contextManagementSkill("rehydrate", which, options);
    assertMatch(text, /^# Restored Context: auth-feature\n\n## Original Requirements\nAdd JWT/);
    assert(!text.includes("## Open Items"));
    const standard = contextManagementSkill("rehydrate", {}, options);
    assert(standard.length >= text.length && !standard.includes("None recorded"));
  }));

Deno.test("ContextManagementOrchestrator.handleAction() makes a snapshot of the session", () =>
  inFolder((projectDir) => {
    const sessionId = SESSION;
    const message = { role: "user", content: "Fix the login" };
    const transcript = writeSession(projectDir, [
      user("a", null, { message, sessionId }),
      answer("b", "a", 150_000, { sessionId }),
    ]);
    const makeSnapshot = (path: string | null): SnapshotResult =>
      new ContextManagementOrchestrator({ projectDir, findTranscript: () => path })
        .handleAction("snapshot");
    const { snapshot } = makeSnapshot(transcript);
    const saved = JSON.parse(Deno.readTextFileSync(snapshot.file_path));
    assertEquals([saved.session_id, saved.original_tokens], [SESSION, 150_000]);
    assertEquals(saved.original_requirements, "Fix the login");
    assertEquals(snapshot.name, null);
    assertThrows(() => makeSnapshot(null), Error, "Pass transcript or conversation");
  }));

Deno.test("ContextManagementOrchestrator.handleAction() rejects invalid arguments and says what is expected", () =>
  inFolder((projectDir) => {
    const orchestrator = new ContextManagementOrchestrator({ projectDir });
    const handle = orchestrator.handleAction.bind(orchestrator);
    // The cast simulates user input, which the compiler cannot check.
    const [action, level] = ["purge", "all"] as unknown as ["list", "standard"];
    assertThrows(() => handle(action), RangeError, "rehydrate");
    assertThrows(() => handle("rehydrate", { level }), RangeError, "essential, standard");
    assertThrows(() => handle("rehydrate"), Error, "Cannot find a snapshot");
    assertThrows(() => handle("rehydrate", { snapshot_id: "x" }), Error, "trimtab list");
    assertThrows(() => handle("status", { current_tokens: -1 }), RangeError);
    assertEquals(handle("list"), { snapshots: [], count: 0, total_size: "0KB" });
  }));
