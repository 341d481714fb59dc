// Compares the work states of real sessions with a slow, independent reading of the files.

import { assert, assertEquals } from "@std/assert";
import { extractState } from "../../src/extract/extract_state.ts";
import { CORPUS, editedFiles, ignore, ignoredNote, names, parseLine } from "./corpus.ts";

// deno-lint-ignore no-explicit-any
type Line = any;

Deno.test({
  name: `extractState() finds each file that a real session edited, and no other${ignoredNote}`,
  ignore,
  fn(): void {
    const total = { files: 0, found: 0, right: 0 };
    for (const name of names) {
      const expected = editedFiles(readAll(name).flatMap(({ objects }) => objects));
      const state = extractState(`${CORPUS}/${name}`);
      const found = state.changes.map(({ file }) => file);
      total.files += expected.size;
      total.found += found.length;
      total.right += found.filter((file) => expected.has(file)).length;
      assertEquals(new Set(found), new Set(expected.keys()), name);
      const counts = new Map(state.changes.map(({ file, count }) => [file, count]));
      assertEquals(counts, expected, name);
    }
    const [recall, precision] = [total.right / total.files, total.right / total.found];
    console.log(`  changes: ${total.files} files, recall ${recall}, precision ${precision}`);
    assert(total.files > names.length);
  },
});

Deno.test({
  name:
    `extractState() returns the last todo list of a real session as its next steps${ignoredNote}`,
  ignore,
  fn(): void {
    let lists = 0;
    let items = 0;
    for (const name of names) {
      const expected = lastTodos(readAll(name));
      if (expected === undefined) continue;
      lists++;
      items += expected.length;
      const state = extractState(`${CORPUS}/${name}`);
      const found = state.next_steps.map(({ step, status }) => [status, step.slice(0, 100)]);
      const wanted = expected.map(([status, step]) => [
        status,
        step.replaceAll(/\s+/g, " ").trim().slice(0, 100),
      ]);
      assertEquals(found, wanted, name);
    }
    console.log(`  next steps: ${lists} sessions with a list, ${items} items, all found`);
    assert(lists > 0);
  },
});

Deno.test({
  name: `extractState() returns only the user's own text as requirements${ignoredNote}`,
  ignore,
  fn(): void {
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
  },
});

/** Matches the start of a text that the client generates. */
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

function lastTodos(lines: readonly NumberedObjects[]): [string, string][] | undefined {
  let todos: [string, string][] | undefined;
  let tasks: Record<string, [string, string]> = {};
  const inputs = new Map<string, Line>();
  for (const object of lines.flatMap((line) => line.objects)) {
    for (const block of Array.isArray(object.message?.content) ? object.message.content : []) {
      if (block.type === "tool_use") inputs.set(block.id, block.input);
    }
    const { toolUseResult: result } = object;
    if (object.type !== "user" || object.isSidechain || typeof result !== "object") continue;
    if (Array.isArray(result?.newTodos)) {
      todos = result.newTodos.map((todo: Line) => [todo.status, todo.content]);
      tasks = {};
    } else if (result?.task?.subject !== undefined) {
      tasks[result.task.id] = ["pending", result.task.subject];
      todos = Object.values(tasks);
    } else if (Array.isArray(result?.tasks)) {
      // An empty list means that no item is open any more.
      if (result.tasks.length === 0) {
        tasks = Object.fromEntries(
          Object.entries(tasks).filter(([, [status]]) => status === "completed"),
        );
      }
      for (const { id, subject, status } of result.tasks) tasks[id] = [status, subject];
      todos = Object.values(tasks);
    } else if ((result?.success || isForgotten(object)) && result.taskId !== undefined) {
      const task = tasks[result.taskId];
      // An update that keeps the status of a task is recorded without a `statusChange`.
      const status = result.statusChange?.to ??
        inputs.get(object.message.content[0].tool_use_id).status;
      if (status !== undefined && task !== undefined) {
        if (status === "deleted") delete tasks[result.taskId];
        else tasks[result.taskId] = [status, task[1]];
        todos = Object.values(tasks);
      }
    }
  }
  return todos;
}

function isForgotten({ message }: Line): boolean {
  return message?.content?.[0]?.content === "Task not found";
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
