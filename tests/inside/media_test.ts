import { assertEquals, assertStringIncludes } from "@std/assert";
import type { ApiMessage } from "../../src/inside/client.ts";
import { countLosses, readMedia } from "../../src/inside/media.ts";
import type { SessionLines } from "../../src/inside/session_lines.ts";
import { makePng } from "../e2e/bed/image.ts";
import { messageLine, sessionLines } from "./laid_out.ts";

const SESSION = { id: "abcdef01-0000-4000-8000-000000000000", model: "claude-sonnet-5" };
const DATA = (await makePng(40, 30)).toBase64();
const PICTURE = { type: "image", source: { type: "base64", media_type: "image/png", data: DATA } };
const CALL = { type: "tool_use", id: "t1", name: "Read", input: { file_path: "/p/x.png" } };
const RESULT = {
  type: "tool_result",
  tool_use_id: "t1",
  content: [{ type: "text", text: "Seen." }, PICTURE],
};

function linesOf(messages: readonly ApiMessage[]): SessionLines {
  return sessionLines(messages.map(({ role, content }) => messageLine(role, content)));
}

function prompt(...content: ApiMessage["content"]): ApiMessage {
  return { role: "user", content };
}

Deno.test("readMedia() describes the picture in a prompt and the picture in a result, each with its line number", () => {
  const messages = [
    prompt({ type: "text", text: "Look" }, PICTURE),
    { role: "assistant" as const, content: [CALL] },
    prompt(RESULT),
  ];
  const media = readMedia(messages, linesOf(messages), SESSION);
  const bytes = atob(DATA).length;
  const lineFor = (from: string, line: number): string =>
    "<local-command-caveat><system-reminder>\n" +
    `[image result masked -- ${bytes} bytes, type: "image/png", size: "40x30", from: ${from}. ` +
    `See line ${line} of abcdef01 for full content]\n</system-reminder></local-command-caveat>`;
  assertEquals(media.textsOf(PICTURE), [lineFor('"user"', 1)]);
  assertEquals(media.textsOf(RESULT), [lineFor('"Read", file: "/p/x.png"', 3)]);
  assertEquals(media.textsOf(CALL), []);
  assertEquals(media.count, 2);
});

Deno.test("readMedia() finds the line of a picture that a prompt mentions or that was sent with a queued prompt", () => {
  const file = {
    type: "file",
    content: { type: "image", file: { base64: DATA, type: "image/png" } },
  };
  const queued = { type: "queued_command", commandMode: "prompt", prompt: [PICTURE] };
  for (const attachment of [file, queued]) {
    const lines = [
      messageLine("user", "Look"),
      { type: "attachment", parentUuid: null, attachment },
      messageLine("user", "Go on"),
    ];
    const media = readMedia([prompt(PICTURE)], sessionLines(lines), SESSION);
    assertEquals(media.inUse, 0, "the newest prompt is about something else");
    assertStringIncludes(media.textsOf(PICTURE).join(), "See line 2 of abcdef01");
  }
});

Deno.test("readMedia() counts only pictures of the newest turn as in use", () => {
  const call = { role: "assistant" as const, content: [CALL] };
  const newestOf = (...messages: ApiMessage[]): number =>
    readMedia(messages, linesOf(messages), SESSION).inUse;
  const go = prompt({ type: "text", text: "Go on" });
  const command = prompt({ type: "text", text: "<command-name>/compact</command-name>" });
  assertEquals(newestOf(go, call, prompt(RESULT), go), 0);
  assertEquals(newestOf(go, call, prompt(RESULT), command), 1, "a command is not a prompt");
  const look = prompt({ type: "text", text: "Look" }, PICTURE);
  assertEquals(newestOf(go, look), 1);
  assertEquals(newestOf(look, go), 0);
  assertEquals(newestOf(look, go, look), 2, "the same picture was sent before");
  const unknown = readMedia([prompt(PICTURE)], linesOf([go]), SESSION);
  assertEquals([unknown.inUse, unknown.textsOf(PICTURE)[0]?.includes("See line")], [1, false]);
});

Deno.test("countLosses() counts thinking and loaded tools, and lists other types of lost blocks, but not pictures and documents", () => {
  const inResult = [{ type: "document" }, { type: "tool_reference", tool_name: "Grep" }];
  const losses = countLosses([
    { role: "user", content: [{ type: "text", text: "Look" }, { type: "image" }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "redacted_thinking", data: "d" },
        { type: "tool_use", id: "t" },
        { type: "server_tool_use", id: "u" },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: inResult }] },
  ]);
  const { thinking, loadedTools, lostTypes } = losses;
  assertEquals([thinking, loadedTools, lostTypes], [2, 1, ["server_tool_use"]]);
});
