import { assertEquals } from "@std/assert";
import { firstPrompt } from "../../src/transcript/copy_title.ts";
import { SessionBuilder } from "../trim/build_session.ts";

Deno.test("firstPrompt() returns the first line of the first prompt, shortened if it is long", () => {
  const promptOf = (text: string): string | undefined => {
    using session = new SessionBuilder().user("<command-name>/clear</command-name>").user(text)
      .write();
    return firstPrompt(session.input);
  };
  assertEquals(promptOf("\n  Paint the shed  \nblue"), "Paint the shed");
  assertEquals(promptOf("😀".repeat(61)), `${"😀".repeat(59)}…`);
  assertEquals(promptOf("x".repeat(6_000_000)), `${"x".repeat(59)}…`);
  const far = { type: "attachment", text: "x".repeat(9_000_000) };
  using session = new SessionBuilder().line(far).user("Paint the shed").write();
  assertEquals(firstPrompt(session.input), undefined, "the prompt is too far from the start");
});
