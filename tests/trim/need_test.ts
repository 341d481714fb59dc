import { assert, assertEquals } from "@std/assert";
import { trimByLength } from "./by_length.ts";
import { resultsOf, SessionBuilder, text, toolUse } from "./build_session.ts";

function longText(seed: string, lines = 240): string {
  return Array.from({ length: lines }, (_, line) => `${line}\tcall(${seed}_name${line}, ${line});`)
    .join("\n");
}

function fullSession(): SessionBuilder {
  const session = new SessionBuilder().user("start");
  for (let count = 0; count < 30; count++) {
    session.call(`r${count}`, "Read", { file_path: `/f${count}` }, longText(`read${count}`));
    session.call(`b${count}`, "Bash", { command: `check /f${count}` }, longText(`bash${count}`));
  }
  const names = Array.from({ length: 28 }, (_, count) => `read${count}_name60`);
  return session.user(`go on with ${names.join(", ")}`);
}

Deno.test("trimTranscript() with `need` does not treat output of the client's commands as current work", () => {
  const printed = (words: string): string[] => {
    const session = new SessionBuilder().user("start");
    for (let n = 0; n < 9; n++) session.call(`b${n}`, "Bash", { command: "ls" }, longText(`b${n}`));
    session.call("r", "Read", { file_path: "/p/page_5.txt" }, longText("page"));
    session.line({ type: "system", subtype: "local_command", content: words });
    using place = session.user("go on").write();
    trimByLength({ ...place, keep: "need", keepRecent: 0 });
    return [...resultsOf(place.output).values()].map((text) => JSON.stringify(text));
  };
  const listed = "By file:\n  19,392  page_5.txt";
  const stdout = `<local-command-stdout>trimtab: ${listed}</local-command-stdout>`;
  assertEquals(printed(stdout), printed(""));
  assert(printed(listed).join() !== printed("").join(), "other text counts as work on the file");
});

Deno.test("trimTranscript() keeps results that the model has not read, unless a target needs them or `keepRecent` is 0", () => {
  const ids = Array.from({ length: 8 }, (_, count) => `n${count}`);
  const cutOf = (
    options: { readonly keepRecent?: number; readonly targetPercent?: number },
    end: (session: SessionBuilder) => void = () => {},
  ): string[] => {
    const session = new SessionBuilder().user("start");
    for (const id of ["o1", "o2"]) session.call(id, "Bash", { command: "make" }, longText(id));
    session.assistant("batch", ids.map((id) => toolUse(id, "Bash", { command: `cat ${id}` })));
    for (const id of ids) session.result(id, longText(id));
    end(session);
    using place = session.write();
    trimByLength({ ...place, keepRecent: 2, limitTokens: 200_000, ...options });
    return [...resultsOf(place.output)].filter(([id, content]) => content !== longText(id))
      .map(([id]) => id);
  };
  const old = ["o1", "o2"];
  const answer = (words: string) => (session: SessionBuilder): void => {
    session.assistant("end", [text(words)]);
  };
  const interrupt = (session: SessionBuilder): void => {
    session.user("[Request interrupted by user for tool use]");
  };
  for (const end of [undefined, interrupt, answer("No response requested.")]) {
    assertEquals(cutOf({}, end), old);
  }
  assertEquals(cutOf({}, answer("I see.")), [...old, ...ids.slice(0, 6)]);
  assertEquals(cutOf({ keepRecent: 0 }), [...old, ...ids]);
  const [first, ...others] = cutOf({ targetPercent: 36 });
  assertEquals([first, others[0]], old, "the target needs more than the old results");
  assert(others.length > 1 && others.length < 7, others.join());
});

Deno.test("trimTranscript() cuts the least needed results first until it reaches a target", () => {
  using place = fullSession().write();
  const options = { input: place.input, keep: "need", keepRecent: 5 } as const;
  const all = trimByLength(options);
  const { before, after } = all.tokens;
  const limitTokens = before;
  // Halfway to the full trim: outputs of commands outside the current work are cut first.
  const half = Math.ceil((100 * (before + after) / 2) / before);
  const partialTrim = trimByLength({ ...options, limitTokens, targetPercent: half });
  assertEquals(partialTrim.target?.is_reached, true);
  assert((partialTrim.by_tool["Bash"]?.count ?? 0) > (partialTrim.by_tool["Read"]?.count ?? 0));
  assert(partialTrim.trimmed_count < all.trimmed_count);
  // This target is below the size that a light trim reaches.
  const lowTarget = Math.ceil((100 * after) / before) - 3;
  const deep = trimByLength({ ...options, limitTokens, targetPercent: lowTarget });
  assert(deep.tokens.after < after, `${deep.tokens.after} of ${after}`);
  const none = trimByLength({ ...options, keepRecent: 100, limitTokens, targetPercent: 36 });
  assertEquals(none.target?.is_reached, false);
});

Deno.test("trimTranscript() lists the line, the tool and the reason of each cut, and counts results in use", () => {
  using place = fullSession().write();
  const options = { input: place.input, keep: "need", keepRecent: 5, explain: true } as const;
  const { explained = [], trimmed_count, worked_on_count } = trimByLength(options);
  assertEquals(explained.length, trimmed_count);
  assertEquals(explained.filter(({ reason }) => reason === "worked on").length, worked_on_count);
  assertEquals(worked_on_count, 28);
  const { chars_saved: _, ...first } = explained[0] ?? {};
  assertEquals(first, { line: 3, tool: "Read", part: "result", reason: "worked on" });
});

Deno.test("trimTranscript() with `need` counts long reads that it keeps because the session has not used them yet", () => {
  const session = new SessionBuilder().user("start");
  for (let n = 0; n < 9; n++) session.call(`b${n}`, "Bash", { command: "make" }, longText(`b${n}`));
  session.call("r", "Read", { file_path: "/r" }, longText("read"))
    .call("s", "Read", { file_path: "/s" }, longText("short", 2));
  using place = session.write();
  const { trimmed_count, kept_unused_count } = trimByLength({ ...place, keep: "need" });
  assertEquals([trimmed_count, kept_unused_count], [9, 1]);
});

Deno.test("trimTranscript() with `need` treats a prompt that was queued during a turn as current work", () => {
  const queued = { type: "queued_command", commandMode: "prompt", prompt: "use read20_name200" };
  using place = fullSession().user("wait").line({ type: "attachment", attachment: queued }).write();
  trimByLength({ ...place, keep: "need", keepRecent: 5 });
  const kept = JSON.stringify(resultsOf(place.output).get("r20"));
  assert(kept.includes("call(read20_name200, 200)"), kept);
  assert(!kept.includes("call(read20_name90, 90)"), kept);
});
