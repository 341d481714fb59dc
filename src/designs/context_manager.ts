/** Decides, after every turn of an agent loop, what to do about the context. */

import { pushNewest } from "../core/newest.ts";
import { createLadder, type Ladder, levelAt } from "../gauge/ladder.ts";

/** The levels of an agent loop. */
type AgentLevel = "continue" | "soft" | "hard";

/** Without a tokenizer, a token is taken to be this many characters. */
const CHARS_PER_TOKEN = 4;

const DEFAULT_SOFT_THRESHOLD = 0.7;
const DEFAULT_HARD_THRESHOLD = 0.9;
const DEFAULT_MASK_COUNT = 3;

/** The next action of the loop. */
export type ContextAction =
  /** There is room. */
  | { readonly kind: "continue" }
  /** Replace the oldest observations, this many of them, by placeholders. */
  | { readonly kind: "mask"; readonly count: number }
  /** Tell the model to bring its work to an end. Comes once in a session. */
  | { readonly kind: "wind_down" }
  /** Start the next session: the window is full and the model has been told. */
  | { readonly kind: "restart" };

/** Options of a {@linkcode ContextManager}. */
export interface ContextManagerOptions {
  /** The model's window in tokens. */
  readonly contextLimit: number;
  /** The fraction of the window from which observations are masked. @default {0.7} */
  readonly softThreshold?: number;
  /** The fraction from which the session winds down, then restarts. @default {0.9} */
  readonly hardThreshold?: number;
  /** Number of the newest turns that the next session gets. */
  readonly carryoverTurns: number;
  /** Number of observations to mask in one round. @default {3} */
  readonly maskCount?: number;
}

/**
 * Tracks how full the window of an agent loop is, and what to do about it.
 *
 * The loop reports usage after every turn, asks {@linkcode ContextManager.evaluate}, and acts on
 * the answer. A manager leaves messages, the clock and the disk alone.
 *
 * @typeParam Message The loop's own message type; turns are kept and handed back as they came.
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
  /** Number of the newest turns that the next session gets. */
  readonly carryoverTurns: number;
  /** Number of observations that one round masks. */
  readonly maskCount: number;
  readonly #ladder: Ladder<AgentLevel>;
  #promptTokens = 0;
  #completionTokensTotal = 0;
  #totalChars = 0;
  #maskedCount = 0;
  #sessionNumber = 1;
  #turnCount = 0;
  #windDownSent = false;
  #turns: (readonly Message[])[] = [];

  /**
   * A manager for the first session.
   *
   * @param options The window, the thresholds and the carry-over.
   * @throws {RangeError} When the limit is not positive, a threshold is not a fraction, the soft one
   * is over the hard one, a count is not a whole number, or no observation would ever be masked.
   */
  constructor(options: ContextManagerOptions) {
    const soft = options.softThreshold ?? DEFAULT_SOFT_THRESHOLD;
    const hard = options.hardThreshold ?? DEFAULT_HARD_THRESHOLD;
    requireFraction("softThreshold", soft);
    requireFraction("hardThreshold", hard);
    if (!Number.isFinite(options.contextLimit) || options.contextLimit <= 0) {
      throw new RangeError(
        `Cannot manage context: contextLimit is ${options.contextLimit}, expected over 0`,
      );
    }
    this.contextLimit = options.contextLimit;
    this.carryoverTurns = requireCount("carryoverTurns", options.carryoverTurns);
    this.maskCount = requireCount("maskCount", options.maskCount ?? DEFAULT_MASK_COUNT);
    if (this.maskCount === 0) {
      throw new RangeError(
        "Cannot manage context: maskCount is 0, which would never free anything",
      );
    }
    // In fractions: 57 of 100 divided is the same number as 0.57 written, but 0.57 * 100 is not 57.
    this.#ladder = createLadder<AgentLevel>("continue", [
      { level: "soft", at: soft },
      { level: "hard", at: hard },
    ]);
  }

  /** The number of the session, from 1. */
  get sessionNumber(): number {
    return this.#sessionNumber;
  }

  /** The turns of this session so far. */
  get turnCount(): number {
    return this.#turnCount;
  }

  /** The observations masked in this session so far. */
  get maskedCount(): number {
    return this.#maskedCount;
  }

  /** The size of the newest prompt in tokens; 0 while unknown. */
  get promptTokens(): number {
    return this.#promptTokens;
  }

  /** All tokens that the model wrote in this session. */
  get completionTokensTotal(): number {
    return this.#completionTokensTotal;
  }

  /** All characters reported by {@linkcode ContextManager.addChars} in this session. */
  get totalChars(): number {
    return this.#totalChars;
  }

  /**
   * Takes the usage that the model's API reported for one request.
   *
   * @param promptTokens The size of the prompt in tokens. It holds the whole conversation, so it
   * replaces the figure before and is never added to it.
   * @param completionTokens The tokens of the answer; these add up.
   * @throws {RangeError} When a figure is not a whole number of 0 or more.
   */
  updateTokenUsage(promptTokens: number, completionTokens: number): void {
    const prompt = requireCount("promptTokens", promptTokens);
    const completion = requireCount("completionTokens", completionTokens);
    this.#promptTokens = prompt;
    this.#completionTokensTotal += completion;
  }

  /**
   * Counts characters that went into the context, for a model that reports no usage.
   *
   * @param chars Number of characters.
   * @throws {RangeError} When it is not a whole number of 0 or more.
   */
  addChars(chars: number): void {
    this.#totalChars += requireCount("chars", chars);
  }

  /**
   * Counts observations that were masked: the `masked_count` of a round of masking.
   *
   * @param count Number of observations.
   * @throws {RangeError} When it is not a whole number of 0 or more.
   */
  addMasked(count: number): void {
    this.#maskedCount += requireCount("masked", count);
  }

  /**
   * Returns the used fraction of the window. While usage is unknown, four characters count as a token.
   *
   * @returns The fraction of the window; over 1 when it is over-full.
   */
  usagePercentage(): number {
    const tokens = this.#promptTokens > 0
      ? this.#promptTokens
      : Math.floor(this.#totalChars / CHARS_PER_TOKEN);
    return tokens / this.contextLimit;
  }

  /**
   * Decides what to do now. At the hard threshold the first answer is to wind down, and from then
   * on to restart.
   *
   * @returns The action.
   */
  evaluate(): ContextAction {
    switch (levelAt(this.usagePercentage(), this.#ladder)) {
      case "continue":
        return { kind: "continue" };
      case "soft":
        return { kind: "mask", count: this.maskCount };
      case "hard": {
        if (this.#windDownSent) return { kind: "restart" };
        this.#windDownSent = true;
        return { kind: "wind_down" };
      }
    }
  }

  /** Counts a turn. */
  incrementTurn(): void {
    this.#turnCount += 1;
  }

  /**
   * Keeps the messages of a turn for the next session. Only the newest `carryoverTurns` stay.
   *
   * The messages are copied one level deep: masking one later leaves the carry-over whole.
   *
   * @param messages The turn's messages, oldest first.
   */
  addTurn(messages: readonly Message[]): void {
    if (this.carryoverTurns === 0) return;
    pushNewest(this.#turns, messages.map((message) => ({ ...message })), this.carryoverTurns);
  }

  /**
   * Begins the next session: its number goes up, every counter starts again.
   *
   * The turns handed back open the next session and stay the newest ones of the manager, so do
   * not report them by `addTurn` again. Their characters are not counted: report them by
   * `addChars` where the model gives no usage.
   *
   * @returns The newest turns, oldest first, `carryoverTurns` of them at the most.
   */
  prepareRestart(): Message[][] {
    this.#sessionNumber += 1;
    this.#promptTokens = 0;
    this.#completionTokensTotal = 0;
    this.#totalChars = 0;
    this.#maskedCount = 0;
    this.#turnCount = 0;
    this.#windDownSent = false;
    return this.#turns.map((turn) => turn.map((message) => ({ ...message })));
  }
}

function requireFraction(name: string, value: number): void {
  if (value > 0 && value <= 1) return;
  throw new RangeError(`Cannot manage context: ${name} is ${value}, expected over 0 and up to 1`);
}

function requireCount(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RangeError(`Cannot manage context: ${name} is ${value}, expected a whole number`);
}
