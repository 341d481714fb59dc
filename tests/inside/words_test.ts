import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { InsideTrim } from "../../src/inside/trim.ts";
import type { Turn } from "../../src/inside/turns.ts";
import { copyReason, describeDrop, describeInside, describeUndo } from "../../src/inside/words.ts";
import { trimOf } from "./trims.ts";

const LOSSES = { thinking: 0, thinkingTokens: 0, loadedTools: 0, lostTypes: [] };

Deno.test("describeInside() mentions cuts and their undo only if something was cut", () => {
  const textFor = (cuts: Partial<InsideTrim["cuts"]>): string => describeInside(trimOf({ cuts }));
  for (
    const [cuts, words] of [
      [{ results: new Map([["toolu_1", "short"]]) }, "1 tool output"],
      [
        { inputs: new Map([["toolu_2", {}]]) },
        "0 tool outputs and 1 input of Write and Edit calls",
      ],
    ] as const
  ) {
    const text = textFor(cuts);
    assert(text.startsWith(`trimmed in place: ${words} cut, `), text);
    assertStringIncludes(text, ". Undo: /trim --undo. ");
  }
  assert(!textFor({}).includes("cut,") && !textFor({}).includes("Undo"), textFor({}));
});

Deno.test("describeInside() mentions a target only if the trim has one and did not reach it", () => {
  const target = { percent: 20, tokens: 40_000 };
  const mentions = (fields: Partial<Pick<InsideTrim, "target" | "isReached">>): boolean =>
    describeInside(trimOf(fields)).includes("20% cannot be reached");
  assertEquals(mentions({ target, isReached: false }), true);
  assertEquals([mentions({ target }), mentions({ isReached: false })], [false, false]);
});

Deno.test("describeDrop() lists single turns, and shortens consecutive ones to a range", () => {
  const droppedFrom = (...numbers: number[]): string => {
    const turns = numbers.map((number) => ({ number })) as unknown as Turn[];
    return describeDrop(turns, trimOf({})).split(" removed")[0] ?? "";
  };
  assertEquals([droppedFrom(2), droppedFrom(2, 3), droppedFrom(2, 4)], [
    "1 turn (#2)",
    "2 turns (#2 to #3)",
    "2 turns (#2, #4)",
  ]);
});

Deno.test("describeUndo() lists what was restored", () => {
  const undone = { results: 0, inputs: 0, media: 0, isDropped: false, isFull: false };
  assertEquals(describeUndo({ ...undone, results: 2 }), "trim undone: 2 tool outputs restored");
  const turns = describeUndo({ ...undone, isDropped: true, isFull: true });
  assert(turns.startsWith("trim undone: the turns restored; that fills the window"), turns);
});

Deno.test("copyReason() explains a loss, and returns undefined without one", () => {
  assertEquals(copyReason({ losses: LOSSES, mediaInUse: 0 }), undefined);
  const picture = copyReason({ losses: LOSSES, mediaInUse: 1 });
  assertStringIncludes(picture ?? "", "1 picture or document of the newest turn");
  const lost = copyReason({ losses: { ...LOSSES, lostTypes: ["sound"] }, mediaInUse: 0 });
  assertEquals(lost, "a change in place would lose blocks of type sound");
});
