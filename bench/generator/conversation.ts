/**
 * Generates the sequence of events in a session: prompts, turns, metadata lines, rewinds and compactions.
 *
 * @module
 */

import { hookAttachment, Messages } from "./message.ts";
import { Deck } from "./random.ts";
import { BASE_TOKENS, COMPACT_AT_TOKENS, type Era, type Json, SessionState } from "./state.ts";
import { Tools } from "./tools.ts";

/** Numbers of tool calls in 40 messages with calls. */
const CALLS_PER_MESSAGE = [...Array<number>(36).fill(1), 2, 2, 3, 4];

const MESSAGES_PER_TURN = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 18];

const ERAS: readonly Era[] = ["old", "new", "old"];

export class Conversation {
  readonly #state: SessionState;
  readonly #tools: Tools;
  readonly #messages: Messages;
  readonly #callsPerMessage: Deck<number>;
  readonly #messagesPerTurn: Deck<number>;
  #turns = 0;
  #compactions = 0;
  #snapshotId: string;

  constructor(seed: number) {
    this.#state = new SessionState(seed);
    const { random } = this.#state;
    this.#tools = new Tools(this.#state);
    // Subagents draw from their own decks, so they do not change the main conversation's
    // proportions.
    this.#messages = new Messages(this.#state, new Tools(this.#state));
    this.#callsPerMessage = new Deck(random, CALLS_PER_MESSAGE);
    this.#messagesPerTurn = new Deck(random, MESSAGES_PER_TURN);
    this.#snapshotId = random.uuid();
  }

  get sessionId(): string {
    return this.#state.id;
  }

  /**
   * Yields the lines of the session, without newlines.
   *
   * @param done Called between messages, when every call has its result. If it returns true, the session
   * ends; a turn in progress ends with an answer of the assistant.
   */
  *lines(done: () => boolean): Generator<string> {
    const { random, texts } = this.#state;
    yield JSON.stringify({ type: "summary", summary: texts.title(), leafUuid: random.uuid() });
    yield this.#snapshot(false);
    yield this.#sessionStart("SessionStart:startup");
    while (!done()) yield* this.#turn(done);
  }

  *#turn(done: () => boolean): Generator<string> {
    const state = this.#state;
    const before = { tip: state.tip, tokens: state.tokens };
    yield* this.#prompt();
    const messages = this.#messagesPerTurn.deal();
    for (let message = 0; message < messages && !done(); message++) {
      if (state.tokens > COMPACT_AT_TOKENS) {
        yield* this.#compact();
        before.tip = null;
      }
      const calls = Array.from({ length: this.#callsPerMessage.deal() }, () => this.#tools.next());
      yield* this.#messages.write(calls);
      if (calls.some((call) => call.edited)) yield this.#snapshot(true);
    }
    yield* this.#messages.write([]);
    yield* this.#turnEnd(messages);
    // A rewind: the next prompt gets this prompt's parent, and the turn becomes a dead branch.
    if (before.tip !== null && state.random.chance(0.02) && !done()) {
      state.tip = before.tip;
      state.tokens = before.tokens;
      state.cachedTokens = Math.min(state.cachedTokens, state.tokens);
    }
  }

  *#prompt(): Generator<string> {
    const state = this.#state;
    const { random, texts } = state;
    this.#turns++;
    state.wait(20_000, 900_000);
    state.promptId = random.uuid();
    this.#snapshotId = random.uuid();
    yield this.#snapshot(false);
    const text = texts.cut("prose", random.logBetween(10, 1_500));
    state.see("prose", text.length);
    const content = random.chance(0.03) ? this.#pasted(text) : text;
    const parent = state.tip;
    state.tip = this.#snapshotId;
    yield state.entry(parent, {
      ...(state.era === "new" ? { promptId: state.promptId } : {}),
      type: "user",
      message: { role: "user", content },
      uuid: this.#snapshotId,
      timestamp: state.timestamp(),
      ...(state.era === "old"
        ? { thinkingMetadata: { maxThinkingTokens: 31_999 }, todos: [] }
        : {}),
      permissionMode: "default",
    });
    if (state.era === "new") yield* this.#attachments();
  }

  #pasted(text: string): Json {
    const { random, texts } = this.#state;
    // An occasional screenshot makes one of the longest lines of the file.
    const chars = random.chance(0.04) ? 700_000 : random.logBetween(12_000, 120_000);
    this.#state.tokens += 1_600;
    const data = texts.base64(chars, "iVBORw0KGgoAAAANSUhEUgAA");
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
    return [{ type: "text", text }, image];
  }

  *#attachments(): Generator<string> {
    const { random } = this.#state;
    const left = 15_000_000 - this.#turns * 9_000;
    const text = `<total_tokens>${left} tokens left</total_tokens>`;
    if (random.chance(0.3)) {
      yield this.#attachment({ type: "task_reminder", content: [], itemCount: 0 });
    }
    yield this.#attachment({ type: "total_tokens_reminder", text });
  }

  *#turnEnd(messages: number): Generator<string> {
    const state = this.#state;
    const { random, texts, era } = state;
    const durations = era === "new" ? { durationMs: random.between(30, 3_000) } : {};
    yield state.append({
      type: "system",
      subtype: "stop_hook_summary",
      hookCount: 1,
      hookInfos: [{ command: "note-the-end", ...durations }],
      hookErrors: [],
      preventedContinuation: false,
      stopReason: "",
      hasOutput: false,
      level: "suggestion",
      toolUseID: random.uuid(),
    });
    yield state.append({
      type: "system",
      subtype: "turn_duration",
      durationMs: random.between(9_000, 900_000),
      ...(era === "new" ? { messageCount: messages * 2 } : {}),
      isMeta: false,
    });
    if (era === "old") return;
    const sessionId = state.id;
    const leafUuid = state.tip;
    yield JSON.stringify({ type: "last-prompt", lastPrompt: texts.title(), leafUuid, sessionId });
    yield JSON.stringify({ type: "ai-title", aiTitle: texts.title(), sessionId });
    yield JSON.stringify({ type: "mode", mode: "normal", sessionId });
    yield JSON.stringify({ type: "permission-mode", permissionMode: "default", sessionId });
  }

  *#compact(): Generator<string> {
    const state = this.#state;
    const { random, texts } = state;
    state.wait(30_000, 90_000);
    const uuid = random.uuid();
    yield state.entry(null, {
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
      isMeta: false,
      timestamp: state.timestamp(),
      uuid,
      level: "info",
      compactMetadata: { trigger: "auto", preTokens: state.tokens },
    }, { logicalParentUuid: state.tip });
    const summary = texts.cut("prose", random.between(6_000, 14_000));
    state.tokens = BASE_TOKENS;
    state.cachedTokens = 16_496;
    state.see("prose", summary.length);
    state.tip = random.uuid();
    yield state.entry(uuid, {
      type: "user",
      message: { role: "user", content: `Summary of the work so far.\n\n${summary}` },
      isVisibleInTranscriptOnly: true,
      isCompactSummary: true,
      uuid: state.tip,
      timestamp: state.timestamp(),
    });
    this.#compactions++;
    state.era = ERAS[this.#compactions % ERAS.length] ?? "old";
    yield this.#sessionStart("SessionStart:compact");
    if (state.era === "new") yield this.#skillListing();
  }

  #skillListing(): string {
    const { texts } = this.#state;
    const content = texts.cut("prose", 18_000);
    this.#state.see("prose", content.length);
    const names = Array.from({ length: 40 }, (_, index) => `skill-${index}`);
    return this.#attachment({
      type: "skill_listing",
      content,
      skillCount: 40,
      isInitial: true,
      names,
    });
  }

  #sessionStart(hookName: string): string {
    const state = this.#state;
    if (state.era === "new") {
      return hookAttachment(state, "SessionStart", "compact", "SessionStart");
    }
    const id = state.random.uuid();
    return state.append({
      type: "progress",
      data: {
        type: "hook_progress",
        hookEvent: "SessionStart",
        hookName,
        command: "note-the-start",
      },
      parentToolUseID: id,
      toolUseID: id,
    });
  }

  #attachment(attachment: Json): string {
    return this.#state.append({ attachment, type: "attachment" });
  }

  #snapshot(isSnapshotUpdate: boolean): string {
    const { random, tracked } = this.#state;
    const timestamp = this.#state.timestamp();
    const backups = Object.fromEntries(
      (isSnapshotUpdate ? tracked.slice(-4) : []).map((file): [string, Json] => [file.path, {
        backupFileName: `${random.word().toString(16)}@v${file.version}`,
        version: file.version,
        backupTime: timestamp,
      }]),
    );
    const messageId = isSnapshotUpdate ? random.uuid() : this.#snapshotId;
    const snapshot = { messageId: this.#snapshotId, trackedFileBackups: backups, timestamp };
    return JSON.stringify({ type: "file-history-snapshot", messageId, snapshot, isSnapshotUpdate });
  }
}
