import { assertEquals } from "@std/assert";
import {
  outline,
  outlineItems,
  readProse,
  sentencesOf,
  withItems,
  withoutBlocks,
} from "../../src/inject/prose.ts";

Deno.test("outline() drops a label whose table is not shown", () => {
  const table = "| Task | File |\n|---|---|\n| Read | a.ts |";
  const text = `Summary:\n${table}\n\nExisting code:\n- a.ts reads it\n- b.ts`;
  assertEquals(outline(readProse(text), 200), "Existing code: a.ts reads it; b.ts");
  assertEquals(outline(readProse("Storage:\nOne file. It is small."), 200), "Storage: One file.");
});

Deno.test("sentencesOf() does not end a sentence at an abbreviation", () => {
  const words = "One text (shared vs. one per skill), or is it enough?";
  assertEquals(sentencesOf(`${words} Yes, e.g. Both.`), [words, "Yes, e.g. Both."]);
});

Deno.test("withoutBlocks() keeps shell commands, and a short block after a colon", () => {
  const prose = "The cache is ready, and each of its files is written once. ".repeat(4).trim();
  const after = (lead: string, tag: string, ...lines: string[]): string =>
    withoutBlocks(`${prose}${lead}\n\n\`\`\`${tag}\n${lines.join("\n")}\n\`\`\`\n`)
      .slice(prose.length).trim();
  assertEquals(after(" Run it:", "bash", "cd web", "npm test"), "Run it: `cd web` `npm test`");
  const built = after("", "sh", "# Build first", "make", "", "make run");
  assertEquals(built, "(Build first) `make`\n`make run`");
  assertEquals(after(" It prints:", "", "3 passed"), "It prints: `3 passed`");
  const hidden = [["", "", 1], [" See:", "ts", 1], [" See:", "", 3], ["", "sh", 7]] as const;
  for (const [lead, tag, count] of hidden) {
    const shown = after(lead, tag, ...Array.from({ length: count }, (_, n) => `line${n}`));
    assertEquals(shown.includes("line"), false, `${lead} ${tag} ${count}`);
  }
});

Deno.test("withoutBlocks() keeps lines of at most 200 characters without backquotes, and at most six commands", () => {
  const prose = "The cache is ready, and each of its files is written once. ".repeat(4).trim();
  const after = (lead: string, tag: string, ...lines: string[]): string =>
    withoutBlocks(`${prose}${lead}\n\n\`\`\`${tag}\n${lines.join("\n")}\n\`\`\`\n`)
      .slice(prose.length).trim();
  assertEquals(after(" So:", "", "x".repeat(200)), `So: \`${"x".repeat(200)}\``);
  for (const line of ["x".repeat(201), "a `b`"]) {
    assertEquals(after(" So:", "", line), "So:\n\n[…]");
  }
  const six = Array.from({ length: 6 }, (_, n) => `make a${n}`);
  assertEquals(after("", "sh", ...six), six.map((line) => `\`${line}\``).join("\n"));
});

Deno.test("outline() shortens items below other items, and stops at its limit", () => {
  const item = "b".repeat(70);
  const outlined = (...lines: string[]): string => outline(readProse(lines.join("\n")), 300);
  const cut = `${item.slice(0, 60)}…`;
  assertEquals(outlined("Rows:", ` - ${item}`), `Rows: ${item}`);
  assertEquals(outlined("Rows:", `  - ${item}`), `Rows: ${cut}`);
  assertEquals(outlined("  Rows:", `  - ${item}`), `Rows: ${item}`);
  assertEquals(outlined("- Rows:", `  - ${item}`), `Rows: ${cut}`);
  assertEquals(outlined(`- ${"b".repeat(180)}`), "b".repeat(180));
  assertEquals(outlined(`- ${"b".repeat(181)}`), `${"b".repeat(180)}…`);
  const two = readProse("First.\n\nSecond.");
  assertEquals([outline(two, 6), outline(two, 7)], ["First.", "First. Second."]);
});

Deno.test("outlineItems() continues after a line that introduces more items", () => {
  const rest = (text: string): string => outlineItems(readProse(text), 100);
  assertEquals(rest("- a\n- b"), "a; b");
  assertEquals(rest("- a\nwith:\n- b\nMore text."), "a; with: b");
  for (const end of ["With it all:\n- b", "with:\n\nMore.\n- b", "More text.\n- b"]) {
    assertEquals(rest(`- a\n${end}`), "a");
  }
  assertEquals(rest("with:\n- a"), "");
  assertEquals(withItems("Do:", readProse("- a\n- b\nText."), 100), "Do: a; b");
  assertEquals(withItems("Do:", readProse("Text."), 100), "Do.");
});
