/** The mock must reject the same requests as the API; otherwise a test with it proves nothing. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { makePng } from "./bed/image.ts";
import { type Mock, startMock } from "./bed/mock_api.ts";
import { signThinking } from "./bed/signature.ts";
import type { WireBlock, WireMessage, WireRequest } from "./bed/wire.ts";

async function post(mock: Mock, body: BodyInit): Promise<{ status: number; message: string }> {
  const response = await fetch(`${mock.url}/v1/messages?beta=true`, { method: "POST", body });
  const answer = await response.json();
  return { status: response.status, message: answer.error?.message ?? "" };
}

function body(...messages: WireMessage[]): WireRequest {
  return { model: "m", messages };
}

function by(role: string, ...content: WireBlock[]): WireMessage {
  return { role, content };
}

function textBlock(text: string): WireBlock {
  return { type: "text", text };
}

function callWith(input: unknown): WireMessage {
  return by("assistant", { type: "tool_use", id: "a", name: "Bash", input });
}

function resultOf(content: WireBlock["content"]): WireMessage {
  return by("user", { type: "tool_result", tool_use_id: "a", ...content && { content } });
}

const call = callWith({});
const result = resultOf("x");
const hello: WireMessage = { role: "user", content: "hello" };

function thinking(text: string, signature: string): WireRequest {
  const thought = { type: "thinking", thinking: text, signature };
  return body(hello, by("assistant", thought, textBlock("t")), hello);
}

function imageOf(data: string, media_type = "image/png"): WireBlock {
  return { type: "image", source: { type: "base64", media_type, data } };
}

async function image(width: number, height: number, mediaType?: string): Promise<WireBlock> {
  return imageOf((await makePng(width, height)).toBase64(), mediaType);
}

async function badRequests(): Promise<Record<string, [body: WireRequest, message: string]>> {
  const signature = signThinking("a thought");
  const marked = { ...textBlock("x"), cache_control: {} };
  const manyImages = [...Array(20).fill(await image(1, 1)), await image(2001, 1)];
  return {
    "no message": [body(), "at least one message"],
    "assistant first": [body({ role: "assistant", content: "x" }), "user role"],
    "unknown role": [body({ role: "tool", content: "x" }), "messages.0.role"],
    "system first": [body({ role: "system", content: "x" }), "user role"],
    "a picture in a system message": [body(hello, by("system", { type: "image" })), "only text"],
    "empty content": [body(by("user")), "non-empty content"],
    "empty text": [body(by("user", textBlock(""))), "must be non-empty"],
    "blank text": [body(by("user", textBlock(" \n"))), "non-whitespace"],
    "half a surrogate pair": [body(by("user", textBlock("\ud83d"))), "no low surrogate"],
    "text block without text": [body(by("user", { type: "text" })), "Field required"],
    "empty text in a result": [
      body(hello, call, resultOf([textBlock("")])),
      "tool_result.content.0: text content blocks must be non-empty",
    ],
    "call without a result": [body(hello, call), "without `tool_result`"],
    "a prompt instead of a result": [body(hello, call, hello, call), "without `tool_result`"],
    "result without a call": [body(hello, result), "unexpected `tool_use_id`"],
    "two results of one call": [body(hello, call, result, result), "single result"],
    "two calls with the same id": [body(hello, call, result, call, result), "must be unique"],
    "input of a wrong type": [body(hello, callWith("ls"), result), "valid dictionary"],
    "result of a wrong type": [
      body(hello, call, resultOf(JSON.parse("42"))),
      "tool_result.content: Input should be a valid list",
    ],
    "text before a result": [body(hello, call, hello, result), "must come before"],
    "empty thinking": [thinking("", signature), "Invalid `signature`"],
    "changed thinking": [thinking("another", signature), "Invalid `signature`"],
    "unsigned thinking": [thinking("a thought", ""), "signature: Field required"],
    "data that is not an image": [body(by("user", imageOf("AAAA"))), "Could not process image"],
    "base64 data that is cut off": [body(by("user", imageOf("A"))), "invalid base64"],
    "image of a wrong type": [body(by("user", await image(1, 1, "image/jpeg"))), "but it is"],
    "image too large": [body(by("user", await image(8001, 1))), "8000 pixels"],
    "large image among many": [body(by("user", ...manyImages)), "2000 pixels"],
    "too many cache marks": [body(by("user", ...Array(5).fill(marked))), "maximum of 4"],
  };
}

Deno.test("startMock() rejects a request that breaks a rule of the API, and logs why", async (t) => {
  await using mock = startMock({ expectsViolations: true });
  const rejects = (name: string, body: BodyInit, message: string): Promise<boolean> =>
    t.step(name, async () => {
      const before = mock.violations.length;
      const answer = await post(mock, body);
      assertEquals(answer.status, 400);
      assertStringIncludes(answer.message, message);
      assertEquals(mock.violations.slice(before), [answer.message]);
    });
  await rejects("no JSON", "{", "not valid JSON");
  await rejects("invalid UTF-8", new Uint8Array([34, 0xc3, 34]), "not valid JSON");
  for (const [name, [request, message]] of Object.entries(await badRequests())) {
    await rejects(name, JSON.stringify(request), message);
  }
});

Deno.test("startMock() accepts requests that follow the API's rules", async () => {
  await using mock = startMock();
  const accepted: WireRequest[] = [
    body(hello),
    body(hello, hello),
    body(hello, call, result, hello),
    thinking("a thought", signThinking("a thought")),
    thinking("", signThinking("")),
    thinking("", "a-signature-from-elsewhere"),
    body(by("user", textBlock("a lone \ufffd is fine, and so is \u{1f600}"))),
    body(by("user", await image(8000, 2))),
    body(by("user", ...Array(21).fill(await image(2000, 2)))),
  ];
  for (const request of accepted) {
    assertEquals(await post(mock, JSON.stringify(request)), { status: 200, message: "" });
  }
});
