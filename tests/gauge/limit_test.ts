import { assertEquals } from "@std/assert";
import { readCompactionSettings } from "../../src/gauge/compaction_settings.ts";
import { contextLimit, type LimitFacts } from "../../src/gauge/limit.ts";
import type { ContextWindow } from "../../src/transcript/tokens/window.ts";
import { newFolder } from "../folder.ts";

const STANDARD: ContextWindow = { tokens: 200_000, source: "model" };
const LARGE: ContextWindow = { tokens: 1_000_000, source: "model" };

function limitOf(
  window: ContextWindow,
  clues: Partial<LimitFacts> = {},
  env: Record<string, string> = {},
): [number, string] {
  const { tokens, kind } = contextLimit(window, { env: (name) => env[name], ...clues });
  return [tokens, kind];
}

Deno.test("contextLimit() is the limit of the client's own context display", () => {
  assertEquals(limitOf(STANDARD, { model: "claude-sonnet-4-6" }), [167_000, "compaction"]);
  assertEquals(limitOf(LARGE, { model: "claude-opus-5-5" }), [967_000, "compaction"]);
  for (const name of ["haiku", "sonnet", "opus"]) {
    const model = `claude-${name}-4-5`;
    assertEquals(limitOf(STANDARD, { model }), [180_000, "answer"]);
    assertEquals(limitOf(STANDARD, { model, settings: { window: Infinity } }), [180_000, "answer"]);
    const named = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "110000" };
    assertEquals(limitOf(STANDARD, { model }, named), [77_000, "compaction"]);
    const byFile = { model, settings: { window: 110_000 } };
    assertEquals(limitOf(STANDARD, byFile), [77_000, "compaction"]);
  }
  for (const model of ["claude-opus-4-6", "claude-opus-4-6[1m]", "claude-sonnet-4-6"]) {
    assertEquals(limitOf(LARGE, { model }), [980_000, "answer"], model);
  }
  assertEquals(limitOf(LARGE, { model: "claude-sonnet-5[1m]" }), [967_000, "compaction"]);
  const settings = { window: 400_000 };
  assertEquals(limitOf(LARGE, { settings }), [367_000, "compaction"]);
  assertEquals(limitOf(STANDARD, { settings }), [167_000, "compaction"]);
});

Deno.test("contextLimit() prefers the environment to the settings", () => {
  const settings = { window: 400_000, isEnabled: true };
  const named = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "300000" };
  assertEquals(limitOf(LARGE, { settings }, named), [267_000, "compaction"]);
  for (const name of ["DISABLE_COMPACT", "DISABLE_AUTO_COMPACT"]) {
    assertEquals(limitOf(LARGE, { settings }, { [name]: "1" }), [980_000, "answer"]);
    assertEquals(limitOf(LARGE, {}, { [name]: "0" }), [967_000, "compaction"]);
  }
  assertEquals(limitOf(LARGE, { settings: { isEnabled: false } }), [980_000, "answer"]);
  const share = { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "80" };
  assertEquals(limitOf(STANDARD, {}, share), [144_000, "compaction"]);
  assertEquals(limitOf(STANDARD, {}, { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "many" })[0], 167_000);
});

Deno.test("contextLimit() is the point of the last compaction, until the session exceeds it", () => {
  assertEquals(limitOf(LARGE, { seen: 400_000, used: 390_000 }), [400_000, "seen"]);
  assertEquals(limitOf(LARGE, { seen: 400_000, used: 400_001 }), [967_000, "compaction"]);
  assertEquals(limitOf(LARGE, { seen: 150_000, used: 161_380 }), [167_000, "seen"]);
  assertEquals(limitOf(LARGE, { seen: 150_000, used: 170_000 }), [167_000, "seen"]);
  assertEquals(limitOf(LARGE, { seen: 150_000, used: 200_001 }), [967_000, "compaction"]);
  assertEquals(limitOf(STANDARD, { seen: 150_000 }), [167_000, "compaction"]);
  const reported: ContextWindow = { tokens: 1_000_000, source: "statusline" };
  assertEquals(limitOf(reported, { seen: 150_000, used: 140_000 }), [150_000, "seen"]);
  assertEquals(limitOf(STANDARD, { seen: 199_000 }), [167_000, "compaction"]);
});

Deno.test("contextLimit() reserves room in a small window, but not in a window that a metadata line names", () => {
  assertEquals(limitOf({ tokens: 10_000, source: "config" }), [6_700, "compaction"]);
  const smallest = { settings: { window: 20_000 } };
  assertEquals(limitOf(STANDARD, smallest), [67_000, "compaction"], "as the client reads it");
  assertEquals(limitOf({ tokens: 100_000, source: "metadata" }), [100_000, "window"]);
});

Deno.test("readCompactionSettings() uses the settings nearest to the project", () => {
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
  const opus = (window: unknown): string =>
    JSON.stringify({
      autoCompactWindow: 450_000,
      modelSettings: { "claude-opus-5": { autoCompactWindow: window } },
    });
  write("project/.claude/settings.local.json", opus(300_000));
  for (const name of ["claude-opus-5", "us.anthropic.claude-opus-5-v1:0", "claude-opus-5[1m]"]) {
    assertEquals(readCompactionSettings(place, name).window, 300_000, name);
  }
  assertEquals(readCompactionSettings(place, "claude-opus-5-5").window, 450_000);
  assertEquals(readCompactionSettings(place, "claude-sonnet-5").window, 450_000);
  write("project/.claude/settings.local.json", opus("auto"));
  const settings = readCompactionSettings(place, "claude-opus-5");
  const enabled = { settings: { ...settings, isEnabled: true } };
  assertEquals(limitOf(LARGE, enabled), [967_000, "compaction"]);
  write("managed-settings.json", '{"autoCompactWindow":600000}');
  assertEquals(readCompactionSettings(place, "claude-opus-5").window, 600_000);
  Deno.removeSync(managed);
  write("project/.claude/settings.local.json", '{"autoCompactWindow":');
  assertEquals(readCompactionSettings(place).window, 400_000);
});
