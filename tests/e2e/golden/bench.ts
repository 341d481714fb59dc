/**
 * The place in which one session is made and resumed: a home, a mock and the session's id.
 *
 * @module
 */

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
import { align, type Alignment } from "./align.ts";
import { type ContextBlock, contextBlocks, type SentBlock, sentBlocks } from "./blocks.ts";
import { NEXT_PROMPT } from "./exceptions.ts";

/** The API's error while it refuses every request. */
const REFUSAL: ApiError = { status: 400, type: "invalid_request_error", message: "not like this" };

/** A session that the test makes and then resumes. */
export interface GoldenSession {
  /** The property that the session tests. */
  name: string;
  /** Whether its clients run with the small model. @default {false} */
  isOfSmallModel?: boolean;
  settings?: Record<string, unknown>;
  /** The assistant's turns, given the project's folder. */
  turns?: (cwd: string) => TurnLike[];
  /** The answer of the session's agents. */
  agentWords?: string;
  /** Arguments of the client when it resumes the session. @default none */
  resumeArgs?: string[];
  /** Patterns that the transcript must match, to prove that the session has the property. */
  evidence?: RegExp[];
  /** Makes the session and leaves its id in {@link Bench.sessionId}. */
  make: (bench: Bench) => Promise<void> | void;
}

/** The comparison for a resumed session. */
export interface Resumption extends Alignment {
  sent: SentBlock[];
  context: ContextBlock[];
  /** Characters of the context that should have been sent. */
  contextChars: number;
  /** The names of the known differences that were corrected. */
  miscounted: Set<string>;
}

/** The place where a session is made. */
export interface Bench extends AsyncDisposable {
  home: TestHome;
  mock: Mock;
  /** The session's id; empty until the session exists. */
  sessionId: string;
  /** All comparisons so far. */
  resumptions: Resumption[];
  /** The session's current transcript. */
  transcript(): string;
  /** Sends a prompt headless, in the session if it exists. */
  say(prompt: string): Promise<void>;
  /** Like {@link say}, while the API refuses every request. */
  sayRefused(prompt: string): Promise<void>;
  /** Opens the interactive client on a new session. */
  open(): Promise<Terminal>;
  /** Resumes the session and compares the request with its context. */
  resume(args?: string[]): Promise<void>;
}

/**
 * Prepares the place for a session.
 *
 * Needs the permissions of {@link runClient} and {@link startMock}.
 *
 * @param session The session to make.
 * @returns The place; dispose of it after the comparison.
 */
export function openBench(session: GoldenSession): Bench {
  const home = session.isOfSmallModel === true
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
      if (run.code === 0) throw new Error(`Cannot be refused: the run ended well\n${run.stdout}`);
    },
    open: () => openTerminal({ home, mock }),
    async resume(args = session.resumeArgs ?? []): Promise<void> {
      const { blocks: context, chars, miscounted } = contextBlocks(pathOf());
      const before = mock.of("main").length;
      const options = { home, mock, prompt: NEXT_PROMPT, args: [...inSession(), ...args] };
      bench.sessionId = (await runClientWell(options)).sessionId;
      const request = mock.of("main")[before];
      if (request === undefined) throw new Error("Cannot see the resumed session: no request");
      const sent = sentBlocks(request.body);
      const alignment = align(sent, context);
      const contextChars = chars - alignment.droppedChars;
      bench.resumptions.push({ ...alignment, sent, context, contextChars, miscounted });
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await mock.close();
      home[Symbol.dispose]();
    },
  };
  return bench;
}
