import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { MAX_CONTEXT_CHARS } from "../../src/inject/bound.ts";
import { hookOutput, MAX_MESSAGE_CHARS } from "../../src/inject/output.ts";
import { anyCharacters } from "../any_characters.ts";

const RUNS = { numRuns: 500, seed: 20260315 };
const EVENT = "UserPromptSubmit";

Deno.test("hookOutput() is empty without text", () => {
  assertEquals(hookOutput({ event: EVENT }), "");
  assertEquals(hookOutput({ event: EVENT, message: "", context: [] }), "");
  assertEquals(hookOutput({ event: EVENT, message: "\0", context: ["\x1b[0m"] }), "");
});

Deno.test("hookOutput() has exactly the shape that the client reads", () => {
  assertEquals(
    hookOutput({ event: EVENT, message: "to the user", context: ["to the model"] }),
    '{"systemMessage":"to the user","hookSpecificOutput":' +
      '{"hookEventName":"UserPromptSubmit","additionalContext":"to the model"}}\n',
  );
  assertEquals(hookOutput({ event: EVENT, message: "m" }), '{"systemMessage":"m"}\n');
  assertEquals(
    hookOutput({ event: EVENT, context: ["c"] }),
    '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"c"}}\n',
  );
});

Deno.test("hookOutput() prints one line of JSON within its limits, for any text", () => {
  const text = anyCharacters({ maxLength: 20_000 });
  fc.assert(
    fc.property(text, text, (message, context) => {
      const printed = hookOutput({ event: EVENT, message, context: [context] });
      if (printed === "") return;
      assert(printed.isWellFormed() && /^[^\n]+\n$/.test(printed));
      const { systemMessage = "", hookSpecificOutput } = JSON.parse(printed);
      assert(systemMessage.length <= MAX_MESSAGE_CHARS && systemMessage.isWellFormed());
      const { additionalContext = "" } = hookSpecificOutput ?? {};
      assert(additionalContext.length <= MAX_CONTEXT_CHARS && additionalContext.isWellFormed());
    }),
    RUNS,
  );
});
