/** `trimtab doctor`: finds what is wrong with trimtab and what it depends on. */

import { describeReport } from "../src/doctor/check/text.ts";
import { readEnv } from "../src/store/paths.ts";
import { type CommandOutput, EXIT, runCommand } from "../cli/command.ts";
import { locateProject } from "../src/verbs/place.ts";
import { type Arguments, type CommandSpec, flagOf } from "../cli/spec.ts";

export const DOCTOR_SPEC: CommandSpec = {
  name: "doctor",
  summary: "Check trimtab and what it depends on, and repair problems with --fix.",
  positionals: "",
  positionalCount: [0, 0],
  options: [
    {
      name: "fix",
      type: "flag",
      help: "repair what can be repaired safely; without this nothing is changed",
    },
    {
      name: "all",
      type: "flag",
      help: "check every session of the project, not only the newest 20",
    },
  ],
  notes: [
    "It checks Deno and Claude Code, the plugin's files, hooks in the settings, the configuration,",
    "permissions, states, logs, checkpoints and their index, sessions that would not resume,",
    "and leftover files. The version of Claude Code is the one that wrote the newest",
    "session; no program is run.",
    "",
    "Exit code 3 means errors or warnings were found; information alone exits 0.",
    "--fix sets permissions, and repairs the index, the lineage and a folder's .gitignore.",
  ],
};

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(DOCTOR_SPEC, argv, main);
}

async function main(args: Arguments): Promise<CommandOutput> {
  const fix = flagOf(args, "fix");
  const { needsCare, runDoctor } = await import("../src/doctor/check/doctor.ts");
  const report = runDoctor({
    ...locateProject(),
    root: rootFolder(),
    fix,
    all: flagOf(args, "all"),
  });
  return {
    json: report,
    text: describeReport(report, fix),
    exitCode: needsCare(report) ? EXIT.findings : EXIT.done,
  };
}

/** The folder of trimtab; the launcher tells an executable where that is. */
function rootFolder(): string | null {
  const url = new URL("..", import.meta.url);
  if (Deno.build.standalone) return readEnv("TRIMTAB_ROOT") ?? null;
  if (url.protocol !== "file:") return null;
  const path = decodeURIComponent(url.pathname).replace(/\/$/, "");
  return Deno.build.os === "windows" ? path.replace(/^\/(?=[A-Za-z]:)/, "") : path;
}

if (import.meta.main) Deno.exit(await run(Deno.args));
