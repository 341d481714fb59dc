/**
 * Runs, one file at a time, the tests with the real client that check facts.
 *
 * @module
 */

import { runDeno } from "../../tools/child.ts";
import { FACTS } from "./facts.ts";

/**
 * Keyed by `file: name`: null for a test that passed, undefined for a skipped one, else the
 * failure.
 */
export type HeldInTests = Readonly<Record<string, Held>>;

type Held = string | null | undefined;

const GOLDEN_TEST = "tests/e2e/golden_test.ts";

const JUNIT_CASE = /<testcase name="([^"]*)"[^>]*?(?:\/>|>([\s\S]*?)<\/testcase>)/g;

const MAX_FAILURE_CHARS = 600;

export async function runHoldingTests(): Promise<HeldInTests> {
  const testResults: Record<string, Held> = {};
  const reports = new Map<string, Map<string, Held>>();
  for (const { heldBy } of FACTS) {
    if (!("file" in heldBy)) continue;
    // Sessions of the golden test are steps of one test.
    const file = heldBy.file.includes("/golden/") ? GOLDEN_TEST : heldBy.file;
    const report = reports.get(file) ?? await runFile(file);
    reports.set(file, report);
    testResults[`${heldBy.file}: ${heldBy.test}`] = resultOf(heldBy.test, report);
  }
  return testResults;
}

/** A name that contains `${value}` matches all tests of this form. */
function resultOf(test: string, report: ReadonlyMap<string, Held>): Held {
  const pattern = new RegExp(
    `(?:^| > )${
      test.split(/\$\{\w+\}/).map((part) => RegExp.escape(part)).join(".*")
    }(?: \\(.*\\))?$`,
  );
  const found = [...report].filter(([name]) => pattern.test(name));
  if (found.length === 0) return "the test did not run";
  const results = found.map(([, result]) => result);
  return results.find((one) => typeof one === "string") ?? results.find((one) => one === null);
}

async function runFile(file: string): Promise<Map<string, Held>> {
  const args = ["test", "--no-prompt", "--allow-all", "--no-check", "--reporter=junit", file];
  const cwd = new URL("../../", import.meta.url).pathname;
  // Without the variable, tests that only a full run includes would count as broken.
  const { stdout } = await runDeno(args, { cwd, env: { TRIMTAB_FULL: "1" } });
  return parseJunit(stdout);
}

/** Returns null for each case that passed, undefined for a skipped one, else the failure. */
export function parseJunit(text: string): Map<string, Held> {
  return new Map(
    [...text.matchAll(JUNIT_CASE)].map(([, name = "", inner = ""]) => {
      const failure = /<(?:failure|error)[^>]*>([\s\S]*?)<\/(?:failure|error)>/.exec(inner)?.[1];
      const passed = inner.includes("<skipped") ? undefined : null;
      const resultText = failure === undefined
        ? passed
        : plain(failure).slice(0, MAX_FAILURE_CHARS).trim();
      return [plain(name), resultText];
    }),
  );
}

function plain(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&apos;": "'",
    "&#39;": "'",
    "&amp;": "&",
  };
  // deno-lint-ignore no-control-regex
  return text.replace(/\x1b\[[0-9;]*m/g, "").replace(
    /&(?:lt|gt|quot|apos|#39|amp);/g,
    (entity) => entities[entity] ?? entity,
  );
}
