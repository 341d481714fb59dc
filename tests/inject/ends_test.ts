import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { cutText } from "../../src/inject/ends.ts";

const WORK = "The reader drops the last line of a file that ends without a newline. ".repeat(12);

Deno.test("cutText() returns text that just fits unchanged, and shortens longer text", () => {
  const list = Array.from({ length: 6 }, (_, nth) => `- ${nth}: ${"word ".repeat(20).trim()}`).join(
    "\n",
  );
  assertEquals(cutText(list, list.length), list);
  assert(cutText(list, list.length - 1).length < list.length);
});

Deno.test("cutText() keeps a list of next steps whole", () => {
  const steps = "\n## Next steps\n\n- Push the branch\n- Open a pull request\n";
  const cut = cutText(`${WORK}${steps}\n${WORK}`, 400);
  assertStringIncludes(cut, "## Next steps\n\n- Push the branch\n- Open a pull request");
});

Deno.test("cutText() does not move a heading away from the paragraph below it", () => {
  const cut = cutText(`${WORK}\n\n## Next steps\n\nThe workaround can go once it is merged.`, 400);
  assert(!cut.endsWith("## Next steps"), cut);
  assert(cut.endsWith("The workaround can go once it is merged."), cut);
});
