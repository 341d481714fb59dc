import { assertEquals } from "@std/assert";
import { judgeSession, type SessionFacts } from "../../src/watch/judge_session.ts";
import "../own_config.ts";

const THRESHOLDS = { checkpointPercent: 60, trimPercent: 75 };

function verdict(facts: Partial<SessionFacts>, thresholds = THRESHOLDS): string {
  const all = {
    percent: null,
    activeMinutes: null,
    isSaved: false,
    remedy: "light" as const,
    ...facts,
  };
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
    [100, "context_high trim"],
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
  assertEquals(verdict({ percent: 90 }, late), "context_high trim");
});

Deno.test("judgeSession() recommends a rollover where no trim frees enough, whatever the percentage", () => {
  const actions = (["light", "deep", "rollover"] as const).map((remedy) =>
    [75, 95].map((percent) => verdict({ percent, isSaved: true, remedy }))
  );
  assertEquals(
    actions,
    ["trim", "trim", "rollover"].map((action) => Array(2).fill(`context_high ${action}`)),
  );
});
