/** Sets up what is needed to make and resume one session: a home, a mock and the session's id. */

import {
  findTranscript,
  newHome,
  newSmallHome,
  runClient,
  runClientWell,
  type TestHome,
} from "../bed/client.ts";
import { type ApiError, type Mock, startMock, type TurnLike } from "../bed/mock_api.ts";
import { openTerminal, type Terminal } from "../bed/terminal.ts";
import { type Context, NEXT_PROMPT, readContext, type Turn, turnsSent } from "./compare.ts";

/** The API's answer while it refuses every request. */
const REFUSAL: ApiError = { status: 400, type: "invalid_request_error", message: "not like this" };

export interface GoldenSession {
  name: string;
  usesSmallModel?: boolean;
  settings?: Record<string, unknown>;
  turns?: (cwd: string) => TurnLike[];
  agentWords?: string;
  evidence?: RegExp[];
  make: (bench: Bench) => Promise<void> | void;
}

export interface Resumption {
  sent: Turn[];
  context: Context;
}

export interface Bench extends AsyncDisposable {
  home: TestHome;
  mock: Mock;
  /** Empty until the session exists. */
  sessionId: string;
  resumptions: Resumption[];
  transcript(): string;
  say(prompt: string): Promise<void>;
  /** Like {@link say}, while the API refuses every request. */
  sayRefused(prompt: string): Promise<void>;
  open(): Promise<Terminal>;
  resume(args?: string[]): Promise<void>;
}

/** Prepares a home and a mock for a session; dispose of the bench after the comparison. */
export function openBench(session: GoldenSession): Bench {
  const home = session.usesSmallModel === true
    ? newSmallHome(session.settings)
    : newHome(session.settings);
  let isRefusing = false;
  const mock = startMock({
    turns: session.turns?.(home.cwd) ?? [],
    respond: ({ kind }) => {
      // Refuses every time, since the client may retry.
      if (isRefusing) return { error: REFUSAL };
      return kind === "subagent" ? session.agentWords : undefined;
    },
    summary: "All that was said so far. ".repeat(40),
  });
  const inSession = (): string[] => bench.sessionId === "" ? [] : ["--resume", bench.sessionId];
  const pathOf = (): string => {
    const path = findTranscript(home, bench.sessionId);
    if (path === null) throw new Error("Cannot find the session: it has no transcript");
    return path;
  };
  const bench: Bench = {
    home,
    mock,
    sessionId: "",
    resumptions: [],
    transcript: () => Deno.readTextFileSync(pathOf()),
    async say(prompt): Promise<void> {
      bench.sessionId = (await runClientWell({ home, mock, prompt, args: inSession() })).sessionId;
    },
    async sayRefused(prompt): Promise<void> {
      isRefusing = true;
      const run = await runClient({ home, mock, prompt, args: inSession() });
      isRefusing = false;
      if (run.code === 0) {
        throw new Error(`Cannot test a refusal: the client exited with 0\n${run.stdout}`);
      }
    },
    open: () => openTerminal({ home, mock }),
    async resume(args = []): Promise<void> {
      const context = readContext(pathOf());
      const before = mock.of("main").length;
      const options = { home, mock, prompt: NEXT_PROMPT, args: [...inSession(), ...args] };
      bench.sessionId = (await runClientWell(options)).sessionId;
      const request = mock.of("main")[before];
      if (request === undefined) {
        throw new Error("Cannot compare the resumed session: the client sent no request");
      }
      bench.resumptions.push({ sent: turnsSent(request.body, context.turns), context });
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await mock.close();
      home[Symbol.dispose]();
    },
  };
  return bench;
}
