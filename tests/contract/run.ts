/**
 * Runs all probes against the client that `TRIMTAB_CLIENT` names, else the pinned one.
 *
 * @module
 */

import { hasTmux } from "../e2e/bed/terminal.ts";
import { probeAsync } from "./async_probe.ts";
import { probeChat } from "./chat_probe.ts";
import { probeDeno } from "./deno_probe.ts";
import { type FactId, FACTS } from "./facts.ts";
import { probeHeadless } from "./headless_probe.ts";
import { describe, type Finding, type Recorder, recordInto } from "./recorder.ts";
import { probeResume } from "./resume_probe.ts";
import { probeTerminal } from "./terminal_probe.ts";
import { probeWindows } from "./windows_probe.ts";

export interface ContractRun {
  /**
   * One finding for each checked fact; a fact that was checked twice is broken if either check
   * fails.
   */
  readonly findings: readonly Finding[];
  readonly skipped: Readonly<Partial<Record<FactId, string>>>;
}

type Probe = (record: Recorder) => Promise<void>;

/** Keyed by the name that a fact's `heldBy` uses. */
const PROBES: Readonly<Record<string, Probe>> = {
  headless: probeHeadless,
  resume: probeResume,
  chat: probeChat,
  async: probeAsync,
  terminal: probeTerminal,
  windows: probeWindows,
  deno: probeDeno,
};

/**
 * Lanes run in parallel, since clients wait more than they compute; the probes of a lane run in
 * turn.
 */
const LANES = [["headless", "async", "deno"], ["resume", "chat", "terminal"], ["windows"]];

export async function runContract(): Promise<ContractRun> {
  const findings: Finding[] = [];
  const errors = new Map<string, string>();
  const names = LANES.map((lane) => lane.filter((name) => name !== "terminal" || hasTmux()));
  await Promise.all(names.map((lane) => runLane(lane, findings, errors)));
  const skipped: Partial<Record<FactId, string>> = {};
  for (const { id, heldBy } of FACTS) {
    if ("file" in heldBy || findings.some((one) => one.id === id)) continue;
    const error = errors.get(heldBy.probe);
    if (error !== undefined) {
      findings.push({ id, broken: `the probe "${heldBy.probe}" broke off: ${error}` });
    } else if (heldBy.probe === "terminal") {
      skipped[id] = "tmux is not here";
    } else {
      findings.push({ id, broken: `the probe "${heldBy.probe}" does not look at it` });
    }
  }
  return { findings: worstFindings(findings), skipped };
}

async function runLane(
  lane: readonly string[],
  findings: Finding[],
  errors: Map<string, string>,
): Promise<void> {
  for (const name of lane) {
    try {
      await PROBES[name]?.(recordInto(findings));
    } catch (error) {
      errors.set(name, describe(error));
    }
  }
}

function worstFindings(findings: readonly Finding[]): Finding[] {
  const worst = new Map<FactId, Finding>();
  for (const finding of findings) {
    if (finding.broken !== null || !worst.has(finding.id)) worst.set(finding.id, finding);
  }
  return [...worst.values()];
}
