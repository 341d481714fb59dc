// Compares the work states of real sessions with a slow, independent reading of the files.

import { assert, assertEquals } from "@std/assert";
import { extractState } from "../../src/extract/extract_state.ts";
import { CORPUS, corpusTest, names, parseLine } from "./corpus.ts";

// deno-lint-ignore no-explicit-any
type Line = any;

corpusTest(
  "extractState() finds nearly every file that a real session edited, and no other",
  () => {
    const total = { edited: 0, found: 0 };
    for (const name of names) {
      const calls = readAll(name).flatMap(({ objects }) => objects).flatMap(callsOf);
      const edited = new Set(
        calls.filter((call) => /^(?:Multi|Notebook)?Edit$|^Write$/.test(call.name))
          .map(({ input }) => input.file_path ?? input.notebook_path),
      );
      const found = extractState(`${CORPUS}/${name}`).changes.map(({ file }) => file);
      assertEquals(found.filter((file) => !edited.has(file)), [], name);
      total.edited += edited.size;
      total.found += found.length;
    }
    console.log(`  changes: ${total.found} of ${total.edited} edited files`);
    // Failed edits, and files that were deleted or restored later, are left out.
    assert(total.found >= total.edited * 0.9, `${total.found} of ${total.edited}`);
  },
);

corpusTest("extractState() returns the last todo list of a real session as its next steps", () => {
  let lists = 0;
  for (const name of names) {
    const calls = readAll(name).flatMap(({ objects }) => objects).flatMap(callsOf);
    const isOfTasks = calls.some((call) => call.name.startsWith("Task"));
    const last = calls.findLast((call) => call.name === "TodoWrite" && call.input.todos);
    if (last === undefined || isOfTasks) continue;
    lists++;
    const expected = last.input.todos.map(({ status, content }: Line) => [status, head(content)]);
    const { next_steps: steps } = extractState(`${CORPUS}/${name}`);
    assertEquals(steps.map(({ step, status }) => [status, head(step)]), expected, name);
  }
  console.log(`  next steps: ${lists} lists`);
  assert(lists > 0);
});

/** Includes the calls of subagents, which older clients report as progress. */
function callsOf({ message, data }: Line): Line[] {
  const { content } = message ?? data?.message?.message ?? {};
  return Array.isArray(content) ? content.filter(({ type }) => type === "tool_use") : [];
}

corpusTest("extractState() returns only the user's own text as requirements", () => {
  const total = { prompts: 0, found: 0, wrong: 0, requirements: 0 };
  for (const name of names) {
    const lines = readAll(name);
    const state = extractState(`${CORPUS}/${name}`);
    const byLine = new Map(lines.map((line) => [line.number, line.objects]));
    total.requirements += state.requirements.length;
    for (const { text, from } of state.requirements) {
      assert(from.line !== null);
      const isOwn = byLine.get(from.line)?.some((object: Line) => isPersonal(object)) ?? false;
      if (!isOwn || WRAPPER.test(text)) {
        total.wrong++;
        console.log(`  not a requirement: ${name}:${from.line} ${text.slice(0, 80)}`);
      }
    }
    // The newest 20 prompts with enough text must be there.
    const own = lines.flatMap(({ objects }) => objects).filter(isPersonal).map(textOf)
      .map((text) => text.replaceAll(/<system-reminder>.*?<\/system-reminder>/gs, "").trim())
      .filter((text) => text.length > 40 && !WRAPPER.test(text));
    const wanted = [...new Set(own.map((text) => head(text)))].slice(-20);
    total.prompts += wanted.length;
    const heads = state.requirements.map(({ text }) => head(text));
    total.found += wanted.filter((text) => heads.some((one) => one.startsWith(text))).length;
  }
  const { prompts, found, wrong, requirements } = total;
  console.log(
    `  requirements: ${requirements}, ${wrong} wrong; ${found} of ${prompts} long prompts found`,
  );
  assertEquals(wrong, 0);
  assert(found / prompts > 0.99, `${found} of ${prompts}`);
});

/** Matches the start of text that the client generates. */
const WRAPPER = new RegExp(
  "^\\s*(?:<(?:command-|local-command|bash-|task-notification|system-reminder|ide_|agent-message|" +
    "user-prompt-submit-hook)|\\[Request interrupted|Caveat:|This session is being continued)",
);

function head(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 40).toWellFormed();
}

function isPersonal(object: Line): boolean {
  if (object.type === "attachment") return object.attachment?.commandMode === "prompt";
  if (object.type === "queue-operation") return object.operation === "enqueue";
  if (object.type !== "user" || object.isMeta || object.isSidechain || object.isCompactSummary) {
    return false;
  }
  const { content } = object.message ?? {};
  if (typeof content === "string") return true;
  // The result of a refused call contains the text that the user typed instead.
  return (content ?? []).some((block: Line) =>
    block.type === "text" || (block.type === "tool_result" && block.is_error)
  );
}

function textOf(object: Line): string {
  if (object.type !== "user") return "";
  const { content } = object.message;
  if (typeof content === "string") return content;
  return content.flatMap((block: Line) => block.type === "text" ? [block.text] : []).join("\n");
}

interface NumberedObjects {
  readonly number: number;
  readonly objects: Line[];
}

function readAll(name: string): NumberedObjects[] {
  return Deno.readTextFileSync(`${CORPUS}/${name}`).split("\n").map((line, index) => ({
    number: index + 1,
    objects: parseLine(line),
  }));
}
