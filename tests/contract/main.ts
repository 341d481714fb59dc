/**
 * Reports whether each fact that trimtab relies on holds for a client.
 *
 * Without arguments, checks the oldest tested client, the pinned client, and npm's newest. The option
 * `--client 2.1.200`, which may be repeated, checks the given version instead. With `--all`, all tests with
 * the real client run.
 *
 * Exits with 1 if a client cannot be installed, or if a fact or a test fails with the oldest or the pinned
 * client. Exits with 2 after wrong usage, and otherwise with 0, even if something fails with another client.
 */

import { parseArgs } from "@std/cli";
import { runChild } from "../../tools/child.ts";
import { CLIENT_VERSION, installClient, OLDEST_VERSION, PACKAGE } from "../e2e/bed/install.ts";

/** Every fact must hold for these clients. */
const REQUIRED_CLIENTS: readonly string[] = [OLDEST_VERSION, CLIENT_VERSION];

async function newestVersion(): Promise<string> {
  const { code, stdout, stderr } = await runChild("npm", ["view", PACKAGE, "version"]);
  if (code !== 0) throw new Error(`Cannot ask npm for the newest client: ${stderr.trim()}`);
  return stdout.trim();
}

/** Runs the tests with a client, prints their report, and returns whether they pass. */
async function passesWith(version: string, tests: string): Promise<boolean> {
  console.log(`\nClaude Code ${version}`);
  const { success } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-prompt", "--allow-all", "--no-check", tests],
    cwd: new URL("../../", import.meta.url),
    env: { TRIMTAB_CLIENT: await installClient(version), TRIMTAB_FULL: "1" },
  }).spawn().status;
  return success;
}

async function main(args: readonly string[]): Promise<number> {
  let isValid = true;
  const { client, all } = parseArgs([...args], {
    string: ["client"],
    boolean: ["all"],
    collect: ["client"],
    unknown: () => isValid = false,
  });
  if (!isValid || client.includes("")) {
    console.error("Usage: deno task contract [--client VERSION]... [--all]");
    return 2;
  }
  const names = client.length === 0 ? [...REQUIRED_CLIENTS, "newest"] : client;
  const versions = await Promise.all(
    names.map((name) => name === "newest" ? newestVersion() : name),
  );
  const lines: string[] = [];
  let code = 0;
  for (const version of new Set(versions)) {
    const passes = await passesWith(version, all ? "tests/e2e" : "tests/e2e/contract_test.ts");
    const isRequired = REQUIRED_CLIENTS.includes(version);
    if (!passes && isRequired) code = 1;
    const note = isRequired ? "" : ", but it is neither the oldest nor the pinned client";
    lines.push(`Claude Code ${version}: ${passes ? "every fact holds" : `broken${note}`}`);
  }
  console.log(`\n${lines.join("\n")}`);
  return code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
