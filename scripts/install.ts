import type { InstallResult } from "../src/doctor/install/install.ts";
import { statusLineCommand } from "../src/doctor/install/settings.ts";
import { findRoot } from "../src/doctor/root.ts";
import { findConfigDir, joinPath } from "../src/store/paths.ts";
import { locateProject } from "../src/verbs/place.ts";
import { command } from "../cli/command.ts";
import { flag } from "../cli/spec.ts";

export const SPEC = {
  name: "install",
  options: [
    flag("user", "for all your projects (default)"),
    flag("project", "for this project: .claude/settings.json"),
    flag("status-line", "add the status line, unless one is set"),
    flag("dry-run", "show what would change, write nothing"),
    flag("uninstall", "remove what install added"),
  ],
  exclusive: [["user", "project"], ["uninstall", "status-line"]],
  notes: [
    "It adds the hooks to settings.json, keeps a backup, and links the skills into skills/ next to",
    "it. It never replaces your own settings, skills or status line. With the plugin enabled,",
    "--status-line adds only the status line, which a plugin cannot provide. Restart running",
    "sessions afterwards, and run it again after moving trimtab.",
  ],
};

export const run = command(SPEC, async ({ project = false, ...options }) => {
  const { statusLine = false, uninstall = false, dryRun = false } = options;
  const { install } = await import("../src/doctor/install/install.ts");
  const root = findRoot();
  if (root === null) {
    throw new Error(
      "Cannot install from a compiled executable: run bin/trimtab install in a copy of the plugin",
    );
  }
  const folder = project ? joinPath(locateProject().projectDir, ".claude") : findConfigDir();
  if (folder === undefined) {
    throw new Error(
      "Cannot find Claude Code's settings: neither CLAUDE_CONFIG_DIR nor HOME is set",
    );
  }
  const result = install({ folder, root, nowMs: Date.now(), statusLine, uninstall, dryRun });
  const keepsOtherLine = statusLine && result.status_line === "other";
  return { json: result, text: describe(result, keepsOtherLine ? statusLineCommand(root) : null) };
});

function describe(result: InstallResult, ownLine: string | null): string {
  const { action, settings, hooks, skills, skills_taken: taken, dry_run: dryRun, plugin } = result;
  const isRemoved = action === "uninstalled" || action === "not installed";
  const done = {
    "already installed": "is already installed in",
    "not installed": "is not installed in",
    installed: `${dryRun ? "would be" : "is"} installed in`,
    updated: `${dryRun ? "would be" : "is"} updated in`,
    uninstalled: `${dryRun ? "would be" : "is"} removed from`,
  }[action];
  // If the result lists no hooks and no skills, it concerns only the status line, as with the plugin enabled.
  const isLineOnly = hooks.length + skills.length === 0 && action !== "not installed";
  const what = isLineOnly ? "trimtab's status line" : "trimtab";
  const lines = [
    `${what} ${done} ${settings}${/^(already|not)/.test(action) ? ": nothing to do" : ""}.`,
  ];
  if (isRemoved && plugin !== null) {
    lines.push(`The plugin is still enabled. To remove it: claude plugin uninstall ${plugin}`);
  }
  if (dryRun && result.diff !== "") lines.push("", result.diff, "");
  if (hooks.length > 0 && action !== "already installed") lines.push(`Hooks: ${hooks.join(", ")}.`);
  if (skills.length > 0) {
    lines.push(`Skills ${isRemoved ? "unlinked" : "linked"}: ${skills.join(", ")}.`);
  }
  if (!isRemoved && taken.length > 0) {
    lines.push(`Skipped, because you have skills with these names: ${taken.join(", ")}.`);
  }
  if (ownLine !== null) {
    lines.push(
      "Your own status line is kept. For trimtab's, remove statusLine from the settings and " +
        "run this again,",
      `or call it from yours, with the same JSON on stdin: ${ownLine}`,
    );
  }
  if (result.backup !== null) lines.push(`Backup of the settings: ${result.backup}`);
  return lines.join("\n");
}

if (import.meta.main) Deno.exit(await run(Deno.args));
