import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { verifyCheckpoint } from "../../src/saved/verify.ts";
import { writeCheckpoint } from "../../src/designs/write_checkpoint.ts";
import {
  projectTest as test,
  sampleState,
  saveOptions,
  SESSION,
  tempProject,
  viewOf,
} from "./checkpoints.ts";

const WHOLE = viewOf(sampleState());
const END = "Its end marker is missing: it was truncated or modified, or trimtab did not write it.";

function verdictOn(text: string): ReturnType<typeof verifyCheckpoint> {
  using place = tempProject();
  const path = `${place.projectDir}/2026-03-01-120000.md`;
  Deno.writeTextFileSync(path, text);
  return verifyCheckpoint(path);
}

Deno.test("verifyCheckpoint() finds no problem in a complete checkpoint, verified or not", () => {
  const { valid, problems, meta } = verdictOn(WHOLE);
  assertEquals({ valid, problems }, { valid: true, problems: [] });
  assertEquals(meta?.session_id, SESSION);
  assert(verdictOn(WHOLE.replace("verified: true", "verified: false")).valid);
  assert(verdictOn(WHOLE.replaceAll("\n", "\r\n")).valid);
  assert(verdictOn(`${WHOLE}\n\n`).valid);
});

Deno.test("verifyCheckpoint() finds every truncated file, at any length", () => {
  // A file without its last line feed is still complete.
  for (let length = 0; length < WHOLE.length - 1; length += 31) {
    const { valid, problems } = verdictOn(WHOLE.slice(0, length));
    assertEquals(valid, false, `cut after ${length}`);
    assert(problems.every((problem) => /^\S.*\.$/.test(problem)), problems.join("\n"));
  }
  assertEquals(verdictOn(WHOLE.slice(0, -2)).valid, false);
});

Deno.test("verifyCheckpoint() finds removed or changed parts", () => {
  const fields = "Its front matter is missing or incomplete; save the checkpoint again.";
  const changes: [problem: string, from: string | RegExp, to: string][] = [
    ["It lacks What Changed, Next Steps; save", /## (?:What Changed|Next Steps)/g, "Next"],
    ...["created", "trigger", "project", "session_id", "iteration", "verified"]
      .map((name): typeof changes[number] => [fields, new RegExp(`^${name}:.*\n`, "m"), ""]),
    [fields, '"auto"', "never"],
    [fields, "iteration: 3", "iteration: 0"],
    [fields, '"2026-03-01T', '"2026-13-01T'],
    [END, "end of checkpoint 2026", "end of checkpoint 2025"],
    [END, /<!--.*/, "more"],
  ];
  for (const [problem, from, to] of changes) {
    const { valid, problems } = verdictOn(WHOLE.replace(from, to));
    assertEquals([valid, problems.length], [false, 1]);
    assertStringIncludes(problems[0] ?? "", problem);
  }
});

Deno.test("verifyCheckpoint() accepts a person's changes to the facts", () => {
  const edited = WHOLE.replace("## Learnings\n", "## Learnings\n- Added by me\n")
    .replace('trigger: "auto"', "trigger: auto # by me").replace("---\n\n", "note: mine\n---\n\n");
  assertEquals(verdictOn(edited).problems, []);
});

test("verifyCheckpoint() reports a missing file, a folder and an oversized file as such", (place) => {
  const first = (path: string): string => verifyCheckpoint(path).problems[0] ?? "";
  assert(first(`${place.projectDir}/none.md`).includes("there is no such file"));
  assert(first(`${place.projectDir}/none/none.md`).includes("there is no such file"));
  assert(first(place.projectDir).includes("is not a regular file"));
  const oversized = `${place.projectDir}/oversized.md`;
  Deno.writeTextFileSync(oversized, WHOLE.repeat(2_000));
  assert(first(oversized).includes("expected at most"));
  assertEquals(verifyCheckpoint(`${place.projectDir}/\0.md`).valid, false);
  assertEquals(verdictOn("").valid, false);
  assertEquals(verdictOn("\0".repeat(5_000)).valid, false);
});

Deno.test("verifyCheckpoint() reports only the missing end of another tool's file", () => {
  const fields = "created: 2025-12-20T14:30:22Z\ntrigger: auto\nproject: /p\nsession_id: abc123\n" +
    "iteration: 3\nverified: true";
  const headings = ["What Changed", "Why Changed", "Active Issues", "Key Decisions", "Next Steps"];
  const body = headings.map((heading) => `## ${heading}\n- Something`).join("\n\n");
  const { problems, meta } = verdictOn(`---\n${fields}\n---\n\n${body}\n`);
  assertEquals(meta?.session_id, "abc123");
  assertEquals(problems.length, 1);
  assertStringIncludes(problems[0] ?? "", END);
});

test("verifyCheckpoint() suggests the command that accepts edited Markdown", (place) => {
  const { path, id } = writeCheckpoint(sampleState(), saveOptions(place));
  Deno.writeTextFileSync(path, "\nedited\n", { append: true });
  assertEquals(verifyCheckpoint(path).problems, [
    `Its Markdown was edited or damaged after it was saved. \`trimtab restore ${id} --trust\` ` +
    "accepts the edit and prints the current text.",
  ]);
  Deno.removeSync(path);
  const [problem = ""] = verifyCheckpoint(path).problems;
  assertStringIncludes(problem, "Its Markdown is missing or unreadable; `trimtab restore` needs");
});
