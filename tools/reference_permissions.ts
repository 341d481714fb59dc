/**
 * The page of the permissions.
 *
 * @module
 */

import { EXECUTED, type Needs, permissionFlags, PERMISSIONS } from "../cli/permissions.ts";
import { code, GENERATED, list, words } from "./reference_text.ts";

/** The purpose of each variable of the environment that trimtab reads. */
const VARIABLES: Readonly<Record<string, string>> = {
  CLAUDE_CODE_DISABLE_1M_CONTEXT: "how large the window is",
  CLAUDE_CODE_ENTRYPOINT: "whether the session runs without a terminal",
  CLAUDE_CODE_MAX_CONTEXT_TOKENS: "how large the window is",
  CLAUDE_CODE_AUTO_COMPACT_WINDOW: "the window that the client compacts for",
  CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "the percentage at which it compacts",
  DISABLE_AUTO_COMPACT: "whether the client compacts by itself",
  DISABLE_COMPACT: "whether it compacts at all",
  CLAUDE_CODE_SESSION_ID: "which session a command is run in",
  CLAUDE_CONFIG_DIR: "where Claude Code's configuration folder is",
  CLAUDE_PROJECT_DIR: "where the project is",
  CLAUDE_PID: "which client's session a new one follows",
  CLAUDE_PLUGIN_DATA: "where a plugin may keep things",
  DENO_DIR: "where Deno's cache is",
  DENO_EMIT_CACHE_MODE: "whether Deno writes to its cache",
  DENO_INSTALL: "where Deno is",
  COLUMNS: "how wide the status line may be",
  LANG: "what the terminal can show",
  LC_ALL: "what the terminal can show",
  LC_CTYPE: "what the terminal can show",
  HOME: "where Claude Code's configuration folder is",
  NO_COLOR: "whether the status line has colours",
  PATH: "where `episodic-memory` is, and Deno",
  TRIMTAB_DENO: "where Deno is",
  TRIMTAB_ROOT: "where trimtab's folder is, for the compiled executable",
  USERPROFILE: "where Claude Code's configuration folder is, on Windows",
  WORK_WORKER_ID: "which worker's session this is, in the lineage",
  XDG_CACHE_HOME: "where Deno's cache is",
};

/**
 * Writes the page.
 *
 * @param needs What each entry point needs.
 * @returns The page.
 * @throws {Error} When nothing says what a variable is for.
 */
export function permissionsPage(needs: Readonly<Record<string, Needs>> = PERMISSIONS): string {
  const permissions = Object.entries(needs).map(([path, one]) =>
    [path, permissionFlags(one)] as const
  );
  const items = permissions.map(([path, flags]) =>
    `${code(path)} ${words(needs[path]?.why ?? "")}. Reads ${granted(flags, "read")}; writes ${
      granted(flags, "write")
    }${others(flags)}.`
  );
  return [
    "# Permissions",
    GENERATED,
    "`bin/trimtab` starts each script and hook with just these permissions of Deno; none has the " +
    "network. `PROJECT` stands for the project's folder, `CONFIG` for Claude Code's configuration " +
    "folder.",
    list(items),
    "`--deny-write` holds what the launcher or the client would execute later, also where a project is " +
    `the home folder. \`EXECUTED\` is ${EXECUTED.map(code).join(", ")}.`,
    "The compiled executable holds what all of them need, gives up in each run what its command or " +
    "hook has no use for, and refuses by itself to write what stands behind `--deny-write`; see [install](../guides/install.md#as-one-executable).",
    "## Environment",
    "Variables that scripts and hooks read, by what they tell:",
    list(variableItems(permissions.map(([, flags]) => flags))),
    "The launcher itself looks for Deno, for its cache and for a compiled executable by such variables. " +
    "It removes all variables but these and those that Deno, a registry and the programs that are " +
    "started need (`PASSED` in `cli/permissions.ts`), and all relative entries of `PATH`.",
    "Deno cannot be given the name of a folder with a comma. A project with one works from within; where " +
    "the comma is in another folder, the command says what it may not write.",
  ].join("\n\n") + "\n";
}

function granted(flags: readonly string[], kind: string): string {
  const flag = flags.find((one) => one.split("=")[0] === `--allow-${kind}`);
  if (flag === undefined) return "nothing";
  const [, list] = flag.split("=");
  return list === undefined ? "any file" : list.split(",").map(code).join(", ");
}

/** Names permissions that are about no file and no variable. */
function others(flags: readonly string[]): string {
  return flags.filter((flag) => !/^--allow-(?:read|write|env)\b/.test(flag))
    .map((flag) => `; ${code(flag.replace(EXECUTED.join(","), "EXECUTED"))}`).join("");
}

function variableItems(all: readonly (readonly string[])[]): string[] {
  const flags = all.flat().filter((flag) => flag.startsWith("--allow-env="));
  const names = new Set(flags.flatMap((flag) => flag.split("=")[1]?.split(",") ?? []));
  const byPurpose = Map.groupBy([...names].sort(), (name) => {
    const about = VARIABLES[name];
    if (about === undefined) throw new Error(`Cannot describe ${name}: add it to VARIABLES`);
    return about;
  });
  return [...byPurpose].map(([about, variables]) =>
    `${words(about)}: ${variables.map(code).join(", ")}`
  );
}
