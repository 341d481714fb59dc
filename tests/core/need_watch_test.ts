import { assertEquals, assertStringIncludes } from "@std/assert";
import { DEEP_NEED, isWorthCutting, LIGHT_NEED, type NeedRules } from "../../src/core/need.ts";
import {
  type InputDecision,
  type NeedCall,
  type NeedDecision,
  type NeedResult,
  NeedWatch,
} from "../../src/core/need_watch.ts";

const LONG = Array.from({ length: 200 }, (_, line) => `line ${line} of some_file_name_${line}`)
  .join("\n");

/** Returns lines as Read does, each with its number. */
function readLines(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\tword `.repeat(4))
    .join("\n");
}

/** The age, in blocks, of a call whose result has just arrived. */
const ANSWERED = 1;

class Conversation {
  readonly decisions = new Map<string, NeedDecision<NeedResult>>();
  readonly inputs = new Map<string, InputDecision>();
  readonly #watch: NeedWatch<NeedCall, NeedResult>;

  constructor(keepRecent: number, rules: NeedRules = LIGHT_NEED) {
    this.#watch = new NeedWatch({
      rules,
      keepRecent,
      threshold: 500,
      scale: 1,
      noticeChars: 100,
      unitsToKeep: (text) => text.startsWith("fixed") ? text.length : 0,
      decide: (decision) => this.decisions.set(decision.result.id, decision),
      decideInput: ({ id }, decision) => this.inputs.set(id, decision),
    });
  }

  call(id: string, toolName: string, input: unknown, text = "ok", isCuttable = true): this {
    this.#watch.addCall({ id, toolName, input });
    this.#watch.addResult({ id, texts: [text], isError: false, isCuttable });
    return this;
  }

  refuse(id: string, toolName: string, input: unknown): this {
    this.#watch.addCall({ id, toolName, input });
    this.#watch.addResult({ id, texts: ["refused"], isError: true, isCuttable: true });
    return this;
  }

  say(text: string, times = 1): this {
    for (let count = 0; count < times; count++) this.#watch.addContent(text);
    return this;
  }

  finish(): this {
    this.#watch.finish();
    return this;
  }

  reasonOf(id: string): string | undefined {
    return this.decisions.get(id)?.reason;
  }

  keptOf(id: string): string | undefined {
    return this.decisions.get(id)?.kept[0];
  }
}

Deno.test("NeedWatch keeps the lines of an agent's report that identify the agent and its worktree", () => {
  const handles = ["agentId: a1 (use SendMessage)", "worktreePath: /p/w", "worktreeBranch: w"];
  const report = [LONG, ...handles, "<usage>tokens: 1"].join("\n");
  const talk = new Conversation(0, DEEP_NEED).call("a", "Agent", {}, report)
    .call("b", "Bash", { command: "x" }, report).finish();
  const keptBy = (id: string): string[] =>
    handles.filter((line) => talk.keptOf(id)?.includes(line) === true);
  assertEquals([keptBy("a"), keptBy("b")], [handles, []]);
});

Deno.test("NeedWatch keeps the newest results whole and digests older ones", () => {
  const talk = new Conversation(1).call("a", "Bash", { command: "x" }, LONG)
    .call("b", "Bash", { command: "x" }, LONG).finish();
  assertEquals([talk.reasonOf("a"), talk.reasonOf("b")], ["old", "newest"]);
  assertStringIncludes(talk.keptOf("a") ?? "", "line 0 of");
  assertEquals(talk.keptOf("b"), undefined);
});

Deno.test("NeedWatch keeps the passages of a read that surround names of the current work", () => {
  const talk = new Conversation(0).call("a", "Read", { file_path: "/a" }, LONG)
    .say("go on with some_file_name_30").finish();
  assertEquals(talk.reasonOf("a"), "worked on");
  const kept = talk.keptOf("a") ?? "";
  assertStringIncludes(kept, "line 30 of some_file_name_30");
  assertStringIncludes(kept, "line 50 of");
  assertEquals(kept.includes("line 52 of"), false);
});

Deno.test("NeedWatch keeps fewer lines around a name if more reads contain it", () => {
  const linesOf = (reads: number): number => {
    const talk = new Conversation(0);
    for (let id = 0; id < reads; id++) talk.call(`${id}`, "Read", { file_path: `${id}` }, LONG);
    talk.say("go on with some_file_name_30").finish();
    return talk.keptOf("0")?.match(/line \d+ of/g)?.length ?? 0;
  };
  const counts = [1, 2, 4, LIGHT_NEED.fade, LIGHT_NEED.fade + 1].map(linesOf);
  assertEquals(counts, [...new Set(counts)].toSorted((a, b) => b - a));
});

Deno.test("NeedWatch reports `read again` for a read whose lines a later read returned, and lists no names from it", () => {
  const talk = new Conversation(0)
    .call("a", "Read", { file_path: "/a", offset: 10, limit: 20 }, readLines(10, 29))
    .call("b", "Read", { file_path: "/a", offset: 5, limit: 100 }, readLines(5, 104))
    .call("c", "Read", { file_path: "/b" }, readLines(1, 104)).finish();
  assertEquals([talk.reasonOf("a"), talk.reasonOf("b")], ["read again", "old"]);
  assertEquals(talk.keptOf("a")?.includes("Names:"), false);
});

Deno.test("NeedWatch reports `read again` only if a later read returned all lines of the read", () => {
  const reasonAfter = (text: string): string | undefined =>
    new Conversation(0).call("a", "Read", { file_path: "/a", offset: 100 }, readLines(100, 200))
      .call("b", "Read", { file_path: "/a", offset: 100 }, text).say("a").finish().reasonOf("a");
  const unchanged = "Wasted call — file unchanged since your last Read.";
  assertEquals(reasonAfter(unchanged), "old");
  assertEquals(reasonAfter(readLines(1, 199)), "old");
  assertEquals(reasonAfter(readLines(101, 300)), "old");
  assertEquals(reasonAfter(readLines(1, 200)), "read again");
  assertEquals(reasonAfter(readLines(100, 200).replaceAll(/^/gm, "  ")), "read again");
});

Deno.test("NeedWatch ignores writes and edits that were refused or failed", () => {
  const talk = new Conversation(0).call("a", "Write", { file_path: "/a" })
    .refuse("b", "Write", { file_path: "/a" }).refuse("c", "Edit", { file_path: "/a" })
    .say("on", LIGHT_NEED.oldTextAge + 1).finish();
  assertEquals([...talk.inputs.keys()], []);
});

Deno.test("NeedWatch keeps results that are protected, short or already cut", () => {
  const talk = new Conversation(0).call("a", "Read", { file_path: "/a" }, LONG, false)
    .call("b", "Read", { file_path: "/b" }, "short")
    .call("c", "Read", { file_path: "/c" }, `fixed ${LONG}`).finish();
  assertEquals([talk.reasonOf("a"), talk.keptOf("b"), talk.keptOf("c")], Array(3).fill(undefined));
});

Deno.test("NeedWatch cuts text that a call wrote long ago only in a deep trim", () => {
  const textsOf = (rules: NeedRules): readonly string[] | undefined =>
    new Conversation(1, rules).call("a", "Write", { file_path: "/a" }, "ok")
      .say("on", DEEP_NEED.wholeTextAge).finish().inputs.get("a")?.argumentNames;
  assertEquals([textsOf(LIGHT_NEED), textsOf(DEEP_NEED)], [undefined, ["content"]]);
});

Deno.test("NeedWatch cuts an edit's old text after a while, and its new text later if the file was read since", () => {
  const textsAt = (age: number, isReadSince: boolean): readonly string[] | undefined => {
    const talk = new Conversation(1, DEEP_NEED).call("a", "Edit", { file_path: "/a" });
    const afterRead = isReadSince ? talk.call("b", "Read", { file_path: "/a" }) : talk.say("on", 2);
    return afterRead.say("on", age - ANSWERED - 2).finish().inputs.get("a")?.argumentNames;
  };
  const { oldTextAge, newTextAge } = DEEP_NEED;
  assertEquals(textsAt(oldTextAge, true), undefined);
  assertEquals(textsAt(oldTextAge + 1, true), ["old_string"]);
  assertEquals(textsAt(newTextAge, true), ["old_string"]);
  assertEquals(textsAt(newTextAge + 1, true), ["old_string", "new_string"]);
  assertEquals(textsAt(newTextAge + 1, false), ["old_string"]);
});

Deno.test("NeedWatch keeps a read whole until it is old, or until a message or a call other than a read mentions its file", () => {
  const { blocks, share } = LIGHT_NEED.unused;
  const reasonAfter = (then: (talk: Conversation) => Conversation): string | undefined => {
    const talk = new Conversation(0).call("other", "Bash", {}, LONG.repeat(Math.ceil(1 / share)));
    return then(talk.call("a", "Read", { file_path: "/src/fit_sections.ts" }, LONG)).finish()
      .reasonOf("a");
  };
  assertEquals(reasonAfter((talk) => talk), "not used yet");
  const second = { file_path: "/src/fit_sections.ts", offset: 900, limit: 5 };
  assertEquals(reasonAfter((talk) => talk.call("b", "Read", second)), "not used yet");
  assertEquals(reasonAfter((talk) => talk.say("look at fit_sections.ts")), "old");
  const edit = { file_path: "/src/fit_sections.ts", old_string: "1", new_string: "2" };
  assertEquals(reasonAfter((talk) => talk.call("b", "Edit", edit)), "old");
  // The result of the read counts as the first of the blocks.
  assertEquals(reasonAfter((talk) => talk.say("on", blocks - 1)), "not used yet");
  assertEquals(reasonAfter((talk) => talk.say("on", blocks)), "old");
});

Deno.test("NeedWatch keeps the newest unused reads, up to their share of all results", () => {
  const talk = new Conversation(0);
  const reads = 10;
  for (let id = 0; id < reads; id++) talk.call(`${id}`, "Read", { file_path: `/f${id}.ts` }, LONG);
  talk.finish();
  const whole = Array.from({ length: reads }, (_, id) => talk.reasonOf(`${id}`) === "not used yet");
  const count = Math.floor(reads * LIGHT_NEED.unused.share);
  assertEquals(whole, whole.map((_, id) => id >= reads - count));
});

Deno.test("NeedWatch cuts the text of a file that was rewritten, an edit's old text, and the file text in a confirmation", () => {
  const confirmation = `The file /a has been updated. Here is what it looks like now:\n${LONG}`;
  const talk = new Conversation(0).call("a", "Write", { file_path: "/a" }, "ok")
    .call("b", "Edit", { file_path: "/a" }, confirmation)
    .say("on", LIGHT_NEED.oldTextAge)
    .call("c", "Write", { file_path: "/a" }, "ok").call("d", "Edit", { file_path: "/a" }).finish();
  assertEquals(talk.inputs.get("a")?.argumentNames, ["content"]);
  assertEquals(talk.inputs.get("b")?.argumentNames, ["old_string"]);
  assertEquals([talk.inputs.has("c"), talk.inputs.has("d")], [false, false]);
  assertEquals(talk.reasonOf("b"), "confirmation");
  assertEquals(talk.keptOf("b"), confirmation.replace(LONG, "…"));
});

Deno.test("NeedWatch keeps a failure in the digest of an output, at both depths", () => {
  const passing = Array.from({ length: 400 }, (_, n) => `--- PASS: TestNumber${n} (0.00s)`);
  const failure = ["--- FAIL: TestRewind (0.04s)", "    rewind_test.go:88: want 3 files, got 2"];
  const output = [...passing, ...failure, ...passing, "FAIL", "FAIL    example.com/cli 2.310s"];
  for (const rules of [LIGHT_NEED, DEEP_NEED]) {
    const talk = new Conversation(0, rules).call("a", "Bash", {}, output.join("\n")).finish();
    const kept = talk.keptOf("a") ?? "";
    assertStringIncludes(kept, failure.join("\n"));
    assertStringIncludes(kept, output.at(-1) ?? "");
    assertEquals(kept.includes("Names:"), false);
    // In a file that was read, a line that mentions an error is code, so it is not kept as an error.
    const read = new Conversation(0, rules).call("a", "Read", {}, output.join("\n")).finish();
    assertEquals(read.keptOf("a")?.includes("rewind_test"), false);
  }
});

Deno.test("NeedWatch cuts only results that become much smaller", () => {
  const keptOf = (text: string): string | undefined =>
    new Conversation(0, DEEP_NEED).call("a", "Edit", {}, text).finish().keptOf("a");
  const failed = `String to replace not found in file.\n${"x".repeat(226)}`;
  assertEquals(keptOf(failed), undefined, "263 characters would become about 150");
  assertEquals(keptOf(`${failed}\n${"more of it\n".repeat(30)}`)?.startsWith("String to"), true);
});

Deno.test("isWorthCutting() demands 200 saved characters and 30 % of the text", () => {
  assertEquals([300, 301].map((after) => isWorthCutting(500, after)), [true, false]);
  assertEquals([700, 701].map((after) => isWorthCutting(1_000, after)), [true, false]);
});
