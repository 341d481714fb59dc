import { assertEquals } from "@std/assert";
import type { EnvReader } from "../../src/store/paths.ts";
import {
  isExtended,
  isSameModel,
  LARGE_WINDOW_TOKENS as LARGE,
  resolveWindow,
  STANDARD_WINDOW_TOKENS as STANDARD,
  type WindowHints,
} from "../../src/transcript/tokens/window.ts";

function environment(values: Readonly<Record<string, string>>): EnvReader {
  return (name) => values[name];
}

function windowOf(hints: WindowHints): [tokens: number, source: string] {
  const { tokens, source } = resolveWindow(hints);
  return [tokens, source];
}

Deno.test("resolveWindow() uses configuration, environment, status line, metadata and model, in this order", () => {
  const env = environment({ CLAUDE_CODE_MAX_CONTEXT_TOKENS: "1002" });
  const hints: WindowHints = { configured: 1_001, env, recorded: 1_003, metadata: 1_004 };
  const model = "claude-opus-4-8[1m]";
  const left = { ...hints, model };
  const order = [
    ["configured", 1_001, "config"],
    ["env", 1_002, "environment"],
    ["recorded", 1_003, "statusline"],
    ["metadata", 1_004, "metadata"],
    ["model", LARGE, "model"],
  ] as const;
  for (const [name, tokens, source] of order) {
    assertEquals(windowOf(left), [tokens, source]);
    delete left[name];
  }
  assertEquals(windowOf({}), [STANDARD, "default"]);
});

Deno.test("resolveWindow() recognizes a model's name in every provider's spelling", () => {
  const spellings = [
    "claude-NAME",
    "us.anthropic.claude-NAME-v1:0",
    "claude-NAME@20261101",
    "anthropic/claude-NAME",
    "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-NAME",
  ];
  const large = "opus-4-7 opus-4-8 opus-5 opus-5-5 sonnet-5 sonnet-5-5 haiku-5-5 fable-5 mythos-5";
  const standard = "opus-4-6 opus-4 opus-4-1 sonnet-4-6 sonnet-4-20250514 haiku-4-5 " +
    "3-5-haiku-20241022 3-7-sonnet 2";
  for (const spelling of spellings) {
    for (const [names, tokens] of [[large, LARGE], [standard, STANDARD]] as const) {
      for (const name of names.split(" ")) {
        const model = spelling.replace("NAME", name);
        assertEquals(windowOf({ model }), [tokens, "model"], model);
      }
    }
  }
  const others: Readonly<Record<string, [number, string]>> = {
    "claude-opus-4-6[1m] claude-sonnet-4-6[1M] other[1m]": [LARGE, "model"],
    "opus Sonnet haiku claude-sonnet-5-20261022": [LARGE, "model"],
    "claude-[1m]-x": [STANDARD, "model"],
    "gpt anthropic.claude-x": [STANDARD, "default"],
    // Models that are newer than the known ones.
    "claude-opus-5-6 claude-haiku-6 claude-saga-7 claude-sonnet-5-10": [LARGE, "newest"],
  };
  for (const [names, expected] of Object.entries(others)) {
    for (const model of names.split(" ")) assertEquals(windowOf({ model }), expected, model);
  }
});

Deno.test("resolveWindow() ignores a variable that is not a whole number above 0", () => {
  for (const value of ["", "0", "-5", "1.5", "many", "1e999", "NaN"]) {
    const env = environment({ CLAUDE_CODE_MAX_CONTEXT_TOKENS: value });
    assertEquals(windowOf({ env, recorded: 7 }), [7, "statusline"]);
  }
});

Deno.test("resolveWindow() does not use the large window when the environment disables it", () => {
  const model = "claude-opus-4-8[1m]";
  const off = (value: string): EnvReader => environment({ CLAUDE_CODE_DISABLE_1M_CONTEXT: value });
  for (const value of ["1", "true", "yes", "ON"]) {
    assertEquals(windowOf({ env: off(value), model }), [STANDARD, "environment"]);
    assertEquals(windowOf({ env: off(value), model: "claude-opus-4-6" }), [STANDARD, "model"]);
  }
  for (const value of ["0", "false", "No", "OFF"]) {
    assertEquals(windowOf({ env: off(value), model }), [LARGE, "model"]);
  }
});

Deno.test("resolveWindow() infers a larger window if the usage exceeds the known window", () => {
  const env = environment({ CLAUDE_CODE_MAX_CONTEXT_TOKENS: "50000" });
  const cases: readonly (readonly [hints: WindowHints, tokens: number, source: string])[] = [
    [{ usedTokens: 200_000 }, STANDARD, "default"],
    [{ usedTokens: 200_001 }, LARGE, "inferred"],
    [{ model: "claude-haiku-4-5", usedTokens: 300_000 }, LARGE, "inferred"],
    [{ env, usedTokens: 200_000 }, STANDARD, "inferred"],
    [{ env, usedTokens: 250_000 }, LARGE, "inferred"],
    [{ env, usedTokens: 1_000_000 }, LARGE, "inferred"],
    // Ignores usage above every window, and above a window that is configured or reported.
    [{ usedTokens: 1_000_001, model: "claude-x" }, STANDARD, "model"],
    [{ configured: 1_000, usedTokens: 5_000 }, 1_000, "config"],
    [{ metadata: 100, usedTokens: 150 }, 100, "metadata"],
    [{ recorded: 200_000, usedTokens: 201_248, model: "claude-sonnet-4-6" }, 200_000, "statusline"],
  ];
  for (const [hints, ...expected] of cases) assertEquals(windowOf(hints), expected);
});

Deno.test("isExtended() accepts only known models whose default window is smaller", () => {
  const models = ["claude-sonnet-4-6", "claude-sonnet-4-6[1m]", "claude-opus-5", "gpt"];
  assertEquals(models.map((model) => isExtended(model, LARGE)), [true, true, false, false]);
  assertEquals(models.map((model) => isExtended(model, STANDARD)), [false, false, false, false]);
});

Deno.test("isSameModel() ignores the provider, the date and the size of the window", () => {
  const names = ["us.anthropic.claude-opus-4-6-v1:0", "claude-opus-4-6[1m]", "claude-4-6-opus"];
  const others = ["claude-opus-4-7", "claude-sonnet-4-6", "opus"];
  const same = [...names, ...others].filter((name) => isSameModel(name, "claude-opus-4-6"));
  assertEquals(same, names);
  assertEquals([isSameModel("opus", "opus"), isSameModel("opus", "haiku")], [true, false]);
});
