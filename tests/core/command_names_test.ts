import { assertEquals } from "@std/assert";
import { CHECK, isInspection, STATIC_CHECK } from "../../src/core/command_names.ts";

Deno.test("CHECK matches the names of checks, but not an option or a part of a word", () => {
  const checks = [
    "npx eslint src",
    "npm run format",
    "vitest run",
    "./gradlew test",
    "bash -n a.sh",
  ];
  for (const words of checks) assertEquals(CHECK.test(words), true, words);
  const others = ["docker ps --format x", "npm i a@latest", "inspect a.ts"];
  for (const words of others) assertEquals(CHECK.test(words), false, words);
});

Deno.test("STATIC_CHECK matches linters, formatters and compilers, but not a task that may run tests", () => {
  for (const words of ["ruff", "black", "go vet", "tsc"]) {
    assertEquals(STATIC_CHECK.test(words), true, words);
  }
  for (const words of ["make", "npm run check", "jest"]) {
    assertEquals(STATIC_CHECK.test(words), false, words);
  }
});

Deno.test("isInspection() accepts commands of git and gh that only read", () => {
  for (const words of ["git -C web  blame a.ts", "gh run view 1"]) {
    assertEquals(isInspection(words), true, words);
  }
  for (const words of ["git commit", "gh pr checkout 1", "git logs"]) {
    assertEquals(isInspection(words), false, words);
  }
});
