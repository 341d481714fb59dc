/**
 * Stores the state of a session while its lines are generated: the end of the message chain, the time, the
 * tokens in context, and the style (old or new client) of its lines.
 *
 * @module
 */

import { Random } from "./random.ts";
import { CHARS_PER_TOKEN, type TextKind, Texts } from "./text.ts";

export type Json = string | number | boolean | null | readonly Json[] | {
  readonly [key: string]: Json;
};

/** Keys are written in insertion order. */
export type JsonObject = { readonly [key: string]: Json };

/**
 * The style of a client's lines: `old` has the session id near the start of a line, `new` near the
 * end.
 */
export type Era = "old" | "new";

/** Tokens of the system prompt and the tools, which precede every message. */
export const BASE_TOKENS = 18_400;

export const COMPACT_AT_TOKENS = 160_000;

const START_MS = Date.UTC(2026, 0, 5, 9, 0, 0);

/** Maximum number of files tracked for rewinding, so that memory use is constant. */
const MAX_TRACKED = 24;

const BRANCH = "feature/tide-table-summary";

export interface TrackedFile {
  readonly path: string;
  /** Number of backups of the file. */
  version: number;
  chars: number;
}

export class SessionState {
  readonly random: Random;
  readonly texts: Texts;
  readonly id: string;
  /** The client repeats the working directory and the branch on each line. */
  readonly cwd = "/home/dev/projects/harbour/.worktrees/tide-table";
  era: Era = "old";
  /** The uuid of the next message's parent. */
  tip: string | null = null;
  tokens = BASE_TOKENS;
  /** Tokens of the last request, which the next request reads from the cache. */
  cachedTokens = 0;
  promptId: string;
  readonly tracked: TrackedFile[] = [];
  #now = START_MS;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.texts = new Texts(this.random);
    this.id = this.random.uuid();
    this.promptId = this.random.uuid();
  }

  /** Advances the clock by `low` to `high` milliseconds. */
  wait(low: number, high: number): void {
    this.#now += this.random.between(low, high);
  }

  timestamp(): string {
    return new Date(this.#now).toISOString();
  }

  see(kind: TextKind, chars: number): void {
    // The number of tokens per character varies slightly from text to text.
    const noise = 0.97 + 0.06 * this.random.fraction();
    this.tokens += Math.ceil((chars / CHARS_PER_TOKEN[kind]) * noise);
  }

  /**
   * Renders an entry of the tree as a line without its newline.
   *
   * @param body The entry's own keys, in order, including uuid and timestamp.
   * @param lead Keys right after `parentUuid`.
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
        slug: "quiet-rolling-harbour",
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

  append(body: JsonObject): string {
    const parent = this.tip;
    this.tip = this.random.uuid();
    return this.entry(parent, { ...body, uuid: this.tip, timestamp: this.timestamp() });
  }

  file(chars: () => number): TrackedFile {
    const { random, tracked } = this;
    if (tracked.length > 0 && random.chance(0.6)) return random.pick(tracked);
    const file = { path: this.texts.path(this.cwd), version: 0, chars: chars() };
    tracked.push(file);
    if (tracked.length > MAX_TRACKED) tracked.shift();
    return file;
  }
}
