import { assertEquals } from "@std/assert";
import { checksListedIn } from "../../src/commands/listed_checks.ts";
import type { FinishedCall } from "../../src/core/work_state.ts";

function listed(file_path: string, result: string, call: Partial<FinishedCall> = {}): string[] {
  const rest = { mirror: undefined, isError: false, isSidechain: false };
  const read = { name: "Read", input: { file_path }, result, ...rest };
  return checksListedIn({ ...read, from: { uuid: "u", line: 1 }, ...call })
    .map(({ text }) => text.replace(/^`(.*)` from .*$/, "$1"));
}

const PACKAGE = '1\t  "test": "vitest",\n2\t  "lint": "eslint",\n3\t  "check": "tsc",\n' +
  '4\t  "test:a": "vitest a",\n5\t  "test-kit": "^1.2.0",';

Deno.test("checksListedIn() lists the first three tasks of a manifest that was read", () => {
  const tasks = ["npm run test", "npm run lint", "npm run check"];
  assertEquals(listed("/p/package.json", PACKAGE), tasks);
  assertEquals(listed("/p/package.json", PACKAGE, { isError: true }), []);
  assertEquals(listed("/p/package.json", PACKAGE, { name: "Write" }), []);
  assertEquals(listed("/p/rows.json", PACKAGE), []);
  assertEquals(listed("Makefile", "test:\n\tgo test\nlint := x\n"), ["make test"]);
});

Deno.test("checksListedIn() lists no other commands, and none with a variable or over 119 characters", () => {
  const steps = ["npm test", "npm install", "npm test $ONLY", "npm test"];
  const workflow = steps.map((step) => `  - run: ${step}\n`).join("");
  assertEquals(listed("/p/ci.yml", workflow), ["npm test"]);
  const test = (size: number): string => `deno test ${"a".repeat(size - 10)}`;
  assertEquals(listed("ci.yml", `- run: ${test(119)}\n`), [test(119)]);
  assertEquals(listed("ci.yml", `- run: ${test(120)}\n`), []);
});
