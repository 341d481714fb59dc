import { assertEquals } from "@std/assert";
import { helpText } from "../../cli/spec.ts";
import { wrapLines } from "../../cli/wrap.ts";
import { COMMANDS } from "../../scripts/trimtab.ts";

Deno.test("every command's help fits in 80 columns, and trim's in 75, because the client indents it", async () => {
  const help = new Map<string, string>();
  for (const [name, load] of Object.entries(COMMANDS)) {
    help.set(name, helpText((await load()).SPEC));
  }
  const tooWide = [...help].flatMap(([name, text]) =>
    text.split("\n").filter((line) => line.length > (name === "trim" ? 75 : 80))
  );
  assertEquals(tooWide, []);
});

Deno.test("wrapLines() joins lines and breaks them at 75 columns, but not within backquotes", () => {
  const code = '`trimtab search -- "two words"`';
  const text = `${"word ".repeat(11)}${code} and`;
  assertEquals(wrapLines([text, "more"]), ["word ".repeat(11).trim(), `${code} and more`]);
  const wrapped = ["x ".repeat(36).trim(), `    ${"x ".repeat(4).trim()}`];
  assertEquals(wrapLines(["x ".repeat(40)], 4), wrapped);
  const example = ["one", "  an example", "two", "three"];
  assertEquals(wrapLines(example), ["one", "  an example", "two three"]);
  assertEquals(wrapLines([]), []);
});
