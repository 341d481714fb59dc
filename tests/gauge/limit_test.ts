import { assertEquals } from "@std/assert";
import { readCompactionSettings } from "../../src/gauge/compaction_settings.ts";
import { contextLimit, type LimitFacts, type LimitKind } from "../../src/gauge/limit.ts";
import type { ContextWindow } from "../../src/transcript/tokens/window.ts";
import { newFolder } from "../folder.ts";

const STANDARD: ContextWindow = { tokens: 200_000, source: "model" };
const LARGE: ContextWindow = { tokens: 1_000_000, source: "model" };

type Case = readonly [
  window: ContextWindow,
  facts: Partial<LimitFacts>,
  expected: readonly [number, LimitKind],
];

function assertLimits(cases: readonly Case[], env: Readonly<Record<string, string>> = {}): void {
  for (const [window, facts, [tokens, kind]] of cases) {
    const limit = contextLimit(window, { env: (name) => env[name], ...facts });
    assertEquals(limit, { tokens, kind }, JSON.stringify([window, facts, env]));
  }
}

const COMPACTION_WINDOW = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "110000" };

Deno.test("contextLimit() returns the limit of the client's own context display", () => {
  assertLimits([
    [STANDARD, { model: "claude-sonnet-4-6" }, [167_000, "compaction"]],
    [LARGE, { model: "claude-opus-5-5" }, [967_000, "compaction"]],
    [LARGE, { model: "claude-sonnet-5[1m]" }, [967_000, "compaction"]],
    [LARGE, { settings: { window: 400_000 } }, [367_000, "compaction"]],
    [STANDARD, { settings: { window: 400_000 } }, [167_000, "compaction"]],
  ]);
  for (const model of ["claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-5"]) {
    assertLimits([
      [STANDARD, { model }, [180_000, "answer"]],
      [STANDARD, { model, settings: { window: Infinity } }, [180_000, "answer"]],
      [STANDARD, { model, settings: { window: 110_000 } }, [77_000, "compaction"]],
    ]);
    assertLimits([[STANDARD, { model }, [77_000, "compaction"]]], COMPACTION_WINDOW);
  }
  for (const model of ["claude-opus-4-6", "claude-opus-4-6[1m]", "claude-sonnet-4-6"]) {
    assertLimits([[LARGE, { model }, [980_000, "answer"]]]);
  }
});

Deno.test("contextLimit() prefers the environment to the settings", () => {
  const settings = { window: 400_000, isEnabled: true };
  assertLimits([[LARGE, { settings }, [77_000, "compaction"]]], COMPACTION_WINDOW);
  const unset = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "0" };
  assertLimits([[LARGE, { settings }, [367_000, "compaction"]]], unset);
  for (const name of ["DISABLE_COMPACT", "DISABLE_AUTO_COMPACT"]) {
    assertLimits([[LARGE, { settings }, [980_000, "answer"]]], { [name]: "1" });
    assertLimits([[LARGE, {}, [967_000, "compaction"]]], { [name]: "0" });
  }
  assertLimits([[LARGE, { settings: { isEnabled: false } }, [980_000, "answer"]]]);
  for (
    const [percent, tokens] of [["80", 144_000], ["101", 167_000], ["0", 167_000], [
      "many",
      167_000,
    ]] as const
  ) {
    const env = { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: percent };
    assertLimits([[STANDARD, {}, [tokens, "compaction"]]], env);
  }
});

Deno.test("contextLimit() returns the lowest limit that explains the last compaction, until the usage exceeds that limit", () => {
  const reported: ContextWindow = { tokens: 1_000_000, source: "statusline" };
  assertLimits([
    [LARGE, { lastCompactionTokens: 400_000, used: 390_000 }, [400_000, "seen"]],
    [LARGE, { lastCompactionTokens: 400_000, used: 400_000 }, [400_000, "seen"]],
    [LARGE, { lastCompactionTokens: 400_000, used: 400_001 }, [967_000, "compaction"]],
    [LARGE, { lastCompactionTokens: 150_000, used: 161_380 }, [167_000, "seen"]],
    [LARGE, { lastCompactionTokens: 150_000, used: 170_000 }, [167_000, "seen"]],
    [LARGE, { lastCompactionTokens: 150_000, used: 200_000 }, [167_000, "seen"]],
    [LARGE, { lastCompactionTokens: 150_000, used: 200_001 }, [967_000, "compaction"]],
    [STANDARD, { lastCompactionTokens: 150_000 }, [167_000, "compaction"]],
    [reported, { lastCompactionTokens: 150_000, used: 140_000 }, [150_000, "seen"]],
    [STANDARD, { lastCompactionTokens: 199_000 }, [167_000, "compaction"]],
  ]);
});

Deno.test("contextLimit() reserves room in a small window, but not in a window that a metadata line reports", () => {
  assertLimits([
    [{ tokens: 10_000, source: "config" }, {}, [6_700, "compaction"]],
    [STANDARD, { settings: { window: 20_000 } }, [67_000, "compaction"]],
    [{ tokens: 100_000, source: "metadata" }, {}, [100_000, "window"]],
  ]);
});

Deno.test("readCompactionSettings() prefers an organization's settings, then those nearest to the project", () => {
  using temporary = newFolder();
  const folder = temporary.path;
  const managed = `${folder}/managed-settings.json`;
  const place = { projectDir: `${folder}/project`, configDir: `${folder}/config`, managed };
  assertEquals(readCompactionSettings(place), {});
  Deno.mkdirSync(`${folder}/project/.claude`, { recursive: true });
  Deno.mkdirSync(`${folder}/config`);
  const write = (path: string, text: string): void =>
    Deno.writeTextFileSync(`${folder}/${path}`, text);
  write("config/settings.json", '{"autoCompactWindow":500000,"autoCompactEnabled":false}');
  assertEquals(readCompactionSettings(place), { window: 500_000, isEnabled: false });
  write("project/.claude/settings.json", '{"autoCompactWindow":400000}');
  assertEquals(readCompactionSettings(place), { window: 400_000, isEnabled: false });
  const opus = (autoCompactWindow: unknown): string =>
    JSON.stringify({
      autoCompactWindow: 450_000,
      modelSettings: { "claude-opus-5": { autoCompactWindow } },
    });
  write("project/.claude/settings.local.json", opus(300_000));
  for (const name of ["claude-opus-5", "us.anthropic.claude-opus-5-v1:0", "claude-opus-5[1m]"]) {
    assertEquals(readCompactionSettings(place, name).window, 300_000, name);
  }
  assertEquals(readCompactionSettings(place, "claude-opus-5-5").window, 450_000);
  assertEquals(readCompactionSettings(place, "claude-sonnet-5").window, 450_000);
  write("project/.claude/settings.local.json", opus("auto"));
  assertEquals(readCompactionSettings(place, "claude-opus-5").window, Infinity);
  write("managed-settings.json", '{"autoCompactWindow":600000}');
  assertEquals(readCompactionSettings(place, "claude-opus-5").window, 600_000);
  Deno.removeSync(managed);
  write("project/.claude/settings.local.json", '{"autoCompactWindow":0}');
  assertEquals(readCompactionSettings(place).window, 400_000);
  write("project/.claude/settings.local.json", '{"autoCompactWindow":');
  assertEquals(readCompactionSettings(place).window, 400_000);
});
