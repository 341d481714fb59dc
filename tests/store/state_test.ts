import { insideRecordPath } from "../../src/store/inside_record.ts";
import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { withLockSync } from "../../src/store/lock.ts";
import { readSessionState, sessionStatePath, type StateOwner } from "../../src/store/state.ts";
import { type StateChange, updateSessionState } from "../../src/store/state_update.ts";
import { posixTest } from "../posix.ts";
import { inFolder, modeOf, namesIn } from "../folder.ts";
import { anyCharacters } from "../any_characters.ts";

const SESSION = "0e3c1a52-7d3a-4a52-9a3e-6f1c5d1b2a10";
const RUNS = { numRuns: 60, seed: 20260311 };

function inProject(run: (owner: StateOwner) => void | Promise<void>): Promise<void> {
  return inFolder((projectDir) => run({ projectDir, sessionId: SESSION }));
}

function pathOf(owner: StateOwner): string {
  const path = sessionStatePath(owner);
  assert(path !== null);
  return path;
}

function plant(owner: StateOwner, content: string | Uint8Array): void {
  const path = pathOf(owner);
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  if (typeof content === "string") Deno.writeTextFileSync(path, content);
  else Deno.writeFileSync(path, content);
}

Deno.test("sessionStatePath() accepts only a session id", () => {
  const path = `/p/.claude/trimtab/state/${SESSION}.json`;
  assertEquals(sessionStatePath({ projectDir: "/p", sessionId: SESSION }), path);
  const near = [`../${SESSION}`, `${SESSION}/..`, `${SESSION}\n`, ` ${SESSION}`, `${SESSION}0`];
  const wrong = ["", "..", "../../../etc/passwd", "__proto__", SESSION.slice(1), ...near];
  for (const sessionId of wrong) {
    assertEquals(sessionStatePath({ projectDir: "/p", sessionId }), null, sessionId);
    assertEquals(readSessionState({ projectDir: "/p", sessionId }), {});
    const update = () => updateSessionState({ projectDir: "/p", sessionId }, () => ({}));
    assertThrows(update, RangeError, "is not the id of a session");
  }
});

Deno.test("updateSessionState() makes a state that readSessionState() reads for the same session", () =>
  inProject((owner) => {
    const created = "2026-03-01T10:01:00.000Z";
    const times = { window_seen_at: created, warned_at: created };
    const last_checkpoint = { id: "2026-03-01-100100", created };
    const state = { ...times, usage_tokens: 0, last_checkpoint, notices: ["config"] };
    assertEquals(updateSessionState(owner, () => state), "written");
    assertEquals(readSessionState(owner), state);
    assertEquals(readSessionState({ ...owner, sessionId: SESSION.replace("0e", "0f") }), {});
  }));

Deno.test("updateSessionState() changes some fields, removes fields that are null and keeps the rest", () =>
  inProject((owner) => {
    const kept = '"later":{"a":[1]},"none":null,"__proto__":7';
    plant(owner, `{"level":"warn","warned_at":"x",${kept}}`);
    const seen: unknown[] = [];
    updateSessionState(owner, (state) => {
      seen.push(state);
      return { level: "urgent", warned_at: null, usage_tokens: 5 };
    });
    assertEquals(seen, [{ level: "warn", warned_at: "x" }]);
    const expected = `{"level":"urgent",${kept},"usage_tokens":5}\n`;
    assertEquals(Deno.readTextFileSync(pathOf(owner)), expected);
  }));

Deno.test("updateSessionState() writes nothing when nothing changes", () =>
  inProject((owner) => {
    assertEquals(updateSessionState(owner, () => null), "unchanged");
    assertThrows(() => Deno.statSync(pathOf(owner)), Deno.errors.NotFound);
    updateSessionState(owner, () => ({ level: "warn" }));
    const before = Deno.statSync(pathOf(owner)).ino;
    assertEquals(updateSessionState(owner, () => ({ level: "warn" })), "unchanged");
    assertEquals(updateSessionState(owner, () => null), "unchanged");
    assertEquals(Deno.statSync(pathOf(owner)).ino, before);
  }));

Deno.test("updateSessionState() changes nothing while another process holds the lock", () =>
  inProject((owner) => {
    updateSessionState(owner, () => ({ level: "warn" }));
    const lock = pathOf(owner).replace(/[^/]*$/, ".lock");
    withLockSync(lock, () => {
      const never = (): StateChange => {
        throw new Error("the callback must not be called");
      };
      assertEquals(updateSessionState(owner, never, { waitMs: 0 }), "busy");
    });
    assertEquals(readSessionState(owner), { level: "warn" });
  }));

Deno.test("readSessionState() treats a damaged file as empty, and the next write repairs it", async () => {
  const damaged = [
    "",
    '{"level":"wa',
    '["warn"]',
    "null",
    new Uint8Array(300),
    new Uint8Array([0xff, 0xfe, 0x7b]),
    `{"level":"warn","x":"${"x".repeat(300_000)}"}`,
  ];
  for (const content of damaged) {
    await inProject((owner) => {
      plant(owner, content);
      assertEquals(readSessionState(owner), {});
      assertEquals(updateSessionState(owner, () => ({ level: "ok" })), "written");
      assertEquals(JSON.parse(Deno.readTextFileSync(pathOf(owner))), { level: "ok" });
    });
  }
});

Deno.test("readSessionState() leaves out fields of a wrong type, and a checkpoint whose id cannot be shown", () =>
  inProject((owner) => {
    const wrong = '"window_tokens":0,"usage_tokens":-1,"auto_compacted_at":0,"level":3,' +
      '"checkpoint_armed":"yes","continues":"x","active_since":"then","warned_at":null,' +
      '"last_checkpoint":{"id":"x"},"notices":["a",1]';
    plant(owner, `{${wrong},"window_seen_at":"fine"}`);
    assertEquals(readSessionState(owner), { window_seen_at: "fine" });
    const created = "2026-03-01T10:01:00.000Z";
    for (const id of [undefined, null, 5, ["x"], "a b", ""]) {
      plant(owner, JSON.stringify({ last_checkpoint: { id, created } }));
      assertEquals(readSessionState(owner), {});
    }
  }));

Deno.test("readSessionState() treats a folder in the file's place as empty, and updateSessionState() throws", () =>
  inProject((owner) => {
    Deno.mkdirSync(pathOf(owner), { recursive: true });
    assertEquals(readSessionState(owner), {});
    assertThrows(() => updateSessionState(owner, () => ({ level: "ok" })));
  }));

Deno.test("readSessionState() and updateSessionState() agree on any change", () =>
  inProject((owner) => {
    const change = fc.record({
      window_tokens: fc.integer({ min: 1, max: 2_000_000 }),
      usage_tokens: fc.nat(),
      level: anyCharacters(),
      notices: fc.array(fc.string(), { maxLength: 4 }),
    }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 4 }), (changes) => {
        for (const change of changes) updateSessionState(owner, () => change);
        const all = Object.assign({}, ...changes);
        assertEquals(readSessionState(owner), all);
        const nulls = Object.keys(all).map((field) => [field, null]);
        updateSessionState(owner, () => Object.fromEntries(nulls));
        assertEquals(readSessionState(owner), {});
      }),
      RUNS,
    );
  }));

posixTest("updateSessionState() makes private files that git ignores", () =>
  inProject((owner) => {
    updateSessionState(owner, () => ({ level: "ok" }));
    const folder = `${owner.projectDir}/.claude/trimtab`;
    assertEquals(modeOf(pathOf(owner)), 0o600);
    assertEquals(modeOf(`${folder}/state`), 0o700);
    assertEquals(modeOf(`${folder}/state/.lock`), 0o600);
    assertEquals(Deno.readTextFileSync(`${folder}/.gitignore`), "*\n");
    const names = namesIn(`${folder}/state`);
    assertEquals(names, [".lock", `${SESSION}.json`]);
  }));

Deno.test("updateSessionState() does not create a missing project folder", () =>
  inProject((owner) => {
    const gone = { ...owner, projectDir: `${owner.projectDir}/gone` };
    assertThrows(() => updateSessionState(gone, () => ({ level: "ok" })), Deno.errors.NotFound);
    assertEquals(namesIn(owner.projectDir), []);
  }));

Deno.test("readSessionState() drops levels and figures from before a trim in place", () =>
  inProject((owner) => {
    const trimmedAt = Date.parse("2026-03-01T10:05:00.000Z");
    const figures = { at_tokens: 9, light: 4, deep: 6, rollover: 8, bytes: 1 };
    const freed = { ...figures, cache_ttl_seconds: null, newest_at: "2026-03-01T10:04:00.000Z" };
    const warned = { level: "urgent", warned_at: "2026-03-01T10:05:00.000Z" };
    updateSessionState(owner, () => ({ ...warned, freed, usage_tokens: 7 }));
    const record = { version: 1, trims: [] as unknown[] };
    const path = insideRecordPath(owner.projectDir, owner.sessionId);
    const trim = { kind: "trim", at_ms: trimmedAt, tokens_before: 1, tokens_after: 1 };
    Deno.writeTextFileSync(path, JSON.stringify(record));
    assertEquals(readSessionState(owner), { ...warned, freed, usage_tokens: 7 });
    Deno.writeTextFileSync(path, JSON.stringify({ ...record, trims: [trim] }));
    assertEquals(readSessionState(owner), { usage_tokens: 7 });
    let seen: unknown;
    updateSessionState(owner, (state) => {
      seen = state;
      return { level: "warn", warned_at: "2026-03-01T10:06:00.000Z" };
    });
    assertEquals(seen, { usage_tokens: 7 }, "a change starts from the same fields");
    updateSessionState(owner, () => ({ level: null, warned_at: null, freed }));
    assertEquals(readSessionState(owner), { usage_tokens: 7 }, "only the figures are outdated");
    updateSessionState(owner, () => ({ level: "warn", warned_at: "2026-03-01T10:06:00.000Z" }));
    assertEquals(readSessionState(owner).level, "warn", "a warning after the trim counts");
  }));
