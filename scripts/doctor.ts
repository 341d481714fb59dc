import { describeReport } from "../src/doctor/check/text.ts";
import { findRoot } from "../src/doctor/root.ts";
import { command, EXIT } from "../cli/command.ts";
import { locateProject } from "../src/verbs/place.ts";
import { flag } from "../cli/spec.ts";

export const SPEC = {
  name: "doctor",
  options: [
    flag("fix", "repair what is safe to repair"),
    flag("all", "check all sessions of the project, not only the newest 20"),
  ],
  notes: [
    "It checks Deno, Claude Code (the version that wrote the newest session), settings,",
    "configuration, saves and sessions, and runs no program. --fix sets file modes, and repairs a",
    "folder's .gitignore; without it nothing changes. The exit code is 3 for errors and warnings,",
    "and 0 for information alone.",
  ],
};

export const run = command(SPEC, async ({ fix = false, all = false }) => {
  const { needsAttention, runDoctor } = await import("../src/doctor/check/doctor.ts");
  const report = runDoctor({ ...locateProject(), root: findRoot(), fix, all });
  return {
    json: report,
    text: describeReport(report, fix),
    exitCode: needsAttention(report) ? EXIT.findings : EXIT.done,
  };
});

if (import.meta.main) Deno.exit(await run(Deno.args));
