import { assertEquals, assertMatch } from "@std/assert";
import {
  PROGRESS_INTERVAL_MS,
  progressLine,
  progressOnStderr,
  SHOW_PROGRESS_BYTES,
} from "../../cli/progress.ts";

const TOTAL = SHOW_PROGRESS_BYTES;

function newLine(): {
  clock: { ms: number };
  shown: string[];
  show: (done: number, total: number) => void;
} {
  const clock = { ms: 5000 };
  const shown: string[] = [];
  const show = progressLine("Trimming", {
    write: (text) => void shown.push(text),
    now: () => clock.ms,
  });
  return { clock, shown, show };
}

Deno.test("progressLine() shows whole percentages at intervals, and a blank line at the end", () => {
  const { clock, shown, show } = newLine();
  show(1, TOTAL);
  assertEquals(shown, [], "what is done at once needs no progress");
  for (const share of [0.25, 0.259, 0.999]) {
    clock.ms += PROGRESS_INTERVAL_MS;
    show(share * TOTAL, TOTAL);
    clock.ms += 1;
    show(share * TOTAL, TOTAL);
  }
  assertEquals(shown.map((text) => text.trim()), [25, 25, 99].map((n) => `Trimming ... ${n}%`));
  // Each text has the same width and starts at the line's start, so it covers the text before it.
  for (const text of shown) assertMatch(text, /^\r.{20}\r$/);
  show(TOTAL, TOTAL);
  show(TOTAL, TOTAL);
  assertEquals(shown.slice(3), [`\r${" ".repeat(20)}\r`]);
});

Deno.test("progressLine() shows nothing for a small or a quick read", () => {
  const { clock, shown, show } = newLine();
  clock.ms += 10 * PROGRESS_INTERVAL_MS;
  show(5, TOTAL - 1);
  show(TOTAL - 1, TOTAL - 1);
  show(TOTAL, TOTAL);
  assertEquals(shown, []);
});

Deno.test({
  name: "progressOnStderr() is undefined when stderr is not a terminal",
  ignore: Deno.stderr.isTerminal(),
  fn: () => assertEquals(progressOnStderr("Trimming"), undefined),
});
