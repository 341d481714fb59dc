import { assertEquals } from "@std/assert";
import {
  endsInQuestion,
  isCheckLine,
  isFailedCheck,
  lateOffer,
  shortenOutcome,
} from "../../src/inject/step_words.ts";

Deno.test("isCheckLine() and isFailedCheck() accept checks that ran, and failures of their own", () => {
  const lines = ["`npm test` failed", "`npm test` failed, not run here", "`ls` failed"];
  assertEquals(lines.map(isCheckLine), [true, false, false]);
  const steps = ["npm test → failed: 1 fails", "npm test → ok", "ls → failed: no"];
  assertEquals(steps.map((step) => isFailedCheck(`Bash ${step}`)), [true, false, false]);
});

Deno.test("endsInQuestion() accepts a question, a request for an answer, and options, but only from the assistant", () => {
  const asked = [
    "Assistant: It is done. Shall I push it?",
    "Assistant: Let me know whether it works.",
    "Assistant: Do you prefer:\n1. one\n2. two",
  ];
  assertEquals(asked.filter((step) => !endsInQuestion([step])), []);
  const others = ["User: Shall I push it?", "Assistant: It is done.", "Bash npm test → ok"];
  assertEquals(others.filter((step) => endsInQuestion([step])), []);
});

Deno.test("lateOffer() returns an offer of the second half, unless an announcement follows", () => {
  const done = "It is done, and all tests pass.";
  const offer = "Want me to add a test?";
  assertEquals(lateOffer(`${done} ${offer}`), offer);
  assertEquals(lateOffer(`${done} ${done} ${offer} Let me run it.`), "");
  assertEquals(lateOffer(`${offer} ${done}`), "");
});

Deno.test("shortenOutcome() returns an empty text if 60 characters of the outcome, or 12 of a failed command, do not fit", () => {
  const [line, notes] = [
    `\`npm test\` failed: ${"Expected rows. ".repeat(9)}`,
    "; 2 edits since then",
  ];
  const fitting = shortenOutcome(line + notes, 81);
  assertEquals(fitting, `${line.slice(0, 60)}…${notes}`);
  assertEquals(shortenOutcome(line + notes, 80), "");
  const command = `- \`go test ${"a".repeat(99)}\` 2 times failed`;
  assertEquals(shortenOutcome(command, 29), "- `go test a…` 2 times failed");
  assertEquals(shortenOutcome(command, 28), "");
});
