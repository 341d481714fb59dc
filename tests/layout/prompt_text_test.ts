import { assertEquals } from "@std/assert";
import { BY_HAND } from "../../src/layout/lines.ts";
import { cutAfterHead, promptText } from "../../src/layout/prompt_text.ts";

const FROM = { uuid: null, line: 3 };

Deno.test("cutAfterHead() keeps the first and the last of at least four sentences if they just fit", () => {
  const [first, other] = ["The second session may change it.", "I thought about it on a train."];
  const [rule, last] = ["If a save comes, the flag decides.", "It was long."];
  const text = [first, other, rule, last].join(" ");
  const ends = `${first} […] ${last}`;
  assertEquals(cutAfterHead(text, ends.length), ends);
  assertEquals(cutAfterHead(text, ends.length - 1).startsWith(`${first} ${other}`), true);
  const ruled = `${first} […] ${rule} ${last}`;
  assertEquals(cutAfterHead(text, ruled.length), ruled);
  const three = [first, other, last].join(" ");
  assertEquals(cutAfterHead(three, ends.length) === ends, false);
});

Deno.test("promptText() adds the place only to a shortened prompt, a record or a handwritten note", () => {
  const shown = (text: string, maxChars: number, isRecord = false, from = FROM): string =>
    promptText({ text, from }, maxChars, isRecord);
  assertEquals(shown("short", 5), "short");
  assertEquals(shown("shorter", 5), "short (line 3)");
  assertEquals(shown("short", 5, true), "short (line 3)");
  assertEquals(promptText({ text: "short", from: BY_HAND }, 50), "short (noted by hand)");
});

Deno.test("promptText() shortens the note about a question before the user's own words", () => {
  const text = "yes (asked: Which of the two stores shall it use, and for how long?)";
  const shown = (maxChars: number): string =>
    promptText({ text, from: FROM }, maxChars).replace(" (line 3)", "");
  assertEquals(shown(text.length), text);
  assertEquals(shown(40), "yes (asked: Which of the two stores sh…)");
  assertEquals([shown(7), shown(6)], ["yes (…)", "yes"]);
  assertEquals([shown(5), shown(4), shown(2)], ["yes", "yes", "ye"]);
  const own = "keep it all, as it was said above".padEnd(58, ".");
  const shortened = (maxChars: number): string =>
    promptText({ text: `${own} (asked: Which of the two stores?)`, from: FROM }, maxChars);
  assertEquals(shortened(80), `${own} (asked: Which of th…) (line 3)`);
  assertEquals(shortened(79), `${own} (line 3)`);
});
