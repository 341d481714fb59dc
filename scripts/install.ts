/** `trimtab install`: sets trimtab up in Claude Code's settings, without the plugin system. */

import type { InstallResult } from "../src/doctor/install/install.ts";
import { statusLineCommand } from "../src/doctor/install/entries.ts";
import { findConfigDir, joinPath, readEnv } from "../src/store/paths.ts";
import { type CommandOutput, runCommand } from "../cli/command.ts";
import { locateProject } from "../src/verbs/place.ts";
import { type Arguments, type CommandSpec, flagOf, UsageError } from "../cli/spec.ts";

export const INSTALL_SPEC: CommandSpec = {
  name: "install",
  summary: "Install trimtab without the plugin system, or add the status line to the plugin.",
  positionals: "",
  positionalCount: [0, 0],
  options: [
    { name: "user", type: "flag", help: "for all projects of this user; this is the default" },
    { name: "project", type: "flag", help: "for this project: .claude/settings.json" },
    { name: "status-line", type: "flag", help: "add the status line, unless one is set" },
    { name: "dry-run", type: "flag", help: "show what would change, write nothing" },
    { name: "uninstall", type: "flag", help: "remove everything that an installation added" },
  ],
  notes: [
    "It adds the hooks to settings.json and links the skills into skills/ next to it. Everything else",
    "stays byte for byte, and a copy is kept as settings.json.trimtab-backup-<time>, at most 5.",
    "Run it again after moving trimtab. Your own skills and status line are never replaced.",
    "Running sessions pick it up when they are restarted.",
    "",
    "With the plugin enabled, --status-line adds only the status line, which a plugin cannot provide.",
    "",
    "Unlike the plugin, skills have their bare names only (/trim, not /trimtab:trim), and",
    "paths are those of this machine, so do not commit settings made with --project.",
  ],
};

export function run(argv: readonly string[]): Promise<number> {
  return runCommand(INSTALL_SPEC, argv, main);
}

async function main(args: Arguments): Promise<CommandOutput> {
  const { install } = await import("../src/doctor/install/install.ts");
  const root = rootFolder();
  const result = install({
    folder: folderOf(args),
    root,
    nowMs: Date.now(),
    statusLine: flagOf(args, "status-line"),
    uninstall: flagOf(args, "uninstall"),
    dryRun: flagOf(args, "dry-run"),
  });
  return { json: result, text: describe(result, flagOf(args, "status-line"), root) };
}

function folderOf(args: Arguments): string {
  if (flagOf(args, "user") && flagOf(args, "project")) {
    throw new UsageError("Cannot run install: --user and --project cannot be used together");
  }
  if (flagOf(args, "uninstall") && flagOf(args, "status-line")) {
    throw new UsageError(
      "Cannot run install: --uninstall removes the status line with the rest, " +
        "without --status-line",
    );
  }
  if (flagOf(args, "project")) return joinPath(locateProject().projectDir, ".claude");
  const config = findConfigDir();
  if (config !== undefined) return config;
  throw new Error("Cannot find Claude Code's settings: neither CLAUDE_CONFIG_DIR nor HOME is set");
}

/** The folder of trimtab; the launcher in it is what the settings name. */
function rootFolder(): string {
  const root = Deno.build.standalone ? readEnv("TRIMTAB_ROOT") : ownFolder();
  if (root === undefined) {
    throw new Error(
      "Cannot install from a single executable: run bin/trimtab install in the folder of trimtab",
    );
  }
  Deno.statSync(joinPath(root, "bin", "trimtab"));
  return root;
}

function ownFolder(): string | undefined {
  const url = new URL("..", import.meta.url);
  if (url.protocol !== "file:") return undefined;
  const path = decodeURIComponent(url.pathname).replace(/\/$/, "");
  return Deno.build.os === "windows" ? path.replace(/^\/(?=[A-Za-z]:)/, "") : path;
}

function describe(result: InstallResult, wantsLine: boolean, root: string): string {
  const { action, dry_run: dryRun, hooks, skills } = result;
  const lines = [sentenceOf(result)];
  if (result.diff !== "" && dryRun) lines.push("", result.diff.trimEnd(), "");
  const isOut = action === "uninstalled" || action === "not installed";
  if (hooks.length > 0 && action !== "already installed") lines.push(`Hooks: ${hooks.join(", ")}.`);
  if (skills.length > 0) {
    lines.push(`Skills ${isOut ? "unlinked" : "linked"}: ${skills.join(", ")}.`);
  }
  if (!isOut && result.skills_taken.length > 0) {
    const names = result.skills_taken.join(", ");
    lines.push(`Skipped, because you have skills with these names: ${names}.`);
  }
  if (!isOut && !result.is_read) {
    lines.push(
      "Claude Code ignores a settings file with a comment or a trailing comma: remove those, " +
        "or nothing in it takes effect.",
    );
  }
  if (wantsLine && result.status_line === "other") {
    lines.push(
      "Your own status line is kept. For trimtab's, remove statusLine from the settings and " +
        "run this again,",
      `or call it from yours, with the same JSON on stdin: ${statusLineCommand(root)}`,
    );
  }
  if (result.backup !== null) lines.push(`Backup of the settings: ${result.backup}`);
  return lines.join("\n");
}

function sentenceOf({ action, dry_run: dryRun, settings, hooks, ...rest }: InstallResult): string {
  if (action === "installed" && hooks.length === 0 && rest.status_line === "ours") {
    return `The status line ${
      dryRun ? "would be" : "is"
    } in ${settings}; the plugin provides the rest.`;
  }
  switch (action) {
    case "already installed":
      return `trimtab is already installed in ${settings}: nothing to do.`;
    case "not installed":
      return `trimtab is not installed in ${settings}: nothing to do.`;
    case "installed":
      return `trimtab ${dryRun ? "would be" : "is"} installed in ${settings}.`;
    case "updated":
      return `trimtab in ${settings} ${dryRun ? "would be" : "is"} updated.`;
    case "uninstalled":
      return `trimtab ${dryRun ? "would be" : "is"} removed from ${settings}.`;
  }
}

if (import.meta.main) Deno.exit(await run(Deno.args));
