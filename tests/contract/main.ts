/**
 * Reports whether each fact that trimtab relies on holds for a client.
 *
 * Without arguments, checks the oldest tested client, the pinned client, and npm's newest. The option
 * `--client 2.1.200`, which may be repeated, checks the given version instead. With `--all`, the tests with
 * the real client run, too.
 *
 * Exits with 1 if a client cannot be installed, or if a fact or a test fails with the oldest or the pinned
 * client. Exits with 2 after wrong usage, and otherwise with 0, even if something fails with another client.
 */

import { parseArgs } from "@std/cli";
import { runChild, runDeno } from "../../tools/child.ts";
import { CLIENT_VERSION, installClient, OLDEST_VERSION, PACKAGE } from "../e2e/bed/install.ts";
import { runContract } from "./run.ts";

/** Every fact must hold for these clients. */
const REQUIRED_CLIENTS: readonly string[] = [OLDEST_VERSION, CLIENT_VERSION];

const USAGE = "Usage: deno task contract [--client VERSION]... [--all]";

function parse(args: readonly string[]): { versions: readonly string[]; isAll: boolean } | null {
  let isValid = true;
  const { client, all } = parseArgs([...args], {
    string: ["client"],
    boolean: ["all"],
    collect: ["client"],
    unknown: () => isValid = false,
  });
  if (!isValid || client.includes("")) return null;
  return { versions: client.length === 0 ? [...REQUIRED_CLIENTS, "newest"] : client, isAll: all };
}

async function newestVersion(): Promise<string> {
  const { code, stdout, stderr } = await runChild("npm", ["view", PACKAGE, "version"]);
  if (code !== 0) throw new Error(`Cannot ask npm for the newest client: ${stderr.trim()}`);
  return stdout.trim();
}

/**
 * Checks every fact with a client, and prints the results. Returns the facts that do not hold and, if
 * `isAll`, the tests that fail with this client.
 */
async function report(version: string, isAll: boolean): Promise<string[]> {
  Deno.env.set("TRIMTAB_CLIENT", await installClient(version));
  const findings = await runContract();
  console.log(`\nClaude Code ${version}`);
  for (const { fact, contradiction } of findings) {
    console.log(`${contradiction === null ? "holds " : "BROKEN"} ${fact}`);
    if (contradiction !== null) console.log(contradiction.replace(/^/gm, "         "));
  }
  const brokenFacts = findings.flatMap(({ fact, contradiction }) =>
    contradiction === null ? [] : [fact]
  );
  return isAll ? [...brokenFacts, ...await failedTests()] : brokenFacts;
}

/** Runs the tests with the real client, except for the test that runs this contract. */
async function failedTests(): Promise<string[]> {
  const args = ["test", "--no-prompt", "--allow-all", "--no-check", "tests/e2e"];
  const { code, stdout } = await runDeno([...args, "--ignore=tests/e2e/contract_test.ts"], {
    cwd: new URL("../../", import.meta.url).pathname,
    env: { TRIMTAB_FULL: "1" },
  });
  const [, failures = "", totals = ""] =
    /\n FAILURES \n([^]*?)\n((?:ok|FAILED) \|.*)/.exec(stdout) ??
      [];
  console.log(totals === "" ? stdout.trimEnd().split("\n").at(-1) : totals);
  const failed = failures.split("\n").filter((line) => line.includes(" => "));
  // A file that does not load, or a run that dies, lists no failures.
  return code !== 0 && failed.length === 0 ? ["tests/e2e: the run failed"] : failed;
}

async function main(args: readonly string[]): Promise<number> {
  const asked = parse(args);
  if (asked === null) {
    console.error(USAGE);
    return 2;
  }
  let code = 0;
  const lines: string[] = [];
  const seen = new Set<string>();
  for (const name of asked.versions) {
    const version = name === "newest" ? await newestVersion() : name;
    if (seen.has(version)) continue;
    seen.add(version);
    const broken = await report(version, asked.isAll);
    const isFatal = broken.length > 0 && REQUIRED_CLIENTS.includes(version);
    if (isFatal) code = 1;
    const verdict = broken.length === 0
      ? "every fact holds"
      : `${broken.length} broken (${broken.join("; ")})${
        isFatal ? "" : ": reported, not fatal, since it is neither the oldest nor the pinned client"
      }`;
    lines.push(`Claude Code ${version}: ${verdict}`);
  }
  console.log(`\n${lines.join("\n")}`);
  return code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
