import { assertEquals } from "@std/assert";
import { CHECK, isInspection, STATIC_CHECK } from "../../src/core/command_names.ts";

type Rule = readonly [matches: (words: string) => boolean, yes: string[], no: string[]];

const RULES: Record<string, Rule> = {
  "CHECK matches the names of checks, but not an option or part of a word": [
    (words) => CHECK.test(words),
    ["npx eslint src", "npm run format", "vitest run", "./gradlew test", "bash -n a.sh"],
    ["docker ps --format x", "npm i a@latest", "inspect a.ts"],
  ],
  "STATIC_CHECK matches linters, formatters and compilers, but not a task that may run tests": [
    (words) => STATIC_CHECK.test(words),
    ["ruff", "black", "go vet", "tsc"],
    ["make", "npm run check", "jest"],
  ],
  "isInspection() accepts commands of git and gh that only read": [
    isInspection,
    ["git -C web  blame a.ts", "gh run view 1"],
    ["git commit", "gh pr checkout 1", "git logs"],
  ],
};

for (const [what, [matches, yes, no]] of Object.entries(RULES)) {
  Deno.test(what, () => assertEquals([...yes, ...no].filter(matches), yes));
}
