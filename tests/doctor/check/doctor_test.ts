import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { needsAttention } from "../../../src/doctor/check/doctor.ts";
import { install } from "../../../src/doctor/install/install.ts";
import { describeReport } from "../../../src/doctor/check/text.ts";
import { triggerCheckpoint } from "../../../src/watch/trigger.ts";
import { indexCheckpoint } from "../../../src/saved/project_index.ts";
import { emptyState } from "../../../src/extract/empty_state.ts";
import { emitEvent } from "../../../src/designs/emit_event.ts";
import { snapshotOf } from "../../../src/saved/save.ts";
import { saveSnapshot } from "../../../src/designs/save_snapshot.ts";
import { createSession } from "../../../src/designs/sessions.ts";
import { updateSessionState } from "../../../src/store/state_update.ts";
import { plantCheckpoint } from "../../saved/checkpoints.ts";
import { putHandoff } from "../../saved/lineage/sessions.ts";
import { replaced } from "../../scripts/in_process.ts";
import { Home, ID, NOW } from "./doctor.ts";

function fill(home: Home): void {
  const { projectDir, configDir } = home;
  const now = new Date(NOW);
  emitEvent({ type: "a", payload: {}, source: "b" }, { projectDir, now });
  triggerCheckpoint("checkpoint_stale", { projectDir, configDir, now });
  createSession({ projectDir, sessionId: ID, now });
  updateSessionState({ projectDir, sessionId: ID }, () => ({ window_tokens: 200_000 }));
  home.writeOwn("trimtab/iteration", "1\n");
  saveSnapshot(snapshotOf({ ...emptyState(), session_id: ID }), { projectDir, configDir, now });
  putHandoff(projectDir, ID, { created: now, configDir });
  plantCheckpoint(home, now.toISOString(), ID);
  indexCheckpoint({ projectDir, configDir, nowMs: NOW });
}

Deno.test("runDoctor() finds no problem in a fresh project, and changes nothing there", () => {
  using home = new Home();
  const before = home.contents();
  const report = home.doctor();
  assertEquals([report.findings, report.fixed], [[], 0]);
  assertEquals(needsAttention(report), false);
  assertEquals(home.found({ configDir: undefined, root: null }), []);
  assertEquals(home.contents(), before);
});

Deno.test("runDoctor() accepts trimtab's own files", () => {
  using home = new Home();
  fill(home);
  const report = home.doctor();
  assertEquals(report.findings, []);
  assertStringIncludes(describeReport(report, false), "nothing is wrong.\n  ok  deno ");
});

Deno.test("runDoctor() makes all safe repairs, and finds nothing the second time", () => {
  using home = new Home();
  fill(home);
  const { projectDir } = home;
  Deno.chmodSync(home.writeOwn("trimtab/left.json", "[]"), 0o644);
  Deno.chmodSync(`${projectDir}/.claude/trimtab`, 0o777);
  assertEquals(home.found(), [
    "open_to_others project/.claude/trimtab",
    "open_to_others project/.claude/trimtab/left.json",
  ]);
  const text = describeReport(home.doctor(), false);
  assertStringIncludes(text, "trimtab doctor --fix fixes 2 of these.");
  assertEquals(home.fixed("open_to_others", "open_to_others"), []);
});

Deno.test("runDoctor() continues when a check fails", () => {
  using home = new Home();
  install({ folder: home.configDir, root: home.root, nowMs: NOW });
  Deno.writeTextFileSync(`${home.root}/hooks/hooks.json`, "{");
  const report = home.doctor();
  assertEquals(report.findings.map(({ id }) => id), ["check_failed"]);
  assert(report.checks.every(({ note }) => note !== ""));
});

Deno.test("runDoctor() reports a failed repair", () => {
  using home = new Home();
  Deno.chmodSync(home.writeOwn("trimtab/left.json", "[]"), 0o644);
  using _ = replaced(Deno, "chmodSync", () => {
    throw new Deno.errors.PermissionDenied("read-only");
  });
  const [finding, ...others] = home.doctor({ fix: true }).findings;
  assertEquals([finding?.id, finding?.fixed, others], ["open_to_others", false, []]);
  assertStringIncludes(finding?.problem ?? "", "It could not be repaired: read-only.");
});

Deno.test("runDoctor() includes the exact path in a fix", () => {
  using home = new Home();
  const path = home.write("project/.claude/settings.json", "{");
  const fixes = home.doctor().findings.map(({ fix }) => fix);
  assertEquals(fixes, [`Fix ${path} by hand, then run \`trimtab doctor\` again.`]);
});

Deno.test("needsAttention() ignores information and repaired findings", () => {
  const finding = { subject: "", problem: "", fix: "", fixable: true };
  const error = { ...finding, id: "file_unusable", level: "error" } as const;
  const info = { ...finding, id: "expired_files", level: "info" } as const;
  assertEquals(needsAttention({ findings: [info, { ...error, fixed: true }] }), false);
  assertEquals(needsAttention({ findings: [{ ...error, fixed: false }] }), true);
});

Deno.test("describeReport() describes repairs, and shows at most a few findings of a kind", () => {
  using home = new Home();
  for (const digit of "1234567") {
    home.writeOwn(`trimtab/state/${ID.replaceAll("1", digit)}.json`, "{}", { mode: 0o644 });
  }
  const found = describeReport(home.doctor(), false);
  assertStringIncludes(found, "7 warnings.");
  assertStringIncludes(found, "\n  and 2 more\n  They could read session content");
  assertStringIncludes(found, "\n  To do: `trimtab doctor --fix` removes their access.\n");
  const done = describeReport(home.doctor({ fix: true }), true);
  assertStringIncludes(done, "nothing is wrong; 7 repaired.");
  assertStringIncludes(done, "\n  ok  permissions ");
  assertStringIncludes(done, "\nfixed: Other users have access to one of trimtab's files");
  assertStringIncludes(done, "\n    Fixed: Its mode is 0644");
  assertEquals(done.includes("To do"), false);
});
