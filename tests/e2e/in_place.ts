/**
 * Trims or compacts sessions in place with the real client, undoes the change, and compares the client's
 * requests before and after.
 */

import { assert, assertEquals } from "@std/assert";
import { PLUGIN } from "../plugin_copy.ts";
import { newHome } from "./bed/client.ts";
import { type LoggedRequest, startMock } from "./bed/mock_api.ts";
import { blocksOf, mergedMessages, type WireBlock, withoutTokensLeft } from "./bed/wire.ts";
import { startChat } from "./chat.ts";

/** The prompt whose request is compared. */
export const PROMPT = "And now?";

const ANSWER = "Nothing more is to be done.";

/** A request's conversation without thinking. Reminders are listed separately. */
export interface SentConversation {
  readonly answers: readonly string[];
  /** Arguments by call id, in the order of the calls. */
  readonly calls: ReadonlyMap<string, string>;
  /** Texts by call id, prefixed with `error: ` for a failed call. */
  readonly results: ReadonlyMap<string, string>;
  readonly prompts: readonly string[];
  readonly reminders: readonly string[];
}

export interface Replay {
  /** The conversation in the unchanged session. */
  readonly before: SentConversation;
  /** The conversation at each {@linkcode PROMPT} of the changed session. */
  readonly after: readonly SentConversation[];
  /** The replies in the changed session; empty for a command that succeeded. */
  readonly answers: readonly string[];
  readonly violations: readonly string[];
}

const REMINDER = /<system-reminder>\n?[^]*?<\/system-reminder>/g;

/** Matches a prompt that was typed while the model worked. A trim or an undo makes it a separate prompt. */
const QUEUED =
  /\nThe user sent a new message while you were working:\n([^]*?)(?:\n\n|\n?<\/system)/;

/** Matches text that the commands of a trim leave in the conversation, or that follows a loaded tool. */
const COMMAND_LINE =
  /^<local-command-(?:caveat|stdout)>|^<command-name>\/compact<\/command-name>|^Tool loaded\.$/;

/** Resumes a session twice, once without the commands that change it. */
export async function replay(
  transcript: string,
  unchanged: readonly string[],
  changed: readonly string[],
): Promise<Replay> {
  const [plain, { requests, answers, violations }] = await Promise.all([
    resume(transcript, unchanged),
    resume(transcript, changed),
  ]);
  return {
    before: sentOf(plain.requests[0]),
    after: requests.map(sentOf),
    answers,
    violations: [...plain.violations, ...violations],
  };
}

async function resume(
  transcript: string,
  prompts: readonly string[],
): Promise<{ requests: LoggedRequest[]; answers: string[]; violations: string[] }> {
  using home = newHome();
  await using mock = startMock({
    respond: ({ kind }) => kind === "main" ? ANSWER : undefined,
    expectsViolations: true,
  });
  const id = [...transcript.matchAll(/"sessionId":"([0-9a-f-]{36})"/g)].at(-1)?.[1] ?? "";
  Deno.writeTextFileSync(`${home.sessions}/${id}.jsonl`, transcript);
  const answers: string[] = [];
  const requests: LoggedRequest[] = [];
  await using chat = await startChat({ home, mock, pluginDir: PLUGIN, args: ["--resume", id] });
  for (const prompt of prompts) {
    answers.push(await chat.say(prompt));
    if (prompt !== PROMPT) continue;
    const request = await mock.request((candidate) =>
      !requests.includes(candidate) && candidate.kind === "main" &&
      JSON.stringify(candidate.body).includes(PROMPT)
    );
    requests.push(request);
  }
  return { requests, answers, violations: mock.violations };
}

function sentOf(request: LoggedRequest | undefined): SentConversation {
  const messages = request?.body.messages ?? [];
  const ownMessages = messages.filter(({ role }) => role !== "system");
  const blocks = (role: string, type: string): WireBlock[] =>
    mergedMessages(ownMessages).filter((message) => message.role === role)
      .flatMap(({ content }) => content).filter((block) => block.type === type);
  const texts = [
    ...blocks("user", "text").map(({ text = "" }) => text),
    ...messages.filter(({ role }) => role === "system").flatMap(({ content }) => textsOf(content)),
  ];
  const results = blocks("user", "tool_result");
  const reminders = [...texts, ...results.flatMap(({ content }) => textsOf(content))]
    .flatMap((text) => text.match(REMINDER) ?? []);
  return {
    answers: blocks("assistant", "text").map(({ text = "" }) => text.trim())
      .filter((text) => text !== "" && text !== ANSWER),
    calls: new Map(
      blocks("assistant", "tool_use").map(({ id = "", input }) => [id, JSON.stringify(input)]),
    ),
    results: new Map(results.map((block) => [block.tool_use_id ?? "", resultOf(block)])),
    prompts: [
      ...texts.map((text) => text.replaceAll(REMINDER, "").trim())
        .filter((text) => text !== "" && text !== PROMPT && !COMMAND_LINE.test(text)),
      ...reminders.flatMap((text) => QUEUED.exec(text)?.[1]?.trim() ?? []),
    ].sort(),
    reminders: reminders.filter((text) => !QUEUED.test(text)),
  };
}

function textsOf(content: WireBlock["content"]): string[] {
  return blocksOf(content).map(({ text = "" }) => text);
}

/**
 * Returns the text of a result, without the reminders at its end, because the client may also send them after
 * the result.
 */
function resultOf({ content, is_error }: WireBlock): string {
  const all = blocksOf(content).map(({ type, text }) => text ?? `[${type}]`).join("\n");
  const text = withoutTokensLeft(all).replace(
    /(?:\s*<system-reminder>\n[^]*<\/system-reminder>)+$/,
    "",
  );
  return `${is_error === true ? "error: " : ""}${text.trim()}`;
}

/**
 * Matches the notice in a cut result or argument, such as `See line 12 of 0123abcd for full content`, or the
 * end of a tool search's result that a trim replaced.
 */
const CUT = /See line \d+ of [0-9a-f]{8} for full content|search again to load$/;

/**
 * Matches the openings of reminders that a trim may lose, because they change over time or are part of
 * `Read`'s output.
 */
const CHANGING_REMINDERS = new RegExp(
  "^(?:" + [
    "<total_tokens>",
    "Today's date",
    "The date has changed",
    "The (?:TodoWrite|task) tools? has",
    "# MCP Server",
    "The following (?:agent types|deferred tools|MCP servers)",
    "Whenever you read a file",
  ].join("|") + ")",
);

export function assertOnlyCut(
  before: SentConversation,
  after: SentConversation,
  name: string,
): void {
  assertEquals(after.answers, before.answers, `${name}: answers`);
  assertEquals([...after.calls.keys()], [...before.calls.keys()], `${name}: calls`);
  assertEquals([...after.results.keys()].sort(), [...before.results.keys()].sort(), name);
  let pictures = 0;
  for (const [kind, now] of [["calls", after.calls], ["results", after.results]] as const) {
    for (const [id, text] of now) {
      const original = before[kind].get(id) ?? "";
      if (text === original) continue;
      if (isWithoutPictures(text, original)) {
        pictures += original.match(PICTURE)?.length ?? 0;
        continue;
      }
      assertEquals(
        CUT.test(text) ? "cut" : text,
        CUT.test(text) ? "cut" : original,
        `${name}: ${id}`,
      );
      assertEquals(text.startsWith("error: "), original.startsWith("error: "), `${name}: ${id}`);
    }
  }
  assertEquals(after.prompts.toSorted(), before.prompts.toSorted(), `${name}: prompts`);
  const has = new Set(after.reminders.flatMap((text) => [text, openingOf(text)]));
  const lost = before.reminders.filter((text) => {
    const opening = openingOf(text);
    return !CHANGING_REMINDERS.test(opening) && !has.has(text) && !has.has(opening);
  });
  assertEquals(lost, [], `${name}: reminders`);
  const lines = after.reminders.filter((text) => PICTURE_LINE.test(text));
  assert(lines.length >= pictures, `${name}: ${pictures} pictures, ${lines.length} lines`);
}

/** Matches a picture or document in the text that {@linkcode resultOf} returns. */
const PICTURE = /^\[(?:image|document)\]$/gm;

const PICTURE_LINE = /\[(?:image|document) result masked -- /;

/**
 * Returns whether `text` equals `original` without its pictures, which a trim in place replaces with
 * separate lines.
 */
export function isWithoutPictures(text: string, original: string): boolean {
  return text === original.replaceAll(PICTURE, "").trim();
}

function openingOf(reminder: string): string {
  return reminder.replace(/^<system-reminder>\n?/, "").split("\n")[0]?.slice(0, 60) ?? "";
}
