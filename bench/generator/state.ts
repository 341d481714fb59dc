/**
 * The state of a session while it is written: the end of the chain of messages, the time, the tokens in
 * context, and the style (old or new client) of its lines.
 *
 * @module
 */

import { Random } from "./random.ts";
import { CHARS_PER_TOKEN, type TextKind, Texts } from "./text.ts";

/** A JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | {
  readonly [key: string]: Json;
};

/** A JSON object; keys are written in the order in which they were set. */
export type JsonObject = { readonly [key: string]: Json };

/** The style of a client's lines: `old` has the session id near the head, `new` near the tail. */
export type Era = "old" | "new";

/** Tokens of the system prompt and the tools, which precede every message. */
export const BASE_TOKENS = 18_400;

/** The context at which the client compacts by itself, in tokens. */
export const COMPACT_AT_TOKENS = 160_000;

/** When every generated session starts, in milliseconds since 1970. */
const START_MS = Date.UTC(2026, 0, 5, 9, 0, 0);

/** Most files tracked for rewinding, so that memory stays constant. */
const MAX_TRACKED = 24;

/** Where the session runs; the client repeats both on each line. */
const CWD = "/home/dev/projects/harbour/.worktrees/tide-table";

const BRANCH = "feature/tide-table-summary";

/** A file that the session edited. */
export interface TrackedFile {
  /** Its absolute path. */
  readonly path: string;
  /** The number of its backups. */
  version: number;
  /** Its length in characters. */
  chars: number;
}

/** The state of a session while its lines are generated. */
export class SessionState {
  /** Where chance comes from. */
  readonly random: Random;
  /** Where texts come from. */
  readonly texts: Texts;
  /** The session's id. */
  readonly id: string;
  /** The folder in which the session runs. */
  readonly cwd = CWD;
  /** The era of the lines written now. */
  era: Era = "old";
  /** The uuid of the next message's parent. */
  tip: string | null = null;
  /** Tokens in context now. */
  tokens = BASE_TOKENS;
  /** Tokens of the last request, which the next one reads from the cache. */
  cachedTokens = 0;
  /** The id of the prompt that is being answered. */
  promptId: string;
  /** Files with backups. */
  readonly tracked: TrackedFile[] = [];
  #now = START_MS;
  #slug: string;

  /** Starts a session; `seed` decides everything. */
  constructor(seed: number) {
    this.random = new Random(seed);
    this.texts = new Texts(this.random);
    this.id = this.random.uuid();
    this.promptId = this.random.uuid();
    this.#slug = "quiet-rolling-harbour";
  }

  /** Lets between `low` and `high` milliseconds pass. */
  wait(low: number, high: number): void {
    this.#now += this.random.between(low, high);
  }

  /** The time now, as the client writes it. */
  timestamp(): string {
    return new Date(this.#now).toISOString();
  }

  /** Puts a text of `chars` characters into the context. */
  see(kind: TextKind, chars: number): void {
    // No tokenizer is even: one text costs a little more than the next.
    const noise = 0.97 + 0.06 * this.random.fraction();
    this.tokens += Math.ceil((chars / CHARS_PER_TOKEN[kind]) * noise);
  }

  /**
   * One line of the transcript that is an entry of the tree.
   *
   * @param parent The uuid of its parent.
   * @param body Its own keys, in order, uuid and timestamp among them.
   * @param lead Keys right behind `parentUuid`.
   * @returns The line without its newline.
   */
  entry(parent: string | null, body: JsonObject, lead: JsonObject = {}): string {
    const head = { parentUuid: parent, ...lead, isSidechain: false };
    const place = { cwd: this.cwd, sessionId: this.id };
    const entry: JsonObject = this.era === "old"
      ? {
        ...head,
        userType: "external",
        ...place,
        version: "2.1.25",
        gitBranch: BRANCH,
        slug: this.#slug,
        ...body,
      }
      : {
        ...head,
        ...body,
        userType: "external",
        entrypoint: "cli",
        ...place,
        version: "2.1.197",
        gitBranch: BRANCH,
      };
    return JSON.stringify(entry);
  }

  /** A file that was edited before, or a new one (the oldest is then forgotten). */
  file(chars: () => number): TrackedFile {
    const [first, ...rest] = this.tracked;
    if (first !== undefined && this.random.chance(0.6)) return this.random.pick([first, ...rest]);
    const file = { path: this.texts.path(this.cwd), version: 0, chars: chars() };
    this.tracked.push(file);
    if (this.tracked.length > MAX_TRACKED) this.tracked.shift();
    return file;
  }
}
