import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { LEFT_OUT, withoutCode } from "../../src/inject/code_blocks.ts";
import { cutEnds, cutText, excerptEnds, longestEnds } from "../../src/inject/ends.ts";
import { cutAfterHead } from "../../src/layout/prompt_text.ts";

const WORDS = "It goes on with many words. ".repeat(20);

function items(name: string, count: number): string {
  return Array.from({ length: count }, (_, n) => `- ${name} ${n} ${"and more ".repeat(24)}`)
    .join("\n");
}

Deno.test("cutText() does not change text that just fits, and shortens longer text", () => {
  const list = items("word", 6);
  assertEquals(cutText(list, list.length), list);
  assert(cutText(list, list.length - 1).length < list.length);
});

Deno.test("cutText() returns text that just fits unchanged, and accepts a shortened list that just fits", () => {
  const list = `Do this:\n\n${items("word", 6)}`;
  assertEquals(cutText(list, list.length), list);
  const short = cutText(list, 1_000);
  assertEquals(cutText(list, short.length), short);
  assertEquals(cutEnds(WORDS, WORDS.length), WORDS);
  const longest = "x ".repeat(24 * 1024);
  assertEquals(longestEnds(longest), longest);
  assertStringIncludes(longestEnds(`${longest}x`), LEFT_OUT);
});

Deno.test("cutText() cuts items at their limit, before a verdict if they have one", () => {
  let count = 0;
  const item = (size: number, end = ""): string =>
    `- ${"abcdef"[count++]}${"x".repeat(size - 3 - end.length)}${end}`;
  const path = (size: number): string => `- src/core/rows/${"x".repeat(size - 19)}.ts`;
  const sizesOf = (text: string): number[] => text.split("\n").map(({ length }) => length);
  const plain = [item(240), path(240), item(241), path(240), item(300)];
  assertEquals(sizesOf(cutText(plain.join("\n"), 1_205)), [240, 240, 240, 240, 240]);
  const verdict = " - Already fixed";
  const marked = [item(96, verdict), item(241, verdict), item(290, verdict)];
  const cut = cutText(marked.join("\n"), 600);
  assertEquals(sizesOf(cut), [96, 240, 240]);
  assertEquals(cut.split(verdict).length, 4);
});

Deno.test("cutText() keeps next steps of up to three fifths of the limit, and options of up to four fifths", () => {
  const steps = "Next steps:\n- Write the schema\n- Ship it all now".padEnd(58, "x");
  assertStringIncludes(cutText(`${WORDS}\n${steps}\n`, 100), steps);
  assert(!cutText(`${WORDS}\n${steps}\n`, 99).includes(steps));
  const offer = "Which do you prefer?\n1. Keep it\n2. Move it".padEnd(79, "x");
  assertStringIncludes(cutText(`${WORDS}\n${offer}`, 100), offer);
});

Deno.test("cutEnds() keeps as many whole sentences at both ends as fit", () => {
  const text = Array.from("abcdefghijklmnopqrstuvwx", (name) => `It is sentence x${name}.`);
  const ends = (head: number, tail: number): string =>
    [text.slice(0, head), text.slice(-tail)].map((part) => part.join(" ")).join(LEFT_OUT);
  const cut = (maxChars: number, last = ""): string =>
    cutEnds(`${text.join(" ")}${last}`, maxChars, 1 / 2);
  assertEquals([cut(99), cut(98)], [ends(3, 2), ends(2, 3)]);
  assertEquals(cut(79), `${ends(1, 2).replace(LEFT_OUT, ` It is sentence${LEFT_OUT}`)}`);
  // The last sentence takes two thirds of the room, and a longer one is cut.
  const last = `${"Last words ".repeat(5)}Last wordx.`;
  const whole = cutEnds(`${text.join(" ")} ${last}`, 104);
  assertEquals(whole, `${ends(1, 1).split(LEFT_OUT)[0]}${LEFT_OUT}${last}`);
  const longer = cutEnds(`${text.join(" ")} ${last.replace("x.", "xy.")}`, 104);
  assert(longer.endsWith(`${LEFT_OUT}words Last words Last words Last wordxy.`), longer);
  const opening = `${"Many words ".repeat(11)}and more.`;
  const opened = cutEnds(
    `${opening} Then ${"it goes on and ".repeat(60)}${text.join(" ")}`,
    513,
    1 / 2,
  );
  assert(opened.startsWith(`${opening}${LEFT_OUT}`), opened);
});

Deno.test("cutEnds() shows the sentence before a back reference if both fit", () => {
  const cut = (last: string): string => cutEnds(`${WORDS}${last} That is it.`, 104);
  const last = `${"Last words ".repeat(4)}Last worx.`;
  assert(cut(last).endsWith(`${LEFT_OUT}${last} That is it.`), cut(last));
  const longer = last.replace("x.", "xy.");
  assert(cut(longer).endsWith(`${LEFT_OUT}That is it.`), cut(longer));
});

Deno.test("cutText() keeps a list or a paragraph of next steps whole if it fits", () => {
  const steps =
    "## Next steps\n\n1. Write the schema\n2. Add the fixtures\n   - for Java\n3. Ship it\n";
  const cut = cutText(`The work\n\n${WORDS}\n\n${steps}\n${WORDS}`, 600);
  assertStringIncludes(cut, steps.trim());
  assert(cut.length <= 600 && cut.startsWith("The work"), cut);
  const long = `## Next steps\n${"1. Write some more of the schema\n".repeat(40)}`;
  assert(cutText(`The work\n\n${long}`, 600).length <= 600);
  const merged = "The workaround can go once it is merged.";
  const above = cutText(`${WORDS}\n\n## Next steps\n\n${merged}`, 400);
  assert(above.endsWith(merged), above);
});

Deno.test("cutText() marks a sentence that it leaves out between two lists", () => {
  const between = `But the decision is not made by these. ${"It is another. ".repeat(9)}`;
  const text = `The command shows:\n${items("shown", 3)}\n\n${between}\n\n${items("used", 3)}`;
  const short = cutText(text, 470);
  assert(!short.includes("But the decision"), short);
  assertStringIncludes(short, "\n[…]\n- used 0");
});

Deno.test("cutText() keeps the paragraph below a list, even if an announcement follows it", () => {
  const limit = "For reads, no fetch is needed: the local branch is enough.";
  const list = `The way would be:\n${items("fetch", 4)}`;
  for (const after of ["", "\n\nNow let me write the plan:"]) {
    const between = Array.from({ length: 6 }, (_, at) => `Part ${at} of it. ${WORDS}\n\n`).join("");
    const short = cutText(`${WORDS}\n\n${list}\n\n${between}${limit}${after}`, 620);
    assert(short.length <= 620);
    assertStringIncludes(short, limit);
    assertStringIncludes(short, "- fetch 0");
  }
});

Deno.test("cutText() keeps the head of each item of a list that is too long", () => {
  const item = (n: number): string =>
    `${n}. Change file${n}.ts so that ${"it does more ".repeat(20)}`;
  const list = `Do this:\n${[1, 2, 3, 4].map(item).join("\n\n")}\nThen stop.`;
  const cut = cutText(list, 500);
  assert(cut.length <= 500, `${cut.length}`);
  assert(cut.startsWith("Do this:\n1. Change file1.ts so that"), cut);
  assert(cut.endsWith("…\nThen stop."), cut);
  for (const n of [2, 3, 4]) assertStringIncludes(cut, `\n${n}. Change file${n}.ts so that it`);
  assertStringIncludes(cutText(list, 150), LEFT_OUT);
});

Deno.test("cutText() keeps the file name of each item, but not the outer folders of its path", () => {
  const files = ["open.ts", "close.ts", "rows.ts", "cells.ts"];
  const items = files.map((file) =>
    `- \`packages/core/src/${file}\` - ${"check the rows, ".repeat(9)}`
  );
  const text = `Plan:\n${items.join("\n")}`;
  for (const maxChars of [text.length - 1, 600, 360, 300]) {
    const short = cutText(text, maxChars);
    for (const file of files) assertStringIncludes(short, `\`…/src/${file}\` - check`, short);
  }
});

Deno.test("cutText() does not shorten two items to the same text, and keeps a short answer below its label", () => {
  const path = "`cmd/entire/cli/strategy/manual_commit_condensation_of_sessions.go`";
  const twins = [1, 2, 3].map((n) => `${n}. ${path} calls part ${n} ${"of it ".repeat(20)}`);
  const cut = cutText(`The flow:\n${twins.join("\n")}\n${WORDS}`, 320);
  const heads = cut.split("\n").filter((line) => line.endsWith("…")).map((line) => line.slice(3));
  assertEquals(new Set(heads).size, heads.length, cut);
  const report = `${WORDS}\n\n**Files:**\n${items("file", 12)}\n\n**Issues:**\nNone.\n`;
  assertStringIncludes(cutText(report, 900), "**Issues:**\nNone.");
});

Deno.test("cutText() keeps the options at the end whole, because the reply refers to one of them", () => {
  const offer =
    "Would you like me to:\n1. **Keep it** local\n2. **Move it** away\n3. **Add it** anyway";
  for (const end of ["", "\n\nWhich one do you prefer?"]) {
    const cut = cutText(`${WORDS}\n${WORDS}\n${offer}${end}`, 240);
    assert(cut.endsWith(`\n${offer}${end}`), cut);
    assert(cut.length <= 240, `${cut.length}`);
  }
});

Deno.test("cutText() keeps an answer, the last question, and the line before a list", () => {
  const answer = "**No** - the code is not written.";
  const parts = [
    ...["The files", WORDS, "## Do the tests pass?", WORDS, answer, items("kept", 4)],
    ...[`**Not filtered:**\n${items("plain", 4)}`, WORDS, "Shall I go on?"],
  ];
  const cut = cutText(parts.join("\n\n"), 1_100);
  for (const line of [answer, "**Not filtered:**", "Shall I go on?"]) {
    assertStringIncludes(cut, line);
  }
  assert(cut.length <= 1_100, `${cut.length}`);
});

Deno.test("cutText() keeps the line that introduces the items after a gap", () => {
  const lines = ["The tests check:", items("branch", 14), "But these are missing:"];
  const short = cutText([...lines, items("hash", 14)].join("\n"), 700);
  assertStringIncludes(short, "The tests check:");
  assertStringIncludes(short, "[…] But these are missing:\n[…]\n- hash");
  const fields = Array.from({ length: 9 }, (_, n) => `   - field ${n} is read`).join("\n");
  const options = `${WORDS}\nWould you like me to:\n1. Add a test:\n${fields}\n2. Stop?`;
  assertStringIncludes(cutText(options, 200, 1 / 4), "[…] 1. Add a test:\n[…]\n- field");
});

Deno.test("cutText() cuts after a sentence if little is lost, but not after a number", () => {
  const text = `${"A long sentence of it. ".repeat(6)}Then another that ${"goes on ".repeat(60)}.`;
  assertStringIncludes(cutText(text, 220), `A long sentence of it.${LEFT_OUT}`);
  const list = `${"words ".repeat(18)}as in 1. the other ${"words ".repeat(60)}`;
  assert(!cutText(list, 200).includes(`1.${LEFT_OUT}`));
});

Deno.test("cutText() keeps the headings of a plan that is too long, and drops its code", () => {
  const headings = [1, 2, 3, 4, 5].map((n) => `## Step ${n}: change file${n}.ts`);
  const body = `\n\n${WORDS}\n\n\`\`\`ts\nconst a = 1;\n\`\`\``;
  const steps = headings.map((heading) => heading + body);
  const cut = cutText(`The plan\n\n${steps.join("\n")}`, 230);
  const marked = ["The plan", ...headings.flatMap((heading) => [heading, "(2 more)"])];
  assertEquals(cut.split("\n"), marked);
});

Deno.test("cutText() keeps a failing test's expectation whole, and shortens other lines", () => {
  const expected =
    "login_test.go:808: the second commit should not have a trailer that names the first";
  const cut = cutText(["--- FAIL: TestLogin", items("file.go", 4), expected].join("\n"), 440);
  assertStringIncludes(cut, expected);
  assert(!cut.includes("and more ".repeat(12)), cut);
});

Deno.test("cutText() keeps the closing question and a bold verdict whole", () => {
  const asked = `Shall I ${"add it here, or note it and ".repeat(5)}go on?`;
  const verdict = "**Verdict: a real gap, but rare.**";
  const cut = cutText([items("cause", 9), WORDS, verdict, WORDS, asked].join("\n\n"), 900);
  assertStringIncludes(cut, verdict);
  assert(cut.endsWith(asked), cut);
});

Deno.test("cutEnds() does not begin the kept end with a sentence that refers to omitted text", () => {
  const cut = (...ends: string[]): string =>
    cutEnds(`${WORDS} ${WORDS} ${ends.join(" ")}`, 160).split(LEFT_OUT)[1] ?? "";
  const later = "I will report it when it is through, and commit it then.";
  assertEquals(cut("Say so to start it now; otherwise I start it later.", later), later);
  const asked = "Shall I move it into a package?";
  const gain = "That would be cleaner.";
  assertEquals(cut(asked, gain), `${asked} ${gain}`);
  const marked = cutEnds(`${"It has: […]\n".repeat(3)}${WORDS}`, 60);
  assert(!marked.includes("[…] […]"), marked);
  assertEquals(cut(`${"word ".repeat(40)}end.`, gain), gain, "nothing else fits");
});

Deno.test("cutEnds() never shows only part of a name in a path", () => {
  const path = Array.from({ length: 12 }, (_, n) => `folder${n}`).join("/");
  for (let maxChars = 60; maxChars < path.length; maxChars++) {
    const names = cutEnds(path, maxChars).split(/\/| \[…\] /).filter((name) => name !== "");
    for (const name of names) assertStringIncludes(`/${path}/`, `/${name}/`);
  }
});

Deno.test("withoutCode() removes code blocks if enough words remain, but keeps short commands and a table that a question is about", () => {
  const block = "```text\n| a |\n~~~\n```\n";
  assertEquals(withoutCode(`${WORDS}\n${block}after`), `${WORDS}\n[…]\nafter`);
  assertEquals(withoutCode(`${WORDS}\nof:\n${block}to`), `${WORDS}\nof:\n[…]\nto`);
  assertEquals(withoutCode(`${WORDS}\nof:\n${block}`), `${WORDS}\nof:\n[…]\n`);
  assertEquals(withoutCode(`${WORDS}\n~~~\nopen`), `${WORDS}\n[…]\n`);
  assertEquals(withoutCode(`Like this:\n${block}`), `Like this:\n${block}`);
  const asked = `${WORDS}\n${block}Shall I?`;
  assertEquals(withoutCode(asked), `${WORDS}\n| a |\nShall I?`, "the question is about the table");
  assertEquals(withoutCode(asked.replace("| a |", "x".repeat(301))), `${WORDS}\n[…]\nShall I?`);
  const shown = (code: string, tag = "bash"): string =>
    withoutCode(`${WORDS}\n\`\`\`${tag}\n${code}\n\`\`\`\nafter`).split("\n")[1] ?? "";
  assertEquals(shown("deno task test"), "`deno task test`");
  assertEquals(
    shown("# Once:\nlogin\n\ndeno run \\\n  --all main.ts"),
    "`login; deno run --all main.ts`",
  );
  assertEquals(shown("a\nb\nc"), "`a; b; c`");
  for (
    const code of [
      "a\nb\nc\nd",
      "cat <<EOF\nx\nEOF",
      "if x; then {\n  a\n}",
      "a |\nb",
      "x".repeat(401),
      "",
    ]
  ) {
    assertEquals(shown(code), "[…]", code);
  }
  assertEquals(shown("const a = 1;", "ts"), "[…]");
});

Deno.test("cutEnds() shows the title of the section in which the kept end begins", () => {
  const text = `### 3: Copies\n**Verdict: minor.**\n${WORDS}\n### 7: Stale branch\n` +
    `**Verdict: a real gap.**\n${WORDS}\n**The gap:** Nothing checks the branch of a session.`;
  for (const one of [text, text.replaceAll("\n", " ")]) {
    const cut = cutEnds(one, 240).replaceAll("\n", " ");
    assertStringIncludes(cut, "[…] ### 7: Stale branch");
    assert(cut.endsWith("**The gap:** Nothing checks the branch of a session."), cut);
  }
  const plain = text.replace("**The gap:** Nothing", "Nothing");
  const cutPlain = cutEnds(plain, 240);
  assertStringIncludes(cutPlain, "### 7: Stale branch […] **Verdict: a real gap.** […] ");
});

Deno.test("cutEnds() does not show a bold sentence about omitted text as the title of a section", () => {
  const tail = "The fix is the same: read the index once, and never write it back.";
  const cutWith = (bold: string): string =>
    cutEnds(`${WORDS}It may be new in June. **${bold}** ${WORDS.slice(0, 200)}${tail}`, 300, 1 / 2);
  assertStringIncludes(cutWith("Second cause:"), "[…] **Second cause:** […]");
  const short = cutWith("That's the change that broke it.");
  assertEquals(short.includes("That's the change"), false, short);
  assert(short.endsWith(tail), short);
});

Deno.test("cutText() leaves out praise first", () => {
  const text = `## Review\n\n${items("bug", 3)}\n\n### Strengths\n- ${WORDS}\n\n### Next\nShip it.`;
  const cut = cutText(text, 900);
  assert(!cut.includes("Strengths"), cut);
  assertStringIncludes(cut, "### Next\nShip it.");
});

Deno.test("excerptEnds() shortens the cells of a row separately", () => {
  const rows = ["called", "returns", "checks"].map((name) =>
    `| ${name} | ${"in the middle of a session ".repeat(4)} | ${"at its start ".repeat(9)} |`
  );
  const cut = excerptEnds(["| Row | a.go | b.go |", "|--|--|--|", ...rows].join("\n"), 420);
  const parts = cut.split("\n").slice(1);
  for (const line of parts) {
    assert(/^- \w+: in the middle[^;]*…; at its start[^;]*…$/.test(line), line);
  }
});

Deno.test("excerptEnds() turns a table into a list, which stays readable on one line", () => {
  const table =
    "Done:\n\n| File | What |\n|---|---|\n| `a.ts` | reads it |\n| `b.ts` | prints it |\n";
  const list = "Done: - `a.ts`: reads it - `b.ts`: prints it";
  assertEquals(excerptEnds(table, 200).replaceAll(/\s+/g, " ").trim(), list);
});

Deno.test("excerptEnds() shows the headers of a table with three or more columns", () => {
  const table =
    "| Remote | SSH | HTTPS |\n|---|---|---|\n| new | works | fails |\n| old | works | |\n";
  const items = (text: string): string => excerptEnds(text, 400).replaceAll(/\s+/g, " ").trim();
  assertEquals(items(table), "- new: SSH works; HTTPS fails - old: SSH works; HTTPS");
  const long = table.replace("fails", "fails because nobody sends a token");
  const list = "- new: works; fails because nobody sends a token - old: works";
  assertEquals(items(long), `Remote (SSH; HTTPS): ${list}`);
  assertEquals(items("| a | b |\n"), "- a: b");
});

Deno.test("cutText() keeps an item's verdict", () => {
  const title = `**Hooks ${"that were not found ".repeat(6)}**`;
  const list = Array.from({ length: 12 }, (_, n) => `${n + 1}. ${n} ${title} - **Already fixed**`);
  const cut = cutText(list.join("\n"), 1_200);
  assertEquals(cut.match(/… - \*\*Already fixed\*\*$/gm)?.length, 12, cut);
  const remarked = list.map((line) => `${line} (${"with a prefix ".repeat(4)})`);
  const cutRemarked = cutText(remarked.join("\n"), 1_200);
  assertEquals(cutRemarked.match(/… - \*\*Already fixed\*\*$/gm)?.length, 12, cutRemarked);
});

Deno.test("cutEnds() does not keep half of a remark in parentheses", () => {
  const options =
    "1. **Leave it local (don't commit).** It stays out of git, as all other notes of " +
    "this kind do here. 2. **Take another path**, and commit it there. Which one do you want?";
  for (let maxChars = 110; maxChars < options.length; maxChars++) {
    const cut = cutEnds(options, maxChars, 1 / 4);
    assert(!/\] \S*commit\)/.test(cut) && !/don't \[/.test(cut), cut);
    assert(cut.startsWith("1. **Leave"), cut);
  }
});

Deno.test("excerptEnds() keeps head and tail, cut between words", () => {
  const cut = excerptEnds(Array.from({ length: 100 }, (_, n) => `w${n}`).join(" "), 60);
  assert(cut.length <= 60);
  assert(/^w0 w1 [w\d ]*w\d+ \[…\] w\d+ [w\d ]*w99$/.test(cut), cut);
  assertEquals(excerptEnds("short", 60), "short");
  const start = "Here is the review of all parts of it. ";
  const review = `${start}${"No action is needed for any. ".repeat(3)}All of it is done.`;
  const kept = `${start}[…] All of it is done.`;
  assertEquals(excerptEnds(review, 80), kept, "a part of a sentence could state the opposite");
  const huge = excerptEnds(`START ${"x ".repeat(500_000)}END`, 100);
  assert(huge.startsWith("START x") && huge.endsWith("x END") && huge.includes(LEFT_OUT));
  assert(excerptEnds("\u{1f600}".repeat(200), 51).isWellFormed());
});

Deno.test("cutEnds() keeps whole sentences, even if they are long", () => {
  const answer = "So it is safe for both paths.";
  const note = `One note: in single mode, ${"it would exit the script, ".repeat(4)}which is fine.`;
  const text = `${WORDS.trim()} ${answer} That's fine - failing on error is reasonable. ${note}`;
  const starts = new Set([...text.matchAll(/(?<=\. |^)\w+/g)].map(([word]) => word));
  for (let maxChars = 250; maxChars < text.length; maxChars++) {
    for (const headShare of [1 / 4, 1 / 3, 1 / 2, 2 / 3]) {
      const cut = cutEnds(text, maxChars, headShare);
      const [, tail = ""] = cut.split(LEFT_OUT);
      assert(cut.length <= maxChars && starts.has(/^\w+/.exec(tail)?.[0] ?? ""), cut);
    }
  }
  for (const maxChars of [0, 1, 5, 9, 20]) {
    assert(cutEnds(text, maxChars).length <= maxChars);
    assert(cutEnds(text, maxChars, 1).length <= maxChars);
  }
});

Deno.test("cutEnds() does not leave an item's number alone before omitted text", () => {
  const item = "the word ".repeat(9).trim();
  const text = `Two issues: 1. ${item}. 2. ${item} ${item}. The rest is fine.`;
  for (let chars = 90; chars < 160; chars++) {
    const cut = cutEnds(text, chars);
    assert(!/\d\. \[…\]/.test(cut), cut);
  }
});

Deno.test("cutText() keeps the remedy of each finding", () => {
  const remedy = `Fix: ${"remember the start of each session and compare it ".repeat(3)}`.trim();
  const finding = (name: string): string =>
    `${items(name, 3)}\n\n${remedy.replace("each", name)}\n`;
  const cut = cutText(`${finding("one")}\n${finding("two")}`, 760);
  assertStringIncludes(cut, remedy.replace("each", "one"));
  assertStringIncludes(cut, remedy.replace("each", "two"));
});

Deno.test("cutText() keeps the key insight of a plan", () => {
  const insight = `The key insight: ${
    "the reader already knows the owner of each file ".repeat(4)
  }`;
  const plan = `# Plan\n\n${insight.trim()}\n\n## Steps\n\n${items("file", 12)}`;
  assertStringIncludes(cutText(plan, 600), insight.trim());
});

Deno.test("cutText() outlines a plan by its headings if its items do not fit", () => {
  const headings = Array.from(
    { length: 9 },
    (_, n) => `## Phase ${n}: Lock the file number ${n} before each write`,
  );
  const phases = headings.map((heading, n) => `${heading}\n\n${items(`file ${n}`, 9)}`);
  const cut = cutText(`The plan.\n\n${phases.join("\n\n")}`, 700);
  for (const heading of headings) assertStringIncludes(cut, heading);
  assert(cut.length <= 700, cut);
});

Deno.test("cutText() keeps whole steps of each part of a long plan, and counts the others", () => {
  const part = (n: number): string =>
    `### Step ${n}: File ${n}\n\n${
      Array.from({ length: 9 }, (_, at) =>
        `- Move function ${n}.${at} into the new module, and do not rename any of its parameters`)
        .join("\n")
    }`;
  const plan = `# Plan: Split the module\n\n${[1, 2, 3, 4, 5].map(part).join("\n\n")}`;
  const cut = cutText(plan, 1_300);
  for (const n of [1, 2, 3, 4, 5]) {
    assertStringIncludes(cut, `- Move function ${n}.0 into the new module, and do not rename`);
  }
  assert(
    cut.split("\n").every((line) => plan.split("\n").includes(line) || /^\(\d+ more\)$/.test(line)),
    cut,
  );
  const moreIn = (text: string): number =>
    [...text.matchAll(/\((\d+) more\)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  const itemsIn = (text: string): number => text.match(/^- /gm)?.length ?? 0;
  assertEquals(itemsIn(cut) + moreIn(cut), 45);
  const again = cutText(cut, 900);
  assertEquals(itemsIn(again) + moreIn(again), 45, again);
});

Deno.test("cutText() keeps the fixes and limits of a plan, and a line of each part if shorter lines fit", () => {
  const part = (n: number, line: string): string =>
    `### Part ${n}\n\nThe part ${n} reads a file. ${WORDS}\n\n- It opens the file\n\n${line}`;
  const limits = ["**Fix:** Open file 1 once", "- Never open file 2 twice", "- Keep file 3 open"];
  const parts = [...limits, "- It reads", "- It writes"].map((line, at) => part(at + 1, line));
  const plan = `# Plan: Read less\n\n${parts.join("\n\n")}`;
  const cut = cutAfterHead(plan, 520);
  for (const limit of limits) assertStringIncludes(cut, limit);
  assert(!/### Part \d\n\(/.test(cut), cut);
});

Deno.test("cutText() adds a plan's decisions and limits to the outline of its headings", () => {
  const step = (n: number): string => `### Step ${n}: Add file${n}.ts\n\n${items(`file ${n}`, 9)}`;
  const decisions = "## Key Decisions\n\n- No lock, since one process writes\n- Files by day";
  const notes = `## Edge Cases\n\n${items("case", 6)}`;
  const plan = ["The plan", step(1), decisions, step(2), notes, step(3), step(4)].join("\n");
  const outline = [
    "The plan",
    "### Step 1: Add file1.ts",
    "(9 more)",
    ...decisions.split("\n\n"),
    "### Step 2: Add file2.ts",
    "(9 more)",
    "## Edge Cases",
    "(6 more)",
  ];
  const rest = ["### Step 3: Add file3.ts", "(9 more)", "### Step 4: Add file4.ts", "(9 more)"];
  assertEquals(cutText(plan, 300), [...outline, ...rest].join("\n"), "the cases do not fit");
  assertStringIncludes(cutText(plan, 900), "## Edge Cases\n- case 0 and more");
});

Deno.test("cutText() keeps the order of a list of next steps and the text after it", () => {
  const list = "\n## Next steps\n1. Continue the rebase\n2. Push the branch\n";
  const cut = cutText(`The rebase stopped. ${WORDS}\n${list}\nShould I continue?`, 200);
  assert(cut.length <= 200, cut);
  assert(cut.startsWith("The rebase stopped."), cut);
  assert(cut.endsWith("2. Push the branch\nShould I continue?"), cut);
});

Deno.test("cutAfterHead() keeps the first sentence, the last sentence and the rules of a paragraph", () => {
  const first = "The second session may change the same files.";
  const talk = "I thought about it on the train and it was long.";
  const rule = "If a save comes, the flag decides.";
  const text = [first, talk, talk, rule, talk, "Does that make sense?"].join(" ");
  assertEquals(cutAfterHead(text, 130), `${first} […] ${rule} […] Does that make sense?`);
  assertEquals(
    cutAfterHead(text, 180),
    `${first} ${talk} […] ${rule} […] Does that make sense?`,
    "other sentences fill the room",
  );
  assert(
    !cutAfterHead(`${text}\n${text}`, 200).includes(`[…] ${rule} […]`),
    "the text has several lines",
  );
  assert(
    cutAfterHead(`${WORDS}${"a".repeat(300)}.`, 200).length <= 200,
    "the last sentence is too long",
  );
});

Deno.test("cutEnds() shows the introduction of a list at the end if it has at most 120 characters", () => {
  const introduced = (size: number): boolean => {
    const lead = `${"Lead ".repeat(40).slice(0, size - 2)}x:`;
    return cutEnds(`${WORDS}\n\n${lead}\n- a one\n- a two\n- a three`, 240, 1 / 2).includes(lead);
  };
  assertEquals([introduced(120), introduced(121)], [true, false]);
});

Deno.test("excerptEnds() keeps the short cells of a row whole", () => {
  const row = (name: string, size: number): string =>
    `| ${name} | ${"in the middle of a row ".repeat(9).slice(0, size)} | ok |`;
  const rows = ["one", "two", "three", "four"].map((name) => row(name, 200));
  const cut = excerptEnds(["| Row | a | b |", "|--|--|--|", ...rows].join("\n"), 420);
  for (const line of cut.split("\n").slice(1)) assert(/^- \w+: in the .*…; ok$/.test(line), line);
});
