/** Finds the checks of a project in the files that a session read. */

import { lastPart } from "../core/last_part.ts";
import { asString } from "../transcript/entry.ts";
import { redactSecrets } from "../secrets/redact.ts";
import { simpleCommands } from "../core/shell_commands.ts";
import { UNTRIED } from "../inject/step_words.ts";
import type { FinishedCall, Said } from "../core/work_state.ts";

const MAX_CHECKS = 3;
const MAX_TEXT_CHARS = 64 * 1024;

const TASK = String.raw`((?:test|lint|check|typecheck)(?:[:-][\w:-]+)?)`;

/** Files that define or document checks. Each pattern captures a command, or the task that the runner starts. */
const SOURCES: readonly (readonly [file: RegExp, pattern: RegExp, runner: string])[] = [
  [/^package\.json$/, new RegExp(`^\\s*"${TASK}": "(?![\\^~\\d*])`, "gm"), "npm run "],
  [/^deno\.jsonc?$/, new RegExp(`^\\s*"${TASK}": ["{]`, "gm"), "deno task "],
  [/^Makefile$/, new RegExp(`^${TASK}:(?!=)`, "gm"), "make "],
  [/^\.?mise\.toml$/, new RegExp(`^\\[tasks\\."?${TASK}"?\\]`, "gm"), "mise run "],
  [/\.ya?ml$/, /^\s*(?:- )?run: ([^|>\n]+)$/gm, ""],
  [
    /^(?:CLAUDE|AGENTS|CONTRIBUTING|SKILL)\.md$/,
    /^[ \t]*(?:[-*] .{0,80}?`)?((?:mise|npm|pnpm|yarn|bun|deno|go|cargo|make|just|uv|npx|pytest|gradle|mvn)\b[^`\n]{3,100})/gm,
    "",
  ],
];

const LINE_NUMBERS = /^ *\d+(?:→|\t)/gm;

/** Returns lines such as "`npm run test` from package.json, not run here". */
export function checksListedIn({ name, input, result, isError }: FinishedCall): Said[] {
  const file = lastPart(asString(input.file_path) ?? "");
  const [, pattern, runner = ""] = SOURCES.find(([one]) => one.test(file)) ?? [];
  if (name !== "Read" || isError || pattern === undefined) return [];
  const text = redactSecrets(result.slice(0, MAX_TEXT_CHARS).replaceAll(LINE_NUMBERS, ""));
  const commands = Array.from(text.matchAll(pattern), ([, task = ""]) => runner + task);
  const checks = commands.flatMap(simpleCommands).filter(({ isCheck, words }) =>
    isCheck && !/[`$]|.{120}/.test(words)
  ).map(({ words }) => words);
  return [...new Set(checks)].slice(0, MAX_CHECKS)
    .map((words) => ({
      text: `\`${words}\` from ${file}${UNTRIED}`,
      from: { uuid: null, line: null },
    }));
}
