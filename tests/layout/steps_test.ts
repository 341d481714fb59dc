import { assertEquals } from "@std/assert";
import type { Trail } from "../../src/core/work_state.ts";
import { emptyState } from "../../src/extract/empty_state.ts";
import { emptyTrail } from "../../src/extract/trail/trail.ts";
import { type Fitted, sizeOfLines } from "../../src/inject/fit_lines.ts";
import { occursIn, type PartOptions, ShownText, type Work } from "../../src/layout/part.ts";
import { commandsPart, stoppedPart } from "../../src/layout/steps.ts";

const FROM = { uuid: null, line: 1 };

function workWith(trail: Partial<Trail>): Work {
  return { ...emptyState(), progressLines: [], trail: { ...emptyTrail(), ...trail } };
}

function optionsWith(isRecord = false): PartOptions {
  const shown = new ShownText("/p", isRecord);
  const has = { hasNow: true, hasCommands: true, hasChanges: true };
  return { shown, isRecord, isBrief: false, isRoomy: false, ...has };
}

function fitSteps(stopped: readonly string[], room = 5_000, above = ""): Fitted {
  const work = workWith({ stopped: stopped.map((text) => ({ text, from: FROM })) });
  return stoppedPart(work, optionsWith())(room, above);
}

function lastStep(steps: readonly string[], above: string): string {
  return fitSteps(["User: go", "Edit b.ts: x", ...steps], 5_000, `\n- ${above}\n`).lines.at(-1) ??
    "";
}

function commandLines(commands: readonly string[], above = "", isRecord = false): string[] {
  const work = workWith({ commands: commands.map((text) => ({ text, from: FROM })) });
  const { lines } = commandsPart(work, optionsWith(isRecord))(5_000, above);
  return lines.map((line) => line.slice(2));
}

Deno.test("stoppedPart() keeps the last steps that fit exactly, and counts the others", () => {
  const steps = ["User: go", "Edit a.ts: x", "Bash npm test → ok", "Bash make → ok"];
  const lines = steps.map((step) => `- ${step}`);
  for (const from of [0, 1, 2, 3]) {
    const size = sizeOfLines(lines.slice(from));
    assertEquals(fitSteps(steps, size), { lines: lines.slice(from), omitted: from });
    assertEquals(fitSteps(steps, size - 1).omitted, from + 1);
  }
  const long = ["Edit b.ts: x", `Bash make ${"all the rows ".repeat(60)}→ ok`];
  const whole = long.map((step) => `- ${step}`);
  assertEquals(fitSteps(long, sizeOfLines(whole)).lines, whole);
  assertEquals((fitSteps(long, sizeOfLines(whole) - 1).lines.at(-1) ?? "").length < 530, true);
});

Deno.test("stoppedPart() repeats only the start of a long call that is shown above", () => {
  const call = (size: number): string => `Bash make ${"x".repeat(size - 15)} → ok`;
  const [fitting, long] = [call(238), call(239)];
  assertEquals(lastStep([fitting], fitting), `- ${fitting}`);
  assertEquals(lastStep([long], long), `- ${long}`.slice(0, 127) + "…");
});

Deno.test("stoppedPart() leaves out the result of a last look-up that is shown above", () => {
  const search = (size: number): string => `Grep ${"x".repeat(size - 18)} → 2 lines: a`;
  const shown = (step: string): boolean =>
    lastStep(["Read a.ts", step], step).endsWith("2 lines: a");
  assertEquals([shown(search(70)), shown(search(71))], [true, false]);
});

Deno.test("commandsPart() lists what can be run again, and look-ups and commits only if they failed", () => {
  const listed = ["`npm test` ok", "`make` ok", "`git status` failed: x", "`npm test all the…` ok"];
  const others = ["`git status` ok", "`git commit -m x` ok", "`docker push the…` ok"];
  assertEquals(commandLines([...listed, ...others]), listed);
  const shown = ["`docker push a` ok", "`npm test all` ok"];
  assertEquals(commandLines(shown, "docker push a; npm test all"), shown.slice(1));
  const record = commandLines([...shown, "`git status` ok"], "docker push a", true);
  assertEquals(record, [...shown, "`git status` ok"].map((line) => `${line} (line 1)`));
});

Deno.test("commandsPart() leaves out an error or a remark that is shown above", () => {
  const [error, remark] = ["the rows are all locked here", "It is as it was, so leave it."];
  const [said, end] = [`; the assistant said: "${remark}"`, "; 2 edits since then"];
  const line = `\`npm test\` failed: ${error}${said}${end}`;
  assertEquals(commandLines([line], error), [`\`npm test\` failed${said}${end}`]);
  assertEquals(commandLines([line], `x ${remark}"`), [`\`npm test\` failed: ${error}${end}`]);
  const failed = "`npm test` failed: --- FAIL: TestA, TestB (0.02s)";
  assertEquals(commandLines([failed], "--- FAIL: TestA, TestB (0.5s)"), ["`npm test` failed"]);
  assertEquals(commandLines([failed], "--- FAIL: TestA"), [failed]);
});

Deno.test("occursIn() ignores quotation marks, and texts of at most 12 characters", () => {
  assertEquals(occursIn("twelve chars", "twelve chars of it"), false);
  for (const text of ["thirteen chars", '"thirteen chars"']) {
    assertEquals(occursIn(text, "thirteen chars of it"), true);
  }
  assertEquals([occursIn("thirteen char", "thirteen char"), occursIn("thirteen rows", "it")], [
    true,
    false,
  ]);
});
