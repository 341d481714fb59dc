import { assert, assertEquals, assertLess, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  acknowledgeTaken,
  type BoardOptions,
  claimPending,
  compact,
  decodeLine,
  encodeLine,
  MAX_BOARD_BYTES,
  MAX_MESSAGE_BYTES,
  MESSAGE_LIFE_MS,
  pendingFor,
  post,
} from "../../src/watch/blackboard.ts";
import { withLockSync } from "../../src/store/lock.ts";
import { type BoardProject, newProject, NOW_MS } from "./boards.ts";
import "../own_config.ts";

const POSIX = Deno.build.os !== "windows";
const RUNS = { numRuns: 60, seed: 20261122 };
console.log(`blackboard: seed ${RUNS.seed}, ${RUNS.numRuns} runs a property`);

function posted(
  { options }: BoardProject,
  id: string,
  more: { to?: string; lifeMs?: number } = {},
): ReturnType<typeof post> {
  return post({ id, type: "work", ...more }, options);
}

/** Takes one message of those that a session may take. */
function claim(id: string, by: string, options: BoardOptions): boolean {
  return claimPending(by, { ...options, accepts: (message) => message.id === id }).length === 1;
}

/** Says of one message that a session has taken that it is done. */
function acknowledge(id: string, by: string, options: BoardOptions): boolean {
  return acknowledgeTaken(by, (message) => message.id === id, options) === 1;
}

/** All open messages for any. */
function openIds({ options }: BoardProject): string[] {
  return idsOf(pendingFor("anybody", options));
}

function idsOf(messages: readonly { id: string }[]): string[] {
  return messages.map(({ id }) => id);
}

Deno.test("post() reaches readers behind a header that claims more than there is", () => {
  using project = newProject();
  posted(project, "old");
  const [header = ""] = Deno.readTextFileSync(project.path).split("\n");
  const damaged = { ...JSON.parse(header), carried: 2 ** 32 };
  Deno.writeTextFileSync(project.path, `${JSON.stringify(damaged)}\n`);
  posted(project, "new");
  assertEquals(openIds(project), ["new"]);
});

Deno.test("post() makes a private file that git leaves out, one line a message", () => {
  using project = newProject();
  const first = post({ type: "note", payload: { n: 1 } }, project.options);
  const second = post({ type: "note", to: "s", lifeMs: 5 }, project.options);
  assertEquals(pendingFor("s", project.options), [first, second]);
  assertEquals(first.expires, new Date(NOW_MS + MESSAGE_LIFE_MS).toISOString());
  assertEquals(second.expires, new Date(NOW_MS + 5).toISOString());
  assertEquals(Deno.readTextFileSync(project.path).split("\n").length, 4);
  assertEquals(
    Deno.readTextFileSync(`${project.projectDir}/.claude/trimtab/.gitignore`),
    "*\n",
  );
  if (POSIX) assertEquals((Deno.statSync(project.path).mode ?? 0) & 0o777, 0o600);
});

Deno.test("post() leaves credentials out, and refuses what is no message", () => {
  using project = newProject();
  const token = `ghp_${"aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1eF3hJ5".slice(0, 36)}`;
  const { payload } = post({ type: "note", payload: { text: `with ${token}` } }, project.options);
  assert(!JSON.stringify(payload).includes(token));
  assert(!Deno.readTextFileSync(project.path).includes(token));
  const before = Deno.readTextFileSync(project.path);
  const refuse = (message: Parameters<typeof post>[0], words: string): void => {
    assertThrows(() => post(message, project.options), Error, words);
  };
  refuse({ type: "" }, 'its type is ""');
  refuse({ type: "t", to: "" }, 'its to is ""');
  refuse({ type: "t", id: "x".repeat(201) }, "its id is");
  refuse({ type: "t", payload: { claim: "m" } }, 'a field "claim"');
  refuse({ type: "t", payload: { text: "é".repeat(MAX_MESSAGE_BYTES / 2) } }, "expected at most");
  assertEquals(Deno.readTextFileSync(project.path), before);
});

Deno.test("post() throws when others hold the blackboard, and posts nothing", () => {
  using project = newProject();
  posted(project, "a");
  withLockSync(`${project.path}.lock`, () => {
    const message = { type: "note" };
    assertThrows(
      () => post(message, { ...project.options, waitMs: 0 }),
      Error,
      "could not get the lock",
    );
    assertEquals(claim("a", "s", { ...project.options, waitMs: 0 }), false);
    assertEquals(claimPending("s", { ...project.options, waitMs: 0 }), []);
    assertEquals(acknowledge("a", "s", { ...project.options, waitMs: 0 }), false);
  });
  assertEquals(openIds(project), ["a"]);
});

Deno.test("post() throws without a project, in place of a folder, and through a link", () => {
  using project = newProject();
  const nowhere = { projectDir: `${project.projectDir}/no`, nowMs: NOW_MS };
  assertThrows(() => post({ type: "t" }, nowhere), Deno.errors.NotFound);
  posted(project, "a");
  Deno.removeSync(project.path);
  if (POSIX) {
    const target = `${project.projectDir}/precious`;
    Deno.writeTextFileSync(target, "mine");
    Deno.symlinkSync(target, project.path);
    assertThrows(() => posted(project, "b"), TypeError, "not a regular file");
    assertEquals(Deno.readTextFileSync(target), "mine");
    Deno.removeSync(project.path);
  }
  Deno.mkdirSync(project.path);
  assertThrows(() => posted(project, "b"), TypeError, "not a regular file");
  assertEquals(pendingFor("s", project.options), []);
});

Deno.test("post() refuses when the blackboard is full, and has room again when messages expire", () => {
  using project = newProject();
  const large = { type: "t", lifeMs: 1_000, payload: { x: "word ".repeat(3_000) } };
  const times = Math.ceil(MAX_BOARD_BYTES / 15_000);
  const options = { ...project.options, maxBytes: MAX_BOARD_BYTES };
  // What is kept holds the file over the bound at which it is compacted.
  assertThrows(
    () => Array.from({ length: times }, () => post(large, options)),
    RangeError,
    "it is full",
  );
  const later = { ...project.options, nowMs: NOW_MS + 2_000 };
  post({ ...large, id: "z" }, later);
  assertEquals(idsOf(pendingFor("s", later)), ["z"]);
  assertLess(Deno.statSync(project.path).size, 2 * MAX_MESSAGE_BYTES);
});

Deno.test("pendingFor() lists what is for a session or for any, open and not taken", () => {
  using project = newProject();
  posted(project, "any");
  posted(project, "mine", { to: "s" });
  posted(project, "other", { to: "t" });
  posted(project, "short", { to: "s", lifeMs: 1_000 });
  posted(project, "taken", { to: "s" });
  posted(project, "done", { to: "s" });
  assert(claim("taken", "s", project.options));
  assert(claim("done", "s", project.options) && acknowledge("done", "s", project.options));
  const at = (nowMs: number): string[] =>
    idsOf(pendingFor("s", { projectDir: project.projectDir, nowMs }));
  assertEquals(at(NOW_MS + 999), ["any", "mine", "short"]);
  assertEquals(at(NOW_MS + 1_000), ["any", "mine"]);
  assertEquals(at(NOW_MS + MESSAGE_LIFE_MS), []);
  assertEquals(idsOf(pendingFor("t", project.options)), ["any", "other"]);
});

Deno.test("claim() gives a message to one, and none that is unknown, expired or done", () => {
  using project = newProject();
  posted(project, "a");
  posted(project, "b", { lifeMs: 1_000 });
  posted(project, "c");
  assertEquals(claim("a", "s", project.options), true);
  assertEquals(claim("a", "s", project.options), false);
  assertEquals(claim("a", "t", project.options), false);
  assertEquals(claim("b", "s", { ...project.options, nowMs: NOW_MS + 1_000 }), false);
  assertEquals(claim("nobody", "s", project.options), false);
  assertEquals(acknowledge("c", "s", project.options), false, "nobody has taken it yet");
  assertEquals(claim("c", "s", project.options), true);
  assertEquals(acknowledge("c", "t", project.options), false, "another has taken it");
  assertEquals(acknowledge("c", "s", project.options), true);
  assertEquals(acknowledge("c", "s", project.options), false);
  assertEquals(acknowledge("nobody", "s", project.options), false);
  assertEquals(claim("c", "s", project.options), false);
});

Deno.test("claimPending() takes all that it accepts at once, and says of each whether it is done", () => {
  using project = newProject();
  for (const id of ["a", "b", "c"]) posted(project, id);
  const accepts = ({ id }: { id: string }): boolean => id !== "b";
  const isDone = ({ id }: { id: string }): boolean => id === "c";
  const take = (): string[] => idsOf(claimPending("s", { ...project.options, accepts, isDone }));
  assertEquals([take(), take()], [["a", "c"], []]);
  assertEquals(idsOf(pendingFor("s", project.options)), ["b"]);
  assertEquals(compact(project.options), { kept: 2, dropped: 1 });
});

Deno.test("the blackboard passes over lines that are torn, foreign or damaged", () => {
  using project = newProject();
  posted(project, "a");
  const add = (text: string | Uint8Array): void => {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    Deno.writeFileSync(project.path, bytes, { append: true });
  };
  add('\n[]\nnull\n{"hello":1}\n{"claim":"a"}\n');
  add(new Uint8Array([0xff, 0xfe, 0x00, 0x0a]));
  add('{"id":"torn","type":"wo');
  assertEquals(openIds(project), ["a"]);
  posted(project, "b");
  assertEquals(idsOf(pendingFor("s", project.options)), ["a", "b"]);
  assert(claim("a", "s", project.options));
  assertEquals(compact(project.options), { kept: 2, dropped: 0 });
  assertEquals(Deno.readTextFileSync(project.path).split("\n").length, 5);
});

Deno.test("pendingFor() knows a message of ours however its line is written", () => {
  using project = newProject();
  posted(project, "a");
  const [header = "", line = ""] = Deno.readTextFileSync(project.path).split("\n");
  const spaced = JSON.stringify(JSON.parse(line), null, 1).replaceAll("\n", " ");
  Deno.writeTextFileSync(project.path, `${header}\n${spaced}\r\n`);
  assertEquals(openIds(project), ["a"]);
  assert(claim("a", "s", project.options));
  assertEquals(openIds(project), []);
});

Deno.test("the blackboard gives nobody a message without our mark, and compact() takes it out", () => {
  using project = newProject();
  posted(project, "ours");
  const [header = "", text = ""] = Deno.readTextFileSync(project.path).split("\n");
  const line = decodeLine(text);
  assert(line?.kind === "message");
  const strangers = [
    { ...line, mark: null },
    { ...line, mark: "0".repeat(64) },
    { ...line, message: { ...line.message, payload: { percent: 99 } } },
    { ...line, message: { ...line.message, id: "copied" } },
    { ...line, message: { ...line.message, expires: "2099-01-01" } },
  ].map(encodeLine).join("");
  Deno.writeTextFileSync(project.path, `${header}\n${strangers}`);
  assertEquals([openIds(project), claimPending("s", project.options)], [[], []]);
  // One with the id of ours stands before it, and takes nothing of it.
  Deno.writeTextFileSync(project.path, `${header}\n${strangers}${text}\n`);
  assertEquals(pendingFor("s", project.options), [line.message]);
  assertEquals(compact(project.options), { kept: 1, dropped: 5 });
  assertEquals(Deno.readTextFileSync(project.path).split("\n").slice(1), [text, ""]);
});

Deno.test("the blackboard gives nobody the messages of another project, or of another key", () => {
  using project = newProject();
  using other = newProject();
  posted(project, "a");
  posted(other, "b");
  Deno.copyFileSync(project.path, other.path);
  assertEquals(openIds(other), []);
  const configDir = `${project.projectDir}/config`;
  assertEquals(pendingFor("s", { ...project.options, configDir }), []);
  post({ id: "c", type: "work" }, { ...project.options, configDir });
  assertEquals(idsOf(pendingFor("s", { ...project.options, configDir })), ["c"]);
  assertEquals(openIds(project), ["a"]);
});

Deno.test("the blackboard works on a file whose first line is not ours", () => {
  using project = newProject();
  posted(project, "a");
  const [, line] = Deno.readTextFileSync(project.path).split("\n");
  Deno.writeTextFileSync(project.path, `# notes\n${line}\n`);
  assertEquals(openIds(project), ["a"]);
  posted(project, "b");
  assertEquals(compact(project.options), { kept: 2, dropped: 0 });
  posted(project, "c");
  assertEquals(openIds(project), ["a", "b", "c"]);
});

Deno.test("pendingFor() takes a blackboard that was cut short, and one that was made anew", () => {
  using project = newProject();
  posted(project, "a");
  posted(project, "b");
  Deno.truncateSync(project.path, Deno.statSync(project.path).size - 150);
  assertEquals(openIds(project), ["a"]);
  posted(project, "c");
  assertEquals(openIds(project), ["a", "c"]);
  Deno.removeSync(project.path);
  assertEquals(openIds(project), []);
  posted(project, "d");
  assertEquals(openIds(project), ["d"]);
});

Deno.test("compact() keeps open messages with their claims, and does nothing where there is no file", () => {
  using project = newProject();
  assertEquals(compact(project.options), { kept: 0, dropped: 0 });
  for (const id of ["a", "b", "c", "d"]) posted(project, id);
  posted(project, "e", { lifeMs: 1 });
  assert(claim("b", "s", project.options));
  assert(claim("c", "s", project.options) && acknowledge("c", "s", project.options));
  const later = { ...project.options, nowMs: NOW_MS + 1 };
  assertEquals(compact(later), { kept: 3, dropped: 2 });
  assertEquals(compact(later), { kept: 3, dropped: 0 });
  assertEquals(idsOf(pendingFor("s", later)), ["a", "d"]);
  assertEquals(claim("b", "t", later), false);
  assertEquals(claim("c", "t", later), false);
});

Deno.test("post() compacts at its bound, and not again for what stays", () => {
  using project = newProject();
  const options = { ...project.options, maxBytes: 2_000 };
  let largest = 0;
  for (let n = 0; n < 200; n++) {
    post({ id: `m${n}`, type: "work" }, options);
    if (n % 10 > 0) assert(claim(`m${n}`, "s", options) && acknowledge(`m${n}`, "s", options));
    largest = Math.max(largest, Deno.statSync(project.path).size);
  }
  assertEquals(pendingFor("s", options).length, 20);
  // 20 open messages of some 150 bytes, and as much again before they are gone through.
  assertLess(largest, 10_000);
});

Deno.test("claimPending() gives each message once and in order, whatever is compacted in between", () => {
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.constant("post" as const) },
    { weight: 3, arbitrary: fc.constant("take" as const) },
    { weight: 2, arbitrary: fc.constant("compact" as const) },
    { weight: 2, arbitrary: fc.constant("finish" as const) },
    { weight: 1, arbitrary: fc.constant("tear" as const) },
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      using project = newProject();
      let count = 0;
      const taken: string[] = [];
      const untaken = new Set<string>();
      const takeOn = (): void => {
        const found = idsOf(claimPending("s", project.options));
        taken.push(...found);
        for (const id of found) untaken.delete(id);
        assertEquals([...untaken], []);
      };
      for (const one of steps) {
        if (one === "post") {
          const { id } = posted(project, `m${count++}`);
          untaken.add(id);
        } else if (one === "take") takeOn();
        else if (one === "compact") compact(project.options);
        else if (one === "tear" && count > 0) {
          Deno.writeTextFileSync(project.path, '{"id":"torn', { append: true });
        } else if (one === "finish" && taken.length > 0) {
          acknowledge(taken[taken.length - 1] ?? "", "s", project.options);
        }
      }
      takeOn();
      assertEquals(taken, Array.from({ length: count }, (_, n) => `m${n}`));
    }),
    RUNS,
  );
});
