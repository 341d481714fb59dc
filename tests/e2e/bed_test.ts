/**
 * The mock must reject the same requests as the API; otherwise a test with it proves nothing.
 *
 * @module
 */

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

const callMessage: WireMessage = {
  role: "assistant",
  content: [{ type: "tool_use", id: "a", name: "Bash", input: {} }],
};
const resultMessage: WireMessage = {
  role: "user",
  content: [{ type: "tool_result", tool_use_id: "a", content: "x" }],
};
const hello: WireMessage = { role: "user", content: "hello" };

function userBlocks(...content: WireBlock[]): WireRequest {
  return body({ role: "user", content });
}

function thinking(text: string, signature: string): WireRequest {
  const content = [{ type: "thinking", thinking: text, signature }, { type: "text", text: "t" }];
  return body(hello, { role: "assistant", content }, hello);
}

async function image(width: number, height: number, mediaType = "image/png"): Promise<WireBlock> {
  const data = (await makePng(width, height)).toBase64();
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}

async function badRequests(): Promise<Record<string, { body: BodyInit; message: string }>> {
  const refused = (request: WireRequest, message: string): { body: BodyInit; message: string } => ({
    body: JSON.stringify(request),
    message,
  });
  const signature = signThinking("a thought");
  return {
    "no JSON": { body: "{", message: "not valid JSON" },
    "invalid UTF-8": { body: new Uint8Array([34, 0xc3, 34]), message: "not valid JSON" },
    "half a surrogate pair": {
      body: JSON.stringify(body(hello)).replace("hello", "\\ud83d"),
      message: "no low surrogate",
    },
    "no message": refused(body(), "at least one message"),
    "assistant first": refused(body({ role: "assistant", content: "x" }), "user role"),
    "unknown role": refused(body({ role: "tool", content: "x" }), "messages.0.role"),
    "system first": refused(body({ role: "system", content: "x" }), "user role"),
    "a picture in a system message": refused(
      body(hello, { role: "system", content: [{ type: "image" }] }),
      "only text",
    ),
    "empty content": refused(body({ role: "user", content: [] }), "non-empty content"),
    "empty text": refused(userBlocks({ type: "text", text: "" }), "must be non-empty"),
    "blank text": refused(userBlocks({ type: "text", text: " \n" }), "non-whitespace"),
    "text block without text": {
      body: JSON.stringify(userBlocks({ type: "text" })),
      message: "Field required",
    },
    "empty text in a result": refused(
      body(hello, callMessage, {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "" }] }],
      }),
      "tool_result.content.0: text content blocks must be non-empty",
    ),
    "call without a result": refused(body(hello, callMessage), "without `tool_result`"),
    "a prompt instead of a result": refused(
      body(hello, callMessage, hello, callMessage),
      "without `tool_result`",
    ),
    "result without a call": refused(body(hello, resultMessage), "unexpected `tool_use_id`"),
    "two results of one call": refused(
      body(hello, callMessage, resultMessage, resultMessage),
      "single result",
    ),
    "two calls with the same id": refused(
      body(hello, callMessage, resultMessage, callMessage, resultMessage),
      "must be unique",
    ),
    "input of a wrong type": refused(
      body(hello, {
        role: "assistant",
        content: [{ type: "tool_use", id: "a", name: "Bash", input: "ls" }],
      }, resultMessage),
      "valid dictionary",
    ),
    "result of a wrong type": refused(
      body(hello, callMessage, {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "a", content: JSON.parse("42") }],
      }),
      "tool_result.content: Input should be a valid list",
    ),
    "text before a result": refused(
      body(hello, callMessage, hello, resultMessage),
      "must come before",
    ),
    "empty thinking": refused(thinking("", signature), "Invalid `signature`"),
    "changed thinking": refused(thinking("another", signature), "Invalid `signature`"),
    "unsigned thinking": refused(thinking("a thought", ""), "signature: Field required"),
    "data that is not an image": refused(
      userBlocks({
        type: "image",
        source: { type: "base64", media_type: "image/png", data: "AAAA" },
      }),
      "Could not process image",
    ),
    "base64 data that is cut off": refused(
      userBlocks({ type: "image", source: { type: "base64", media_type: "image/png", data: "A" } }),
      "invalid base64",
    ),
    "image of a wrong type": refused(userBlocks(await image(1, 1, "image/jpeg")), "but it is"),
    "image too large": refused(userBlocks(await image(8001, 1)), "8000 pixels"),
    "large image among many": refused(
      userBlocks(...Array(20).fill(await image(1, 1)), await image(2001, 1)),
      "2000 pixels",
    ),
    "too many cache marks": refused(
      userBlocks(...Array(5).fill({ type: "text", text: "x", cache_control: {} })),
      "maximum of 4",
    ),
  };
}

Deno.test("startMock() rejects a request that breaks a rule of the API, and logs why", async (t) => {
  await using mock = startMock({ expectsViolations: true });
  for (const [name, { body, message }] of Object.entries(await badRequests())) {
    await t.step(name, async () => {
      const before = mock.violations.length;
      const answer = await post(mock, body);
      assertEquals(answer.status, 400);
      assertStringIncludes(answer.message, message);
      assertEquals(mock.violations.slice(before), [answer.message]);
    });
  }
});

Deno.test("startMock() accepts requests that follow the API's rules", async () => {
  await using mock = startMock();
  const signature = signThinking("a thought");
  const taken: WireRequest[] = [
    body(hello),
    body(hello, hello),
    body(hello, callMessage, resultMessage, hello),
    thinking("a thought", signature),
    thinking("", signThinking("")),
    thinking("", "a-signature-from-elsewhere"),
    userBlocks({ type: "text", text: "a lone \ufffd is fine, and so is \u{1f600}" }),
    userBlocks(await image(8000, 2)),
    userBlocks(...Array(21).fill(await image(2000, 2))),
  ];
  for (const request of taken) {
    assertEquals(await post(mock, JSON.stringify(request)), { status: 200, message: "" });
  }
});
