import { assertEquals } from "@std/assert";
import { judgeSession, type SessionFacts } from "../../src/watch/judge_session.ts";
import "../own_config.ts";

const THRESHOLDS = { checkpointPercent: 60, trimPercent: 75, rolloverPercent: 85 };

function verdict(facts: Partial<SessionFacts>, thresholds = THRESHOLDS): string {
  const all = { percent: null, activeMinutes: null, isSaved: false, ...facts };
  const { status, recommended_action: action } = judgeSession(all, thresholds);
  return `${status} ${action}`;
}

Deno.test("judgeSession() changes its mind at each threshold of the window", () => {
  const rows: [percent: number, verdict: string][] = [
    [0, "ok none"],
    [59, "ok none"],
    [60, "context_high trigger_checkpoint"],
    [74, "context_high trigger_checkpoint"],
    [75, "context_high trim"],
    [84, "context_high trim"],
    [85, "context_high rollover"],
    [100, "context_high rollover"],
  ];
  assertEquals(rows.map(([percent]) => verdict({ percent })), rows.map(([, words]) => words));
});

Deno.test("judgeSession() calls a checkpoint stale from half an hour of work on", () => {
  assertEquals(verdict({ percent: 10, activeMinutes: 29.99 }), "ok none");
  assertEquals(verdict({ percent: 10, activeMinutes: 30 }), "stale_checkpoint trigger_checkpoint");
  assertEquals(verdict({ activeMinutes: 30 }), "stale_checkpoint trigger_checkpoint");
  assertEquals(verdict({}), "ok none");
  assertEquals(verdict({ percent: 80, activeMinutes: 99 }), "context_high trim");
});

Deno.test("judgeSession() asks for no checkpoint that was saved, unless it is stale", () => {
  assertEquals(verdict({ percent: 60, isSaved: true, activeMinutes: 29 }), "context_high none");
  assertEquals(
    verdict({ percent: 60, isSaved: true, activeMinutes: 30 }),
    "context_high trigger_checkpoint",
  );
  assertEquals(verdict({ percent: 75, isSaved: true }), "context_high trim");
});

Deno.test("judgeSession() recommends nothing below the threshold of checkpoints, wherever it stands", () => {
  const late = { ...THRESHOLDS, checkpointPercent: 90 };
  assertEquals(verdict({ percent: 89 }, late), "ok none");
  assertEquals(verdict({ percent: 90 }, late), "context_high rollover");
});

Deno.test("judgeSession() recommends what is known to free enough, whatever the percentage", () => {
  const thresholds = { checkpointPercent: 60, trimPercent: 75, rolloverPercent: 85 };
  const action = (percent: number, remedy: "light" | "deep" | "rollover" | null): string =>
    judgeSession({ percent, activeMinutes: null, isSaved: true, remedy }, thresholds)
      .recommended_action;
  assertEquals([action(75, "rollover"), action(75, "deep"), action(75, null)], [
    "rollover",
    "trim",
    "trim",
  ]);
  assertEquals([action(85, "light"), action(85, null)], ["trim", "rollover"]);
});
