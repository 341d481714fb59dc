import { assertEquals } from "@std/assert";
import { CHECK, FORM_CHECK } from "../../src/core/check_names.ts";

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

Deno.test("FORM_CHECK matches linters, formatters and compilers, but not a task that may run tests", () => {
  for (const words of ["ruff", "black", "go vet", "tsc"]) {
    assertEquals(FORM_CHECK.test(words), true, words);
  }
  for (const words of ["make", "npm run check", "jest"]) {
    assertEquals(FORM_CHECK.test(words), false, words);
  }
});
