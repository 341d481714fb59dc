import { assertEquals } from "@std/assert";
import {
  includesPaths,
  includesScript,
  isFullCheck,
  sortErrors,
} from "../../src/commands/check_paths.ts";
import {
  commandLine,
  isCheckRun,
  successAfter,
  targetOf,
  withoutBody,
} from "../../src/commands/command_line.ts";
import {
  isCommitOrPush,
  isProblem,
  isProgramMissing,
  isWrongCall,
  type KnownRun,
  lastFailure,
  resolves,
} from "../../src/commands/known_run.ts";

const RUN: KnownRun = {
  ...{ words: "npm test", head: "npm test", tree: "", isCheck: true, isFailed: true, end: "ran" },
  ...{ count: 1, errors: [], earlierFailure: "", why: "", isByAgent: false, edits: 0, order: 3 },
  ...{ inRequest: { count: 1, failure: "" }, failure: undefined, prompts: 0 },
  from: { uuid: "u", line: 1 },
};

Deno.test("commandLine() shows how often a command ran, its errors, and the assistant's explanation", () => {
  const line = (run: Partial<KnownRun>, isSettled = false): string =>
    commandLine({ ...RUN, ...run }, { edited: [], isSettled });
  assertEquals([line({}), line({ count: 2 })], ["`npm test` failed", "`npm test` 2 times failed"]);
  const errors = ["src/a.ts:1: x", "src/b.ts:2: y"];
  assertEquals(line({ errors }), `\`npm test\` failed: ${errors.join(" | ")}`);
  assertEquals(line({ errors }, true), `\`npm test\` failed: ${errors[0]}`);
  const passed = { isFailed: false, end: "ok" } as const;
  assertEquals(line({ ...passed, earlierFailure: "1 fails" }), "`npm test` ok, after 1 fails");
  for (const [run, end] of [[{}, "failed"], [passed, "ok"]] as const) {
    const said = '; the assistant said: "It is slow."';
    assertEquals(line({ ...run, why: "It is slow." }), `\`npm test\` ${end}${said}`);
  }
});

Deno.test("successAfter() prefers a passed check to a commit, and skips an earlier commit", () => {
  const ran = (words: string, order: number): KnownRun => ({ ...RUN, words, order });
  const after = (check?: KnownRun, commit?: KnownRun): string => successAfter(RUN, check, commit);
  const [commit, push] = [ran("git commit -m x", 4), ran("git push", 4)];
  assertEquals(after(ran("npm test a", 4), commit), "; since then `npm test a` passed");
  assertEquals(after(undefined, commit), "; a commit followed");
  assertEquals(after(undefined, push), "; a push followed");
  assertEquals([after(undefined, { ...push, order: 2 }), after()], ["", ""]);
  assertEquals(successAfter({ ...RUN, isFailed: false }, push, push), "");
});

Deno.test("isCheckRun() counts a formatter only if it reports differences", () => {
  const checks = ["npm test", "gofmt -l .", "npm run format && npm test"];
  assertEquals(checks.filter((words) => !isCheckRun(`\`${words}\` ok`)), []);
  const others = ["prettier --write .", "gofmt -w .", "ls"];
  assertEquals(others.filter((words) => isCheckRun(`\`${words}\` ok`)), []);
});

Deno.test("targetOf() and withoutBody() leave out the parts that vary from call to call", () => {
  const comment = targetOf("gh api repos/a/b/pulls/7/comments/1234567 -f body=x");
  assertEquals(comment, "gh api POST repos/a/b/pulls/7/comments/…");
  assertEquals(targetOf("gh api -X patch repos/a/b"), "gh api PATCH repos/a/b");
  const patched = withoutBody("gh api -X PATCH repos/a/b -f body=xyz");
  assertEquals(patched, "gh api -X PATCH repos/a/b -f body=…");
  assertEquals(withoutBody("gh api repos/a/b"), "gh api repos/a/b");
});

Deno.test("includesPaths() and isFullCheck() compare what a check covers", () => {
  assertEquals(includesPaths("npm test", "npm test a.ts"), true);
  assertEquals(includesPaths("npm test src", "npm test src/a.ts"), true);
  assertEquals(includesPaths("npm test a.ts", "npm test"), false);
  assertEquals(includesPaths("deno test a.ts b.ts", "deno test a.ts"), true);
  assertEquals(includesPaths("deno test a.ts", "deno test a.ts b.ts"), false);
  assertEquals(includesPaths("deno test src/a", "deno test src/ab"), false);
  const whole = ["npm test", "go test ./...", "./test.sh", "deno test --parallel src"];
  assertEquals(whole.filter((check) => !isFullCheck(check)), []);
  const parts = ["npm test a.ts", "go test ./internal/...", "deno test -A src", "./test.sh a.ts"];
  assertEquals([...parts, "go test -run TestA ./..."].filter(isFullCheck), []);
});

Deno.test("isProblem() counts errors in the code, not in the call or about a missing program", () => {
  const fails = (words: string, isCheck: boolean, ...errors: string[]): boolean =>
    isProblem({ ...RUN, words, isCheck, errors });
  assertEquals([fails("npm test", true), fails("make all", false, "error:")], [true, false]);
  assertEquals(fails("make all", false, "it fails"), true);
  assertEquals(fails("npm test", true, "npm: command not found"), false);
  assertEquals(fails("npm test --wat", true, "unknown option --wat"), false);
  const missing = "No such file or directory";
  const calls = [["cat -n a", `cat: -n: ${missing}`], ["cat a", `cat: a: ${missing}`]] as const;
  assertEquals(calls.map(([words, error]) => isWrongCall({ words, errors: [error] })), [
    true,
    false,
  ]);
});

Deno.test("isProgramMissing() reads the messages of shells about the program itself", () => {
  const messages = [
    "sh: 1: npm: not found",
    "zsh: command not found: npm",
    "npm is not installed.",
  ];
  assertEquals(messages.filter((message) => !isProgramMissing("npm test", message)), []);
  assertEquals(isProgramMissing("npm test", "sh: 1: node: not found"), false);
});

Deno.test("includesScript() compares the scripts of one program", () => {
  const rows = [
    ["npm run test", "npm run lint", false],
    ["npm run test:ci", "npm run test", true],
    ["npm run test", "npm run test:ci", false],
    ["npm run test", "yarn run lint", true],
    ["vitest", "npm run lint", true],
    ["npm run lint", "vitest", true],
    ["cd web && npm run test", "npm run test", true],
    ["cd web && npm run test", "npm run lint", false],
  ] as const;
  for (const [check, other, isIncluded] of rows) {
    assertEquals(includesScript(check, other), isIncluded, `${check}, ${other}`);
  }
});

Deno.test("resolves() needs a later run of the same check, or a later write to the endpoint", () => {
  const ran = (order: number, words = "npm test", head = words): KnownRun => ({
    ...RUN,
    words,
    head,
    order,
  });
  assertEquals(resolves(ran(4), RUN), true);
  assertEquals([resolves(ran(3), RUN), resolves(ran(4, "npm run lint"), RUN)], [false, false]);
  const write = (order: number, path: string): KnownRun =>
    ran(order, `gh api ${path} -f body=x`, `gh api POST ${path}`);
  assertEquals(resolves(write(4, "repos/a/b"), write(3, "repos/a/b/c")), true);
  assertEquals(resolves(write(4, "repos/a/b/c"), write(3, "repos/a/b")), false);
  const other = ran(4, "npm test", "gh api POST repos/a/b");
  assertEquals(resolves(other, write(3, "repos/a/b")), false);
});

Deno.test("lastFailure() returns the run itself, or the failure before a run whose outcome is unknown", () => {
  const unseen = { ...RUN, isFailed: false, end: "ran, outcome not shown", failure: RUN } as const;
  assertEquals([lastFailure(RUN), lastFailure(unseen)], [RUN, RUN]);
  assertEquals([lastFailure({ ...unseen, end: "ok" }), lastFailure(undefined)], [
    undefined,
    undefined,
  ]);
});

Deno.test("isCommitOrPush() accepts either command", () => {
  const commands = ["git commit -m x", "git push", "npm test"];
  assertEquals(commands.map((words) => isCommitOrPush({ words })), [true, true, false]);
});

Deno.test("sortErrors() puts errors in edited files last, with the lines below them", () => {
  const [first, second] = ["src/a.ts:1: x", "src/b.ts:2: y"];
  const errors = [first, "2 errors", second, "3 errors"];
  assertEquals(sortErrors(errors, ["a.ts"]), [second, "3 errors", first, "2 errors"]);
  assertEquals(sortErrors([first, second], ["a.ts", "b.ts"]), [first, second]);
  assertEquals(sortErrors([first, "it fails", second], []), [first, "it fails", second]);
  assertEquals(sortErrors(["it fails", first], ["a.ts"]), ["it fails", first]);
});
