import { assert, assertEquals, assertThrows } from "@std/assert";
import { emitEvent } from "../../src/designs/emit_event.ts";
import { EVENTS_FILE } from "../../src/events/log.ts";
import "../own_config.ts";
import { inFolder } from "../folder.ts";

Deno.test("emitEvent() adds a line to the project's log, and starts a new log at the given size", () =>
  inFolder((projectDir) => {
    const emit = (n: number, options: { maxBytes?: number } = {}): string =>
      emitEvent({ type: "count", payload: { n }, source: "test" }, { projectDir, ...options });
    const numbers = (): number[] =>
      Deno.readTextFileSync(path).trimEnd().split("\n").map((line) => JSON.parse(line).payload.n);
    emit(1);
    const path = emit(2);
    assertEquals([path, numbers()], [`${projectDir}/${EVENTS_FILE}`, [1, 2]]);
    emit(3, { maxBytes: 10 });
    assertEquals(numbers(), [3]);
  }));

Deno.test("emitEvent() removes credentials and rejects an event that is too large", () =>
  inFolder((projectDir) => {
    const token = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5".slice(0, 36)}`;
    const payload = { note: [`with ${token}`], half: "\ud800" };
    const path = emitEvent({ type: "x", payload, source: "test" }, { projectDir });
    const text = Deno.readTextFileSync(path);
    assert(!text.includes(token), text);
    assert(text.includes("\\ud800"));
    const large = { type: "x", payload: { text: "é".repeat(40_000) }, source: "test" };
    assertThrows(() => emitEvent(large, { projectDir }), RangeError, 'Cannot write event "x"');
    assertEquals(Deno.readTextFileSync(path), text);
  }));
