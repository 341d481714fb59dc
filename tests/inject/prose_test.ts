import { assertEquals } from "@std/assert";
import { outline, readProse, sentencesOf, withoutBlocks } from "../../src/inject/prose.ts";

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
