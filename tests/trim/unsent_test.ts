// A trim claims savings only for content that the client sends.

import { assertEquals } from "@std/assert";
import { trimByLength } from "./by_length.ts";
import { contentsOf, picture, resultsOf, SessionBuilder, text } from "./build_session.ts";

const LONG = "const answer = 42; // a line\n".repeat(60);

Deno.test("trimTranscript() keeps results that the client has cleared, and counts only the text sent instead", () => {
  const attachment = { type: "tool_results_cut", callIds: ["old", "seen"], standIn: "[cleared]" };
  using session = new SessionBuilder()
    .user("go")
    .call("old", "Bash", {}, LONG)
    .call("seen", "Read", {}, [text("a picture"), picture(400, 300)])
    .line({ type: "attachment", attachment })
    .call("new", "Bash", {}, LONG)
    .assistant("m3", [text("Done.")])
    .write();
  const counts = trimByLength({ ...session, depth: "deep" });
  assertEquals(counts.by_tool.Bash?.count, 1);
  const results = resultsOf(session.output);
  const seen = Object(contentsOf(session.input)[4])[0].content;
  assertEquals([results.get("old"), results.get("seen")], [LONG, seen]);
  assertEquals(counts.images.count, 0);
  const sentLength = "go{}[cleared]{}[cleared]{}Done.".length;
  const placeholder = String(results.get("new"));
  const [before, after] = [LONG, placeholder].map(({ length }) => sentLength + length);
  assertEquals(counts.context_chars, { before, after });
});
