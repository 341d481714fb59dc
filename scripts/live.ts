/** `trimtab live`: shows what shaping outputs before the model sees them has saved. */

import type { LiveConfig } from "../src/config/schema.ts";
import { type LiveStats, type LiveTotals, readLiveStats } from "../src/live/live_log.ts";
import { grouped } from "../src/inject/bound.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { loadCommandConfig } from "../cli/config.ts";
import { locateProject } from "../cli/project.ts";
import { type Arguments, type CommandSpec, flagOf } from "../cli/spec.ts";

export const LIVE_SPEC: CommandSpec = {
  name: "live",
  summary: "Show whether long outputs are shaped before the model sees them, and what that saved.",
  positionals: "",
  positionalCount: [0, 0],
  options: [
    { name: "stats", type: "flag", help: "only what it saved, of all tools and kinds" },
  ],
  notes: [
    "It is off until .claude/trimtab.toml in the project, or trimtab.toml in Claude Code's folder, has",
    "",
    "  [live]",
    "  enabled = true",
    "",
    "Then run this command once to apply the configuration.",
  ],
};

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(LIVE_SPEC, argv, main);
}

async function main(args: Arguments): Promise<CommandOutput> {
  const place = locateProject();
  const { live } = await loadCommandConfig(place);
  const stats = readLiveStats(place.projectDir);
  const text = flagOf(args, "stats") ? statsText(stats) : [stateText(live), statsText(stats)];
  return { json: { enabled: live.enabled, ...stats }, text: [text].flat().join("\n") };
}

function stateText({ enabled, max_chars, tools }: LiveConfig): string {
  if (!enabled) {
    return "Long outputs reach the model unshaped. To change that, set [live] enabled = true in .claude/trimtab.toml.";
  }
  return `Outputs of ${tools.join(", ")} over ${grouped(max_chars)} characters are shaped before ` +
    "the model sees them.";
}

function statsText({ totals, by_tool, by_kind, sessions, since }: LiveStats): string {
  if (since === null) return "No output has been shaped so far.";
  const head = `${line(totals)} in ${sessions} ${sessions === 1 ? "session" : "sessions"} since ` +
    `${since.slice(0, 10)}.`;
  const width = Math.max(
    ...[...Object.keys(by_tool), ...Object.keys(by_kind)].map((one) => one.length),
  );
  const rows = (groups: Readonly<Record<string, LiveTotals>>): string[] =>
    Object.entries(groups).map(([name, one]) => `  ${name.padEnd(width)}  ${line(one)}`);
  return [head, "", "By tool:", ...rows(by_tool), "", "By kind:", ...rows(by_kind)].join("\n");
}

function line({ outputs, before_chars, after_chars, saved_percent }: LiveTotals): string {
  return `${grouped(outputs)} ${outputs === 1 ? "output" : "outputs"} shaped, ` +
    `${grouped(before_chars)} -> ${grouped(after_chars)} characters (-${saved_percent}%)`;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
