// Compares the handoffs of real sessions with a slow, independent reading of the files.

import { assert, assertEquals } from "@std/assert";
import { extractState } from "../../src/extract/extract_state.ts";
import { layout } from "../../src/saved/layout/layout.ts";
import { contentOf } from "../../src/saved/save.ts";
import { CORPUS, editedFiles, ignore, ignoredNote, names, parseLine } from "./corpus.ts";
import "../own_config.ts";

// deno-lint-ignore no-explicit-any
type Line = any;

/** Has no files, so that all paths stay absolute. */
const PROJECT = "/nowhere";

/** Compares this many characters at the start of a request or an item. */
const HEAD_CHARS = 60;

Deno.test({
  name:
    `layout() contains the last request, open items and edited files of each real session${ignoredNote}`,
  ignore,
  fn(): void {
    const total = { requests: 0, items: 0, files: 0 };
    for (const name of names) {
      const objects = readAll(name);
      const save = contentOf(extractState(`${CORPUS}/${name}`));
      const { text } = layout(save, { projectDir: PROJECT });

      const request = lastRequest(objects);
      if (request !== undefined) {
        const shown = flat(sectionOf(text, "Now")[0] ?? "").slice("- ".length);
        assert(shown.startsWith(request.slice(0, HEAD_CHARS)), `${name}: ${request}\n${shown}`);
        total.requests++;
      }

      const open = openTodos(objects);
      const steps = open.length === 0 ? [] : sectionOf(text, "Immediate Next Steps").map(flat);
      for (const [index, item] of open.entries()) {
        assert(steps[index]?.startsWith(`- [ ] ${flat(item).slice(0, HEAD_CHARS)}`), name);
      }
      total.items += open.length;

      const edited = editedFiles(objects);
      const listed = edited.size === 0 ? new Map() : changedIn(sectionOf(text, "Modified Files"));
      assertEquals(new Map([...listed].sort()), new Map([...edited].sort()), name);
      total.files += edited.size;
    }
    const { requests, items, files } = total;
    console.log(
      `  ${names.length} sessions: ${requests} last requests, ${items} open items, ${files} files`,
    );
    assert(requests > names.length * 0.9 && items > 0 && files > 0);
  },
});

function changedIn(lines: readonly string[]): Map<string, number> {
  const start = lines.indexOf("Changed, newest first:") + 1;
  const end = lines.findIndex((line, at) => at >= start && !line.startsWith("- "));
  const files = new Map<string, number>();
  for (const line of lines.slice(start, end < 0 ? lines.length : end)) {
    const [, folder = "", rest = ""] = /^- (\S*\/ )?(.*)$/.exec(line) ?? [];
    for (const one of rest.split(/, (?=\S)/)) {
      const [, file = "", edits = "1"] = /^(.*?)(?: \((\d+) edits\))?$/.exec(one) ?? [];
      files.set(folder.trimEnd() + file, Number(edits));
    }
  }
  return files;
}

function sectionOf(text: string, name: string): string[] {
  const lines = text.split("\n");
  const start = lines.indexOf(`### ${name}`);
  const end = lines.findIndex((line, at) => at > start && line.startsWith("### "));
  assert(start >= 0, name);
  return lines.slice(start + 1, end < 0 ? lines.length : end).filter((line) => line !== "");
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("\\", "").trim().toWellFormed();
}

/** Matches the start of a text that the client generates. */
const WRAPPER = new RegExp(
  "^\\s*(?:Another Claude session sent a message:|<(?:command-|local-command|bash-|task-notification|system-reminder|ide_|agent-message|" +
    "user-prompt-submit-hook)|\\[Request interrupted|Caveat:|This session is being continued)",
);

/** Matches a reply that only agrees, such as "yes" or "go ahead". */
const ASSENT =
  /^(?:y|yes|ok(?:ay)?|no|continue|keep going|go(?: on| ahead)?|thanks?|do it|[a-z]|\d+)[.!)]*$/i;

function lastRequest(objects: readonly Line[]): string | undefined {
  const queue: string[] = [];
  const texts = objects.flatMap((object) => {
    if (object.type === "queue-operation") return queued(queue, object);
    const isOther = object.isMeta || object.isSidechain || object.isCompactSummary;
    if (object.type !== "user" || isOther) return [];
    const content = object.message?.content ?? [];
    return [typeof content === "string" ? content : content.flatMap(wordsOf).join("\n")];
  });
  return texts.map(commandText).filter((text) => !WRAPPER.test(text))
    .map((text) => flat(text.replaceAll(/<(system-reminder|ide_\w+)>.*?<\/\1>/gs, "")))
    .findLast((text) => text !== "" && !ASSENT.test(text));
}

/** Older clients write text that is typed while the assistant works only to the queue. */
function queued(queue: string[], { operation, content = "" }: Line): string[] {
  if (operation === "enqueue") queue.push(content);
  if (operation === "popAll") queue.length = 0;
  if (operation === "dequeue") queue.shift();
  const [text = ""] = operation === "remove" ? queue.splice(0, 1) : [];
  return /^(?:$|\/\S*$|<agent-notification)/.test(text) ? [] : [text];
}

/** Reads a slash command as a request if it has arguments, or if the client announces it first. */
function commandText(text: string): string {
  const [, name] = /<command-name>(.*?)<\/command-name>/s.exec(text) ?? [];
  const [, args = ""] = /<command-args>(.*?)<\/command-args>/s.exec(text) ?? [];
  if (name === undefined || (args.trim() === "" && !text.startsWith("<command-message>"))) {
    return text;
  }
  return `${name} ${args}`.trim();
}

/** Includes the text that a person types when refusing a call. */
function wordsOf(block: Line): string[] {
  if (block.type === "text") return [block.text];
  const isRefusal = block.type === "tool_result" && block.is_error &&
    typeof block.content === "string";
  return isRefusal ? block.content.split("the user said:\n").slice(1, 2) : [];
}

function blocksOf(objects: readonly Line[]): Line[] {
  return objects.flatMap((object) =>
    Array.isArray(object.message?.content) ? object.message.content : []
  );
}

function openTodos(objects: readonly Line[]): string[] {
  let list: [string, string][] = [];
  let tasks = new Map<string, [string, string]>();
  const inputs = new Map(
    blocksOf(objects).filter((block) => block.type === "tool_use")
      .map((block) => [block.id, block.input]),
  );
  for (const object of objects) {
    const { toolUseResult: result } = object;
    if (object.type !== "user" || object.isSidechain || typeof result !== "object") continue;
    if (Array.isArray(result?.newTodos)) {
      list = result.newTodos.map((todo: Line) => [todo.status, todo.content]);
      tasks = new Map();
      continue;
    }
    const known = tasks.get(result?.taskId);
    if (result?.task?.subject !== undefined) {
      tasks.set(result.task.id, ["pending", result.task.subject]);
    } else if (Array.isArray(result?.tasks)) {
      // An empty list means that no item is open any more.
      for (const [id, [status]] of result.tasks.length === 0 ? [...tasks] : []) {
        if (status !== "completed") tasks.delete(id);
      }
      for (const { id, subject, status } of result.tasks) tasks.set(id, [status, subject]);
    } else if (
      known !== undefined &&
      // A restarted client does not find an earlier task, but its update is valid.
      (result?.success || object.message.content[0].content === "Task not found")
    ) {
      const input = inputs.get(object.message.content[0].tool_use_id);
      const status = result.statusChange?.to ?? input?.status ?? known[0];
      if (status === "deleted") tasks.delete(result.taskId);
      else tasks.set(result.taskId, [status, known[1]]);
    } else continue;
    list = [...tasks.values()];
  }
  return list.filter(([status]) => status !== "completed").map(([, text]) => text);
}

function readAll(name: string): Line[] {
  return Deno.readTextFileSync(`${CORPUS}/${name}`).split("\n").flatMap(parseLine);
}
