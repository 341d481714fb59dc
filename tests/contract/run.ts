/** Runs the probes with the client that `TRIMTAB_CLIENT` specifies. */

import { hasTmux } from "../e2e/bed/terminal.ts";
import { probeChat } from "./chat_probe.ts";
import { probeHeadless } from "./headless_probe.ts";
import { type Finding, type Recorder, recordInto } from "./recorder.ts";
import { probeResume } from "./resume_probe.ts";
import { probeTerminal } from "./terminal_probe.ts";
import { probeWindows } from "./windows_probe.ts";

type Probe = (facts: Recorder) => Promise<void>;

/** Lanes run in parallel, because clients mostly wait. The probes of one lane run one after another. */
const LANES: readonly (readonly Probe[])[] = [
  [probeHeadless],
  [probeResume, probeChat, ...hasTmux() ? [probeTerminal] : []],
  [probeWindows],
];

export async function runContract(): Promise<Finding[]> {
  if (!hasTmux()) console.warn("Facts about the client in a terminal are not checked: no tmux");
  const findings: Finding[] = [];
  await Promise.all(LANES.map((lane) => runLane(lane, findings)));
  return findings;
}

async function runLane(lane: readonly Probe[], findings: Finding[]): Promise<void> {
  for (const probe of lane) {
    try {
      await probe(recordInto(findings));
    } catch (error) {
      findings.push({ fact: `${probe.name}() completes.`, contradiction: String(error) });
    }
  }
}
