/**
 * A scripted Messages API on loopback, which checks and logs every request.
 *
 * Needs `--allow-net=127.0.0.1`.
 */

import { assertExists } from "@std/assert";
import { type Answer, answerAsEvents, answerAsJson, type ScriptedBlock } from "./answer.ts";
import { kindOf, type RequestKind } from "./kind.ts";
import { requestProblem } from "./rules.ts";
import { contextTokensOf, countUsage, type Usage } from "./tokens.ts";
import { blocksOf, type WireRequest } from "./wire.ts";

export type { ScriptedBlock } from "./answer.ts";

export interface Turn {
  /** Several `tool_use` blocks are parallel calls. */
  blocks?: ScriptedBlock[];
  /** Overrides fields of the counted usage; `input_tokens` alone also sets the cache fields to 0. */
  usage?: Partial<Usage>;
  error?: ApiError;
}

export interface ApiError {
  status: number;
  type: string;
  message: string;
}

export type TurnLike = Turn | ScriptedBlock[] | string;

export interface MockScript {
  turns?: TurnLike[];
  /**
   * Called first, for requests of every kind. If it returns undefined, a request of the main conversation
   * gets the next turn, and any other request a default answer. `index` counts the earlier requests of the
   * same kind.
   */
  respond?: (request: LoggedRequest, index: number) => TurnLike | undefined;
  summary?: string;
  /** Part of every id that the mock generates. @default a random word, different for each mock */
  ids?: string;
  /** Rejects requests with more input tokens as too long. */
  limitTokens?: number;
  /** Whether requests may break rules of the API. If false, a violation fails the test. @default false */
  expectsViolations?: boolean;
}

export interface LoggedRequest {
  /** Only `user-agent`, and names that start with `x-` or `anthropic-`. */
  headers: Record<string, string>;
  body: WireRequest;
  kind: RequestKind;
  /** The API rule that the request broke, or null. */
  violation: string | null;
}

/** Disposing of the mock throws if a request broke a rule of the API and the script expects no violations. */
export interface Mock extends AsyncDisposable {
  url: string;
  requests: LoggedRequest[];
  violations: string[];
  /** Number of answers in the main conversation that ended a turn. */
  readonly endedTurns: number;
  of(kind: RequestKind): LoggedRequest[];
  /** Resolves with the first request, past or future, for which `accept` returns true. */
  request(accept: (request: LoggedRequest) => boolean): Promise<LoggedRequest>;
  close(): Promise<void>;
}

/** Makes the client compact. */
export const PROMPT_TOO_LONG: ApiError = {
  status: 400,
  type: "invalid_request_error",
  message: "prompt is too long: 210000 tokens > 200000 maximum",
};

/** The most frequent side call of an interactive client asks for the session's title. */
const SIDE_ANSWER = '{"title": "Scripted session"}';

const DEFAULT_SUMMARY = "The mock's summary of the conversation so far.";

export function startMock(script: MockScript = {}): Mock {
  const requests: LoggedRequest[] = [];
  const ids = script.ids ?? `mock${crypto.randomUUID().slice(0, 8)}`;
  const waiting = new Set<(request: LoggedRequest) => void>();
  let turnsTaken = 0;
  let answersGiven = 0;
  let endedTurns = 0;

  async function handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method !== "POST" || !pathname.startsWith("/v1/messages")) {
      await request.body?.cancel();
      return new Response(null, { status: 404 });
    }
    const raw = new Uint8Array(await request.arrayBuffer());
    const logged = logEntry(pathname, request.headers, raw);
    const index = requests.filter((earlier) => earlier.kind === logged.kind).length;
    requests.push(logged);
    for (const notify of waiting) notify(logged);
    if (logged.violation !== null) return errorResponse(badRequest(logged.violation));
    if (pathname.endsWith("/count_tokens")) {
      return Response.json({ input_tokens: contextTokensOf(countUsage(logged.body)) });
    }
    return turnResponse(logged, index);
  }

  function turnResponse(logged: LoggedRequest, index: number): Response {
    const counted = countUsage(logged.body);
    const tokens = contextTokensOf(counted);
    if (tokens > (script.limitTokens ?? Infinity)) {
      const message = `prompt is too long: ${tokens} tokens > ${script.limitTokens} maximum`;
      return errorResponse(badRequest(message));
    }
    const turn = asTurn(script.respond?.(logged, index) ?? nextTurn(logged));
    if (turn.error !== undefined) return errorResponse(turn.error);
    const blocks = turn.blocks ?? [];
    const usage = turnUsage(turn, counted);
    const id = `msg_${ids}_${String(++answersGiven).padStart(4, "0")}`;
    const answer: Answer = { id, model: logged.body.model, blocks, usage };
    if (logged.kind === "main" && !blocks.some(({ type }) => type === "tool_use")) endedTurns++;
    return logged.body.stream === true
      ? new Response(answerAsEvents(answer), { headers: { "content-type": "text/event-stream" } })
      : Response.json(answerAsJson(answer));
  }

  function nextTurn(logged: LoggedRequest): TurnLike {
    if (logged.kind === "main") return script.turns?.[turnsTaken++] ?? "Done.";
    if (logged.kind === "subagent") return "The agent is done.";
    if (logged.kind === "side") return SIDE_ANSWER;
    return `<analysis>Read it.</analysis>\n<summary>${script.summary ?? DEFAULT_SUMMARY}</summary>`;
  }

  function request(accept: (request: LoggedRequest) => boolean): Promise<LoggedRequest> {
    const past = requests.find(accept);
    if (past !== undefined) return Promise.resolve(past);
    return new Promise((resolve) => {
      const notify = (logged: LoggedRequest): void => {
        if (!accept(logged)) return;
        waiting.delete(notify);
        resolve(logged);
      };
      waiting.add(notify);
    });
  }

  const stop = new AbortController();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, signal: stop.signal, onListen: () => {} },
    handle,
  );
  async function close(): Promise<void> {
    stop.abort();
    await server.finished;
  }
  const mock: Mock = {
    url: `http://127.0.0.1:${server.addr.port}`,
    requests,
    get violations() {
      return requests.flatMap(({ violation }) => violation === null ? [] : [violation]);
    },
    get endedTurns() {
      return endedTurns;
    },
    of: (kind) => requests.filter((logged) => logged.kind === kind),
    request,
    close,
    [Symbol.asyncDispose]: async () => {
      await close();
      const { violations } = mock;
      if (violations.length === 0 || script.expectsViolations === true) return;
      // If the test fails too, Deno shows neither of the two errors.
      console.error(violations.join("\n"));
      throw new Error(`Cannot accept the client's request: ${violations[0]}`);
    },
  };
  return mock;
}

function logEntry(path: string, headers: Headers, raw: Uint8Array): LoggedRequest {
  const violation = requestProblem(raw);
  const kept = [...headers].filter(([name]) => /^(x-|anthropic-|user-agent$)/.test(name));
  const loggedHeaders = Object.fromEntries(kept);
  const body = parseLoosely(raw);
  const kind = path.endsWith("/count_tokens") ? "side" : kindOf(body, loggedHeaders);
  return { headers: loggedHeaders, body, kind, violation };
}

function parseLoosely(raw: Uint8Array): WireRequest {
  try {
    const parsed = JSON.parse(new TextDecoder().decode(raw));
    if (Array.isArray(parsed?.messages)) return parsed;
  } catch {
    // The violation is already reported.
  }
  return { model: "", messages: [] };
}

function asTurn(turn: TurnLike): Turn {
  if (typeof turn === "string") return { blocks: [{ type: "text", text: turn }] };
  return Array.isArray(turn) ? { blocks: turn } : turn;
}

function turnUsage(turn: Turn, counted: Omit<Usage, "output_tokens">): Usage {
  const outputChars = JSON.stringify(turn.blocks ?? []).length;
  const none = { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const base = turn.usage?.input_tokens === undefined ? counted : none;
  return { output_tokens: Math.ceil(outputChars / 4), ...base, ...turn.usage };
}

function badRequest(message: string): ApiError {
  return { status: 400, type: "invalid_request_error", message };
}

function errorResponse({ status, type, message }: ApiError): Response {
  return Response.json({ type: "error", error: { type, message } }, { status });
}

/** Returns the text of the newest request of the main conversation. */
export function newestText(mock: Mock): string {
  const request = mock.of("main").at(-1);
  assertExists(request);
  return textOf(request);
}

/** Returns the messages of the newest request of the main conversation as JSON. */
export function newestJson(mock: Mock): string {
  return JSON.stringify(mock.of("main").at(-1)?.body.messages);
}

export function textOf(request: LoggedRequest): string {
  return request.body.messages
    .flatMap((message) => blocksOf(message.content))
    .flatMap((block) => block.type === "tool_result" ? blocksOf(block.content) : [block])
    .map((block) => block.text ?? "")
    .join("\n");
}
