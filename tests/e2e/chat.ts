/**
 * Runs a headless client that receives one prompt after another, as if a person typed them. Starting a client
 * takes most of a test's time, so one client receives all prompts.
 */

import type { JsonObject } from "../../src/core/record.ts";
import { clientArgs } from "./bed/client.ts";
import { environmentOf, type EnvironmentOptions, type TestHome } from "./bed/home.ts";
import { findClient } from "./bed/install.ts";
import type { Mock } from "./bed/mock_api.ts";
import { linesFrom } from "./bed/stream.ts";

const ANSWER_TIMEOUT_MS = 120_000;

export interface ChatOptions extends EnvironmentOptions {
  home: TestHome;
  mock: Mock;
  args?: string[];
  pluginDir?: string;
}

export interface Chat extends AsyncDisposable {
  /** Set after the first answer. */
  sessionId: string;
  /** Sends a prompt, as text or blocks, or a slash command; returns the client's final output. */
  say(prompt: string | readonly JsonObject[]): Promise<string>;
  setModel(model: string): Promise<boolean>;
  /** Usage by model, from the last answer. */
  modelUsage: Record<string, { contextWindow?: number }>;
  /** Ends the client and returns its stderr. */
  endAndReadErrors(): Promise<string>;
  end(): Promise<void>;
}

/** Starts a headless client that reads prompts from its stdin. Dispose of the chat, or call `end()`. */
export async function startChat(options: ChatOptions): Promise<Chat> {
  const { home, mock } = options;
  const formats = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];
  const child = new Deno.Command(await findClient(), {
    args: ["-p", ...formats, ...clientArgs(options)],
    cwd: home.cwd,
    clearEnv: true,
    env: environmentOf(home, mock.url, options),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const errors = new Response(child.stderr).text();
  const input = child.stdin.getWriter();
  const events = linesFrom(child.stdout);
  let isEnded = false;
  async function end(): Promise<void> {
    if (isEnded) return;
    isEnded = true;
    await input.close();
    while (!(await events.next()).done);
    await child.status;
  }
  const chat: Chat = {
    sessionId: "",
    modelUsage: {},
    say,
    setModel,
    end,
    endAndReadErrors: () => end().then(() => errors),
    [Symbol.asyncDispose]: end,
  };
  async function ask(line: unknown, type: string): Promise<Record<string, unknown>> {
    await input.write(new TextEncoder().encode(JSON.stringify(line) + "\n"));
    const timer = setTimeout(() => child.kill(), ANSWER_TIMEOUT_MS);
    try {
      for (;;) {
        const { done, value } = await events.next();
        if (done) {
          throw new Error(`Cannot get an answer: the client has ended\n${await errors}`);
        }
        const event = JSON.parse(value);
        if (event.type === type) return event;
      }
    } finally {
      clearTimeout(timer);
    }
  }
  async function say(prompt: string | readonly JsonObject[]): Promise<string> {
    const value = await ask({ type: "user", message: { role: "user", content: prompt } }, "result");
    chat.sessionId = String(value.session_id);
    chat.modelUsage = Object(value.modelUsage);
    return String(value.result);
  }
  async function setModel(model: string): Promise<boolean> {
    const request = { subtype: "set_model", model };
    const line = { type: "control_request", request_id: crypto.randomUUID(), request };
    const { response } = await ask(line, "control_response");
    return Object(response).subtype === "success";
  }
  return chat;
}
