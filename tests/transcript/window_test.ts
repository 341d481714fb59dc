import { assertEquals, assertGreaterOrEqual } from "@std/assert";
import fc from "fast-check";
import type { EnvReader } from "../../src/store/paths.ts";
import {
  LARGE_WINDOW_TOKENS,
  resolveWindow,
  STANDARD_WINDOW_TOKENS,
  type WindowClues,
} from "../../src/transcript/tokens/window.ts";

const RUN = { numRuns: 500, seed: 20_261_122 };

function environment(values: Readonly<Record<string, string>>): EnvReader {
  return (name) => values[name];
}

/** Every clue at once; a test takes away the surest to see which counts next. */
const ALL: WindowClues = {
  configured: 1_001,
  env: environment({ CLAUDE_CODE_MAX_CONTEXT_TOKENS: "1002" }),
  recorded: 1_003,
  metadata: 1_004,
  model: "claude-opus-4-8[1m]",
};

Deno.test("resolveWindow() goes by the configuration before all else", () => {
  assertEquals(resolveWindow(ALL), { tokens: 1_001, source: "config" });
});

Deno.test("resolveWindow() keeps to the configuration when more is used than it names", () => {
  assertEquals(resolveWindow({ configured: 1_000, usedTokens: 5_000 }), {
    tokens: 1_000,
    source: "config",
  });
});

Deno.test("resolveWindow() goes by environment, status line, metadata and model, in this order", () => {
  const { configured: _configured, ...noConfig } = ALL;
  assertEquals(resolveWindow(noConfig), { tokens: 1_002, source: "environment" });
  const { env: _env, ...noEnv } = noConfig;
  assertEquals(resolveWindow(noEnv), { tokens: 1_003, source: "statusline" });
  const { recorded: _recorded, ...noRecord } = noEnv;
  assertEquals(resolveWindow(noRecord), { tokens: 1_004, source: "metadata" });
  const { metadata: _metadata, ...noMetadata } = noRecord;
  assertEquals(resolveWindow(noMetadata), { tokens: LARGE_WINDOW_TOKENS, source: "model" });
  assertEquals(resolveWindow({}), { tokens: STANDARD_WINDOW_TOKENS, source: "default" });
});

Deno.test("resolveWindow() knows the large window by the mark behind the model's name", () => {
  for (const model of ["claude-opus-4-6[1m]", "claude-sonnet-4-6[1M]", "other[1m]"]) {
    assertEquals(resolveWindow({ model }), { tokens: LARGE_WINDOW_TOKENS, source: "model" });
  }
  for (const model of ["claude-opus-4-6", "claude-[1m]-x"]) {
    assertEquals(resolveWindow({ model }), { tokens: STANDARD_WINDOW_TOKENS, source: "model" });
  }
  for (const model of ["", "gpt", "anthropic.claude-x"]) {
    assertEquals(resolveWindow({ model }), { tokens: STANDARD_WINDOW_TOKENS, source: "default" });
  }
});

Deno.test("resolveWindow() knows the windows of the families, however a provider spells them", () => {
  const large = [
    "opus-4-7",
    "opus-4-8",
    "opus-5",
    "opus-5-5",
    "sonnet-5",
    "sonnet-5-5",
    "haiku-5-5",
  ];
  const standard = [
    "opus-4-6",
    "opus-4",
    "sonnet-4-6",
    "sonnet-4-20250514",
    "haiku-4-5",
    "opus-4-1",
  ];
  const spellings = [
    (name: string): string => `claude-${name}`,
    (name: string): string => `us.anthropic.claude-${name}-v1:0`,
    (name: string): string => `claude-${name}@20261101`,
    (name: string): string => `anthropic/claude-${name}`,
    (name: string): string =>
      `arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-${name}`,
  ];
  for (const spell of spellings) {
    for (const name of [...large, "fable-5", "mythos-5"]) {
      const found = resolveWindow({ model: spell(name) });
      assertEquals(found, { tokens: LARGE_WINDOW_TOKENS, source: "model" }, spell(name));
    }
    for (const name of [...standard, "3-5-haiku-20241022", "3-7-sonnet", "2"]) {
      const found = resolveWindow({ model: spell(name) });
      assertEquals(found, { tokens: STANDARD_WINDOW_TOKENS, source: "model" }, spell(name));
    }
  }
  for (const model of ["opus", "Sonnet", "haiku", "claude-sonnet-5-20261022"]) {
    assertEquals(resolveWindow({ model }).tokens, LARGE_WINDOW_TOKENS, model);
  }
});

Deno.test("resolveWindow() takes a model newer than the table knows for the newest", () => {
  for (
    const model of ["claude-opus-5-6", "claude-haiku-6", "claude-saga-7", "claude-sonnet-5-10"]
  ) {
    assertEquals(
      resolveWindow({ model }),
      { tokens: LARGE_WINDOW_TOKENS, source: "newest" },
      model,
    );
  }
});

Deno.test("resolveWindow() passes over an environment that names no whole number above 0", () => {
  for (const value of ["", "0", "-5", "1.5", "many", "1e999", "NaN"]) {
    const env = environment({ CLAUDE_CODE_MAX_CONTEXT_TOKENS: value });
    assertEquals(resolveWindow({ env, recorded: 7 }), { tokens: 7, source: "statusline" });
  }
});

Deno.test("resolveWindow() takes the large window away when the environment turns it off", () => {
  const model = "claude-opus-4-8[1m]";
  for (const value of ["1", "true", "yes", "ON"]) {
    const env = environment({ CLAUDE_CODE_DISABLE_1M_CONTEXT: value });
    assertEquals(resolveWindow({ env, model }), {
      tokens: STANDARD_WINDOW_TOKENS,
      source: "environment",
    });
    assertEquals(resolveWindow({ env, model: "claude-opus-4-6" }).source, "model");
  }
  for (const value of ["0", "false", "No", "OFF"]) {
    const env = environment({ CLAUDE_CODE_DISABLE_1M_CONTEXT: value });
    assertEquals(resolveWindow({ env, model }).tokens, LARGE_WINDOW_TOKENS);
  }
});

Deno.test("resolveWindow() infers a larger window from a usage beyond the one that is known", () => {
  const inferred = { tokens: LARGE_WINDOW_TOKENS, source: "inferred" as const };
  assertEquals(resolveWindow({ usedTokens: 200_001 }), inferred);
  assertEquals(resolveWindow({ usedTokens: 200_000 }).source, "default");
  assertEquals(resolveWindow({ recorded: 200_000, usedTokens: 300_000 }), inferred);
  assertEquals(resolveWindow({ recorded: 100_000, usedTokens: 150_000 }), {
    tokens: STANDARD_WINDOW_TOKENS,
    source: "inferred",
  });
  const env = environment({ CLAUDE_CODE_MAX_CONTEXT_TOKENS: "50000" });
  assertEquals(resolveWindow({ env, usedTokens: 250_000 }), inferred);
});

Deno.test("resolveWindow() keeps what is known when the usage is beyond every window", () => {
  assertEquals(resolveWindow({ usedTokens: 1_000_001, model: "claude-x" }), {
    tokens: STANDARD_WINDOW_TOKENS,
    source: "model",
  });
});

Deno.test("resolveWindow() believes a metadata line whose usage is beyond its maximum", () => {
  assertEquals(resolveWindow({ metadata: 100, usedTokens: 150 }), {
    tokens: 100,
    source: "metadata",
  });
});

Deno.test("resolveWindow() never gives less than what is used, up to the large window", () => {
  const tokens = fc.option(fc.integer({ min: 1, max: 2_000_000 }), { nil: undefined });
  const model = fc.constantFrom(undefined, "claude-x", "claude-x[1m]", "other");
  fc.assert(
    fc.property(fc.nat(LARGE_WINDOW_TOKENS), tokens, model, (usedTokens, recorded, name) => {
      const window = resolveWindow({ usedTokens, recorded, model: name });
      assertGreaterOrEqual(window.tokens, usedTokens);
    }),
    RUN,
  );
});
