// Compares the handoffs of real sessions with a slow, independent reading of the files.

import { assert } from "@std/assert";
import { extractState } from "../../src/extract/extract_state.ts";
import { layout } from "../../src/saved/layout/layout.ts";
import { contentOf } from "../../src/saved/save.ts";
import { CORPUS, corpusTest, names, parseLine } from "./corpus.ts";
import "../own_config.ts";

// deno-lint-ignore no-explicit-any
type Line = any;

/** Has no files, so that all paths stay absolute. */
const PROJECT = "/nowhere";

/** Compares this many characters at the start of a request. */
const HEAD_CHARS = 60;

corpusTest("layout() starts with the last request of each real session", () => {
  let requests = 0;
  for (const name of names) {
    const request = lastRequest(readAll(name));
    if (request === undefined) continue;
    const { text } = layout(contentOf(extractState(`${CORPUS}/${name}`)), { projectDir: PROJECT });
    const shown = flat(sectionOf(text, "Now")[0] ?? "").slice("- ".length);
    assert(shown.startsWith(request.slice(0, HEAD_CHARS)), `${name}: ${request}\n${shown}`);
    requests++;
  }
  console.log(`  ${names.length} sessions: ${requests} last requests`);
  assert(requests > names.length * 0.9);
});

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

function readAll(name: string): Line[] {
  return Deno.readTextFileSync(`${CORPUS}/${name}`).split("\n").flatMap(parseLine);
}
