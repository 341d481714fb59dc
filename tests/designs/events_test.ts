import { assert, assertEquals, assertThrows } from "@std/assert";
import { emitEvent } from "../../src/designs/emit_event.ts";
import { EVENTS_FILE } from "../../src/events/log.ts";
import { withLockSync } from "../../src/store/lock.ts";
import { NOW } from "../saved/snapshots.ts";
import "../own_config.ts";
import { POSIX } from "../posix.ts";
import { inFolder } from "../folder.ts";

function emit(projectDir: string, n: number, maxBytes?: number): string {
  const event = { type: "count", payload: { n }, source: "test" };
  return emitEvent(event, {
    projectDir,
    now: NOW,
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
}

function numbersIn(path: string): number[] {
  const text = Deno.readTextFileSync(path);
  assert(text.endsWith("\n"));
  // A writer that could not wait for the lock may leave a blank line.
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line).payload.n);
}

Deno.test("emitEvent() adds a line to a private log that git ignores", () =>
  inFolder((projectDir) => {
    emit(projectDir, 1);
    const path = emit(projectDir, 2);
    assertEquals(path, `${projectDir}/${EVENTS_FILE}`);
    assertEquals(numbersIn(path), [1, 2]);
    assertEquals(Deno.readTextFileSync(`${projectDir}/.claude/trimtab/.gitignore`), "*\n");
    if (POSIX) assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("emitEvent() starts a new log at its limit and keeps the old one", () =>
  inFolder((projectDir) => {
    const path = emit(projectDir, 0);
    const maxBytes = Deno.statSync(path).size * 3 + 2;
    for (let n = 1; n < 8; n++) emit(projectDir, n, maxBytes);
    assertEquals(numbersIn(path), [6, 7]);
    assertEquals(numbersIn(path.replace(/\.jsonl$/, ".1.jsonl")), [3, 4, 5]);
    // An event that exceeds the bound by itself is written, too.
    emit(projectDir, 8, 10);
    emit(projectDir, 9, 10);
    assertEquals(numbersIn(path), [9]);
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

Deno.test("emitEvent() writes even when another process holds the lock", () =>
  inFolder((projectDir) => {
    const path = emit(projectDir, 1);
    withLockSync(`${path}.lock`, () => emit(projectDir, 2, 10));
    assertEquals(numbersIn(path), [1, 2]);
  }));
