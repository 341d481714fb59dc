import { pushNewest } from "../core/newest.ts";
import { type Ladder, levelAt } from "../gauge/ladder.ts";

type AgentLevel = "continue" | "soft" | "hard";

/** Assumed for models that report no usage. */
const CHARS_PER_TOKEN = 4;

const DEFAULT_SOFT_THRESHOLD = 0.7;
const DEFAULT_HARD_THRESHOLD = 0.9;
const DEFAULT_MASK_COUNT = 3;

const NEW_SESSION = {
  promptTokens: 0,
  completionTokensTotal: 0,
  totalChars: 0,
  maskedCount: 0,
  turnCount: 0,
  isWindDownSent: false,
};

/** The next action of the loop. */
export type ContextAction =
  /** Continue: the window has room. */
  | { readonly kind: "continue" }
  /** Replace the `count` oldest observations with placeholders. */
  | { readonly kind: "mask"; readonly count: number }
  /** Tell the model to finish its work. Returned once per session. */
  | { readonly kind: "wind_down" }
  /** Start the next session: the window is full, and the model was asked to finish. */
  | { readonly kind: "restart" };

/** Options for a {@linkcode ContextManager}. */
export interface ContextManagerOptions {
  /** The model's window in tokens. */
  readonly contextLimit: number;
  /** The fraction of the window at which to mask observations. @default {0.7} */
  readonly softThreshold?: number;
  /** The fraction of the window at which to wind down, and then to restart. @default {0.9} */
  readonly hardThreshold?: number;
  /** Number of newest turns to carry over to the next session. */
  readonly carryoverTurns: number;
  /** Number of observations to mask in one round. @default {3} */
  readonly maskCount?: number;
}

/**
 * Tracks how full the window of an agent loop is, and decides on the next action.
 *
 * The loop reports usage after each turn, calls {@linkcode ContextManager.evaluate}, and acts on the result.
 * A manager does not change the loop's messages, and uses neither the clock nor the disk.
 *
 * @typeParam Message The loop's own message type; turns are stored and returned unchanged.
 *
 * @example
 * ```ts
 * import { ContextManager } from "./context_manager.ts";
 * import { assertEquals } from "@std/assert";
 *
 * const manager = new ContextManager({ contextLimit: 100_000, carryoverTurns: 2 });
 * manager.updateTokenUsage(75_000, 800);
 * assertEquals(manager.evaluate(), { kind: "mask", count: 3 });
 * manager.updateTokenUsage(92_000, 500);
 * assertEquals(manager.evaluate(), { kind: "wind_down" });
 * assertEquals(manager.evaluate(), { kind: "restart" });
 * manager.prepareRestart();
 * assertEquals(manager.sessionNumber, 2);
 * ```
 */
export class ContextManager<Message extends object = object> {
  /** The model's window in tokens. */
  readonly contextLimit: number;
  /** Number of newest turns to carry over to the next session. */
  readonly carryoverTurns: number;
  /** Number of observations to mask in one round. */
  readonly maskCount: number;
  readonly #ladder: Ladder<AgentLevel>;
  #sessionNumber = 1;
  #session = { ...NEW_SESSION };
  #turns: (readonly Message[])[] = [];

  /** Creates a manager for the first session. */
  constructor(options: ContextManagerOptions) {
    this.contextLimit = options.contextLimit;
    this.carryoverTurns = options.carryoverTurns;
    this.maskCount = options.maskCount ?? DEFAULT_MASK_COUNT;
    // The ladder uses fractions, because 57 / 100 equals 0.57, but 0.57 * 100 does not equal 57.
    this.#ladder = [
      ["continue", 0],
      ["soft", options.softThreshold ?? DEFAULT_SOFT_THRESHOLD],
      ["hard", options.hardThreshold ?? DEFAULT_HARD_THRESHOLD],
    ];
  }

  /** The session's number, from 1. */
  get sessionNumber(): number {
    return this.#sessionNumber;
  }

  /** Number of turns in this session so far. */
  get turnCount(): number {
    return this.#session.turnCount;
  }

  /** Number of observations masked in this session so far. */
  get maskedCount(): number {
    return this.#session.maskedCount;
  }

  /** The size of the newest prompt in tokens; 0 if unknown. */
  get promptTokens(): number {
    return this.#session.promptTokens;
  }

  /** Tokens of all answers in this session. */
  get completionTokensTotal(): number {
    return this.#session.completionTokensTotal;
  }

  /** Characters reported by {@linkcode ContextManager.addChars} in this session. */
  get totalChars(): number {
    return this.#session.totalChars;
  }

  /** Reports a request: the prompt's size replaces the previous one, and the answer's tokens are added. */
  updateTokenUsage(promptTokens: number, completionTokens: number): void {
    this.#session.promptTokens = promptTokens;
    this.#session.completionTokensTotal += completionTokens;
  }

  /** Reports characters added to the context, for a model that reports no usage. */
  addChars(chars: number): void {
    this.#session.totalChars += chars;
  }

  /** Reports masked observations: the `masked_count` that a round of masking returned. */
  addMasked(count: number): void {
    this.#session.maskedCount += count;
  }

  /** Returns the used fraction, over 1 if exceeded. Without reported usage, counts four characters as a token. */
  usagePercentage(): number {
    const { promptTokens, totalChars } = this.#session;
    const tokens = promptTokens > 0 ? promptTokens : Math.floor(totalChars / CHARS_PER_TOKEN);
    return tokens / this.contextLimit;
  }

  /**
   * Decides on the next action. At the hard threshold, the first call returns `wind_down`, and later calls
   * return `restart`.
   *
   * @throws {RangeError} When the usage is negative or not a number, as with 0 of 0 tokens.
   */
  evaluate(): ContextAction {
    switch (levelAt(this.usagePercentage(), this.#ladder)) {
      case "continue":
        return { kind: "continue" };
      case "soft":
        return { kind: "mask", count: this.maskCount };
      case "hard": {
        if (this.#session.isWindDownSent) return { kind: "restart" };
        this.#session.isWindDownSent = true;
        return { kind: "wind_down" };
      }
    }
  }

  /** Counts a turn. */
  incrementTurn(): void {
    this.#session.turnCount += 1;
  }

  /**
   * Stores the messages of a turn, oldest first, for the next session. They are copied one level deep, so that
   * later masking does not change them. Only the newest `carryoverTurns` turns are kept.
   */
  addTurn(messages: readonly Message[]): void {
    pushNewest(this.#turns, messages.map((message) => ({ ...message })), this.carryoverTurns);
  }

  /**
   * Starts the next session: increments its number and resets all counters.
   *
   * The returned turns open the next session, and stay stored: do not report them to `addTurn` again. Report
   * their characters to `addChars` if the model reports no usage.
   *
   * @returns The newest turns, oldest first, at most `carryoverTurns`.
   */
  prepareRestart(): Message[][] {
    this.#sessionNumber += 1;
    this.#session = { ...NEW_SESSION };
    return this.#turns.map((turn) => turn.map((message) => ({ ...message })));
  }
}
