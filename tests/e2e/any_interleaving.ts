/**
 * Generates sessions that a client rarely writes: calls between results, failures, interruptions, queued
 * prompts, agents, and an end in the middle of a call.
 */

import fc from "fast-check";
import type { JsonObject } from "../../src/core/record.ts";
import { assistant, hookContext, use, user } from "./golden/lines.ts";

interface AnyAnswer {
  readonly texts: readonly string[];
  readonly calls: number;
  /** Each number picks the next line from the calls and results that may follow. */
  readonly picks: readonly number[];
  readonly hasError: boolean;
  readonly extraLine: "nothing" | "queued prompt" | "hook context" | "agent" | "api error";
}

interface AnyTurn {
  readonly prompt: string;
  readonly answers: readonly AnyAnswer[];
  readonly end: "answered" | "interrupted";
}

export interface AnyInterleaving {
  readonly turns: readonly AnyTurn[];
  readonly end: "answered" | "unanswered prompt" | "killed during a call";
}

const answer: fc.Arbitrary<AnyAnswer> = fc.record({
  texts: fc.array(fc.constantFrom("I look.", "Then this.", "And that."), { maxLength: 2 }),
  calls: fc.integer({ min: 0, max: 4 }),
  picks: fc.array(fc.nat(7), { minLength: 8, maxLength: 8 }),
  hasError: fc.boolean(),
  extraLine: fc.constantFrom("nothing", "queued prompt", "hook context", "agent", "api error"),
});

export const anyInterleaving: fc.Arbitrary<AnyInterleaving> = fc.record({
  turns: fc.array(
    fc.record({
      prompt: fc.constantFrom("Look at it", "Go on", "Once more", "Fix the test"),
      answers: fc.array(answer, { minLength: 1, maxLength: 4 }),
      end: fc.constantFrom("answered", "answered", "interrupted"),
    }),
    { minLength: 2, maxLength: 5 },
  ),
  end: fc.constantFrom("answered", "unanswered prompt", "killed during a call"),
});

/** A trim keeps only a part of a result that is this long. */
const LONG = "a line of an output that nobody needs any more\n".repeat(40);

class LineWriter {
  readonly lines: JsonObject[] = [];
  #parent: string | null = null;
  #count = 0;

  add(make: (uuid: string, parent: string | null) => JsonObject): void {
    const uuid = this.nextId();
    this.lines.push(make(uuid, this.#parent));
    this.#parent = uuid;
  }

  /** Adds a line that no later line has as its parent. */
  addBeside(make: (uuid: string, parent: string | null) => JsonObject): void {
    this.lines.push(make(this.nextId(), this.#parent));
  }

  nextId(): string {
    return `00000000-0000-4000-8000-${String(++this.#count).padStart(12, "0")}`;
  }
}

export function linesOf({ turns, end }: AnyInterleaving): JsonObject[] {
  const writer = new LineWriter();
  let answers = 0;
  for (const [index, turn] of turns.entries()) {
    writer.add((uuid, parent) => user(uuid, parent, `${turn.prompt} ${index}`));
    for (const answer of turn.answers) writeAnswer(writer, answer, `${++answers}`);
    if (turn.end === "interrupted") {
      writer.add((uuid, parent) =>
        user(uuid, parent, [{ type: "text", text: "[Request interrupted by user]" }])
      );
    } else {
      writer.add((uuid, parent) => assistant(uuid, parent, `Done with ${index}.`));
    }
  }
  if (end !== "answered") {
    writer.add((uuid, parent) => user(uuid, parent, "the last prompt"));
  }
  if (end === "killed during a call") {
    writer.add((uuid, parent) => assistant(uuid, parent, "Running it.", "msg_last"));
    writer.add((uuid, parent) => assistant(uuid, parent, [use("toolu_last")], "msg_last"));
  }
  return writer.lines;
}

function writeAnswer(writer: LineWriter, answer: AnyAnswer, name: string): void {
  const message = `msg_${name}`;
  for (const text of answer.texts) {
    writer.add((uuid, parent) => assistant(uuid, parent, text, message));
  }
  const waiting = Array.from({ length: answer.calls }, (_, n) => `toolu_${name}_${n}`);
  const open: string[] = [];
  for (let pick = 0; waiting.length + open.length > 0; pick++) {
    const [next] = waiting;
    const isCall = next !== undefined &&
      (open.length === 0 || (answer.picks[pick % answer.picks.length] ?? 0) % 2 === 0);
    if (isCall) {
      waiting.shift();
      open.push(next);
      writer.add((uuid, parent) => assistant(uuid, parent, [use(next)], message));
    } else {
      const [id = ""] = open.splice((answer.picks[pick % 8] ?? 0) % open.length, 1);
      const is_error = answer.hasError && id.endsWith("0");
      const content = { type: "tool_result", tool_use_id: id, content: `of ${id}: ${LONG}` };
      writer.add((uuid, parent) => user(uuid, parent, [{ ...content, is_error }]));
    }
  }
  writeExtraLine(writer, answer.extraLine);
}

function writeExtraLine(writer: LineWriter, extraLine: AnyAnswer["extraLine"]): void {
  switch (extraLine) {
    case "queued prompt": {
      const queued = { type: "queued_command", prompt: "typed while it worked" };
      const line = { type: "attachment", attachment: { ...queued, commandMode: "prompt" } };
      return writer.add((uuid, parentUuid) => ({ ...line, uuid, parentUuid }));
    }
    case "hook context":
      return writer.add(hookContext);
    case "agent":
      return writer.addBeside((uuid, parent) => ({
        ...user(uuid, parent, "words of an agent's own"),
        isSidechain: true,
      }));
    case "api error":
      return writer.add((uuid, parent) => ({
        ...assistant(uuid, parent, "API Error: 500 Internal server error"),
        isApiErrorMessage: true,
      }));
    case "nothing":
  }
}
