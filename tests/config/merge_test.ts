import { assertEquals } from "@std/assert";
import { type ConfigText, mergeTexts } from "../../src/config/merge.ts";

function text(layer: ConfigText["layer"], percent: number): ConfigText {
  const text = `[context]\nwarn_threshold = ${percent}\n`;
  return { layer, path: `${layer}.toml`, text, isTrusted: layer === "user" };
}

Deno.test("mergeTexts() accepts a value of an untrusted file only if it warns no earlier than the user's value", () => {
  const merged = (...texts: ConfigText[]): [percent: number, waiting: string[]] => {
    const { config, waiting } = mergeTexts(texts);
    return [config.context.warn_threshold, waiting.map(({ file }) => file)];
  };
  assertEquals(merged(text("project", 59)), [60, ["project.toml"]]);
  assertEquals(merged(text("project", 60)), [60, []]);
  const user = text("user", 70);
  assertEquals(merged(user, text("project", 69)), [70, ["project.toml"]]);
  assertEquals(merged(user, text("project", 71)), [71, []]);
  const isLower = "the other file of the project does not count";
  assertEquals(merged(user, text("work", 73), text("project", 72)), [72, []], isLower);
});
