import { assertEquals } from "@std/assert";
import { covers } from "../../src/commands/known_run.ts";

Deno.test("covers() is true if a passed check and a failed command have names of the same kind of check", () => {
  const isCovered = (passed: string, failed: string): boolean =>
    covers({ words: passed, tree: "", isCheck: true }, { words: failed, tree: "" });
  assertEquals(isCovered("vitest run", "npm run test"), true);
  assertEquals(isCovered("npm run lint", "npx eslint src"), true);
  assertEquals(isCovered("npx tsc", "npm run build"), true);
  assertEquals(isCovered("npx tsc", "npx prettier --check ."), false);
  assertEquals(isCovered("deno check", "ruff check ."), false);
  assertEquals(isCovered("ruff check .", "mypy ."), false);
  assertEquals(isCovered("make deploy", "make deploy"), true);
});
