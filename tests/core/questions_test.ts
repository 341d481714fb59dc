import { assertEquals } from "@std/assert";
import { isOffer, isQuestion, offeredAction, offersIn } from "../../src/core/questions.ts";

Deno.test("isQuestion() ignores closing punctuation and emoji after the question mark", () => {
  for (const text of ["Go on?", 'Is it "done?")', "Ready? 🚀", "**Which one?** \n"]) {
    assertEquals(isQuestion(text), true, text);
  }
  for (const text of ["", "Done.", "Is it? Yes", `${"?".repeat(50_000)}x`]) {
    assertEquals(isQuestion(text), false, text);
  }
});

Deno.test("offersIn() and isOffer() accept each wording of an offer, but no other question", () => {
  const offers = [
    "Would you like me to fix a.ts?",
    "Do you want me to push it?",
    "Want me to push it?",
    "Should I add a test?",
    "shall we merge?",
  ];
  assertEquals(offersIn(`Done. ${offers.join(" Or not. ")} Bye.`), offers);
  for (const offer of offers) assertEquals(isOffer(offer), true, offer);
  assertEquals(isOffer(`Done. ${offers[0]}`), false, "the offer is not at the start");
  const others = ["How should we fix it?", "Which of these should I take?", "Would you like tea?"];
  for (const text of others) {
    assertEquals(offersIn(text), []);
    assertEquals(isOffer(text), false);
    assertEquals(offeredAction(text), undefined);
  }
  assertEquals(offersIn("which ".repeat(10_000)), []);
});

Deno.test("offeredAction() returns the words between the opening of an offer and its question mark", () => {
  assertEquals(offeredAction("Should I use X, or do you prefer Y?"), "use X, or do you prefer Y");
  assertEquals(offeredAction("Shall I?"), undefined);
});
