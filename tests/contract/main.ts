/**
 * Reports whether each fact that trimtab relies on holds for a client.
 *
 * `deno task contract` checks the oldest supported client, the pinned client, and npm's newest.
 * `deno task contract --client 2.1.200` checks one of your choice, and may be given several times.
 * With `--all`, the tests with the real client run, too, for the facts that they check.
 *
 * Exit codes: 0 the oldest and the pinned client keep all facts, whatever other clients do; 1 one
 * of the two breaks a fact or cannot be installed; 2 wrong usage.
 *
 * @module
 */

import { runChild } from "../../tools/child.ts";
import { CLIENT_VERSION, installClient, OLDEST_VERSION, PACKAGE } from "../e2e/bed/install.ts";
import { type FactId, FACTS } from "./facts.ts";
import { type HeldInTests, runHoldingTests } from "./holding_tests.ts";
import { runContract } from "./run.ts";

type FactStatus = { readonly mark: "holds" | "BROKEN" | "-"; readonly observation: string };

/** These clients must keep every fact. */
const REQUIRED_CLIENTS: readonly string[] = [OLDEST_VERSION, CLIENT_VERSION];

const USAGE = `Usage: deno task contract [--client VERSION]... [--all]

Reports for every fact that trimtab relies on whether it holds with the oldest supported client
(${OLDEST_VERSION}), the pinned client (${CLIENT_VERSION}) and npm's newest client, or with the clients
that --client names ("newest" is allowed, too). A fact that another client breaks is reported, but does
not fail the command. --all also runs the tests with the real client, which take some minutes for each.`;

interface Options {
  readonly versions: readonly string[];
  readonly isAll: boolean;
}

function parse(args: readonly string[]): Options | null {
  const versions: string[] = [];
  let isAll = false;
  for (let at = 0; at < args.length; at++) {
    if (args[at] === "--all") {
      isAll = true;
    } else if (args[at] === "--client" && args[at + 1] !== undefined) {
      versions.push(args[++at] ?? "");
    } else {
      return null;
    }
  }
  return { versions: versions.length === 0 ? [...REQUIRED_CLIENTS, "newest"] : versions, isAll };
}

async function newestVersion(): Promise<string> {
  const { code, stdout, stderr } = await runChild("npm", ["view", PACKAGE, "version"]);
  if (code !== 0) throw new Error(`Cannot ask npm for the newest client: ${stderr.trim()}`);
  return stdout.trim();
}

async function report(version: string, isAll: boolean): Promise<FactId[]> {
  Deno.env.set("TRIMTAB_CLIENT", await installClient(version));
  const { findings, skipped } = await runContract();
  const testResults: HeldInTests = isAll ? await runHoldingTests() : {};
  const broken: FactId[] = [];
  console.log(`\nClaude Code ${version}`);
  for (const { id, fact, heldBy, without } of FACTS) {
    const finding = findings.find((one) => one.id === id);
    const status = "file" in heldBy
      ? testStatus(testResults[`${heldBy.file}: ${heldBy.test}`], heldBy.file, isAll)
      : probeStatus(finding?.broken, skipped[id]);
    console.log(`${status.mark.padEnd(6)} ${id}: ${fact}`);
    if (status.observation !== "") console.log(status.observation.replace(/^/gm, "         "));
    if (status.mark !== "BROKEN") continue;
    broken.push(id);
    if (without !== undefined) console.log(`         Without it: ${without}`);
  }
  return broken;
}

function probeStatus(broken: string | null | undefined, skipped: string | undefined): FactStatus {
  if (skipped !== undefined) return { mark: "-", observation: `not checked: ${skipped}` };
  return broken === null
    ? { mark: "holds", observation: "" }
    : { mark: "BROKEN", observation: broken ?? "not checked" };
}

function testStatus(result: string | null | undefined, file: string, isAll: boolean): FactStatus {
  if (result === undefined) {
    const why = isAll ? "which skips it on this machine" : "which --all runs";
    return { mark: "-", observation: `not checked: this fact is part of ${file}, ${why}` };
  }
  return result === null
    ? { mark: "holds", observation: "" }
    : { mark: "BROKEN", observation: result };
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(USAGE);
    return 0;
  }
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
      ? "every checked fact holds"
      : `${broken.length} broken (${broken.join(", ")})${
        isFatal ? "" : ": reported, not fatal, since it is neither the oldest nor the pinned client"
      }`;
    lines.push(`Claude Code ${version}: ${verdict}`);
  }
  console.log(`\n${lines.join("\n")}`);
  return code;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
