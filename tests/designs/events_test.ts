import { assert, assertEquals, assertLess, assertThrows } from "@std/assert";
import { emitEvent } from "../../src/designs/emit_event.ts";
import { EVENTS_FILE } from "../../src/events/log.ts";
import { withLockSync } from "../../src/store/lock.ts";
import { runDeno } from "../../tools/child.ts";
import { inProject, NOW } from "../saved/snapshots.ts";
import "../own_config.ts";

const WRITERS = 16;
const EVENTS_PER_WRITER = 20;
const POSIX = Deno.build.os !== "windows";

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
  inProject((projectDir) => {
    emit(projectDir, 1);
    const path = emit(projectDir, 2);
    assertEquals(path, `${projectDir}/${EVENTS_FILE}`);
    assertEquals(numbersIn(path), [1, 2]);
    assertEquals(Deno.readTextFileSync(`${projectDir}/.claude/trimtab/.gitignore`), "*\n");
    if (POSIX) assertEquals((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("emitEvent() starts a new line after a torn one", () =>
  inProject((projectDir) => {
    const path = emit(projectDir, 1);
    Deno.writeTextFileSync(path, '{"type":"to', { append: true });
    emit(projectDir, 2);
    const lines = Deno.readTextFileSync(path).split("\n");
    assertEquals(lines.slice(1, 2), ['{"type":"to']);
    assertEquals(JSON.parse(lines[2] ?? "").payload, { n: 2 });
    assertEquals(lines[3], "");
  }));

Deno.test("emitEvent() starts a new log at its limit and keeps the old one", () =>
  inProject((projectDir) => {
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
  inProject((projectDir) => {
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
  inProject((projectDir) => {
    const path = emit(projectDir, 1);
    withLockSync(`${path}.lock`, () => emit(projectDir, 2, 10));
    assertEquals(numbersIn(path), [1, 2]);
  }));

Deno.test("emitEvent() throws when the project or the log cannot be written", () =>
  inProject((projectDir) => {
    Deno.mkdirSync(`${projectDir}/${EVENTS_FILE}`, { recursive: true });
    assertThrows(() => emit(projectDir, 1));
  }));

Deno.test("emitEvent() mixes and loses no line of 16 processes, even over several logs", () =>
  inProject(async (projectDir) => {
    const url = JSON.stringify(new URL("../../src/designs/emit_event.ts", import.meta.url).href);
    const writer = `import { emitEvent } from ${url};
      const projectDir = ${JSON.stringify(projectDir)};
      const first = Number(Deno.args[0]) * ${EVENTS_PER_WRITER};
      for (let n = first; n < first + ${EVENTS_PER_WRITER}; n++) {
        const payload = { n, text: "x".repeat(500) };
        emitEvent({ type: "count", payload, source: "test" }, { projectDir, maxBytes: 110_000 });
      }`;
    Deno.writeTextFileSync(`${projectDir}/writer.ts`, writer);
    const run = ["run", "--no-prompt", "--no-check", "--allow-read", "--allow-write"];
    const exits = await Promise.all(
      Array.from(
        { length: WRITERS },
        (_, i) => runDeno([...run, `${projectDir}/writer.ts`, String(i)]),
      ),
    );
    assertEquals(exits.filter(({ code }) => code !== 0).map(({ stderr }) => stderr), []);
    const path = `${projectDir}/${EVENTS_FILE}`;
    const older = path.replace(/\.jsonl$/, ".1.jsonl");
    const numbers = [...numbersIn(path), ...numbersIn(older)];
    assertEquals(
      numbers.toSorted((a, b) => a - b),
      Array.from({ length: WRITERS * EVENTS_PER_WRITER }, (_, i) => i),
    );
    for (const log of [path, older]) assertLess(Deno.statSync(log).size, 130_000);
  }));
