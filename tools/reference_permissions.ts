/** Renders the reference page for permissions. */

import {
  EXECUTED_FILES,
  KEY_FOLDER,
  type Needs,
  PERMISSIONS,
  SAVE_PATHS,
  SESSIONS,
} from "../cli/permissions.ts";
import { code, GENERATED, list, words } from "./reference_text.ts";

/** Sets of folders that many entry points write to, largest first. The page refers to each set by its name. */
const SETS: readonly (readonly [name: string, paths: readonly string[]])[] = [
  ["SAVES", SAVE_PATHS],
  ["SESSIONS", SESSIONS],
  ["STATE", ["PROJECT/.claude/trimtab"]],
  ["KEY", [KEY_FOLDER]],
];

const VARIABLES: Readonly<Record<string, string>> = {
  CLAUDE_CODE_DISABLE_1M_CONTEXT: "the window, and the size at which the client compacts",
  CLAUDE_CODE_ENTRYPOINT: "the session",
  CLAUDE_CODE_MAX_CONTEXT_TOKENS: "the window, and the size at which the client compacts",
  CLAUDE_CODE_AUTO_COMPACT_WINDOW: "the window, and the size at which the client compacts",
  CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "the window, and the size at which the client compacts",
  DISABLE_AUTO_COMPACT: "the window, and the size at which the client compacts",
  DISABLE_COMPACT: "the window, and the size at which the client compacts",
  CLAUDE_CODE_SESSION_ID: "the session",
  CLAUDE_CONFIG_DIR: "folders",
  CLAUDE_PROJECT_DIR: "folders",
  CLAUDE_PID: "the session",
  COLUMNS: "the terminal",
  HOME: "folders",
  NO_COLOR: "the terminal",
  PATH: "programs",
  TRIMTAB_ROOT: "folders",
  USERPROFILE: "folders",
  WORK_WORKER_ID: "the session",
};

/** @throws {Error} When a variable has no description. */
export function permissionsPage(): string {
  const byReading = Map.groupBy(Object.entries(PERMISSIONS), ([, { read }]) => accessText(read));
  return [
    "# Permissions",
    GENERATED,
    "`bin/trimtab` starts each command and hook with exactly these Deno permissions, without access to " +
    "the network; [the executable](../guides/install.md#as-one-executable) is granted the union of them. `PROJECT` is the project's folder, `CONFIG` is Claude Code's (`~/.claude`), and " +
    "`OUTPUT` is the file given to `report --output`.",
    list(SETS.map(([name, paths]) => `${code(name)}: ${paths.map(code).join(", ")}`)),
    "Only `install` may write what Claude Code or the launcher executes later: " +
    `${
      EXECUTED_FILES.map(code).join(", ")
    }. \`doctor\` and \`clean\` are also denied these paths in \`PROJECT/.claude\`.`,
    ...[...byReading].flatMap(([read, entries]) => [`## Reads ${read}`, list(itemsOf(entries))]),
    "## Environment",
    "Commands and hooks read these variables:",
    list(variableItems(Object.values(PERMISSIONS))),
    "The launcher passes on these variables and those for Deno, registries and child processes (`PASSED_VARIABLES` in " +
    "`cli/permissions.ts`). It removes all other variables, and the relative entries of `PATH`. A Deno " +
    "permission cannot name a path with a comma. A project with such a path works only if the command runs inside " +
    "it; other such folders get no permission.",
  ].join("\n\n") + "\n";
}

/** Lists entry points. All entry points that write nothing share one item. */
function itemsOf(entries: readonly (readonly [path: string, needs: Needs])[]): string[] {
  const readers = entries.filter(([, { write }]) => write === undefined);
  const writers = entries.filter(([, { write }]) => write !== undefined);
  return [
    ...writers.map(([path, { write, run, sys, why }]) =>
      [
        `${code(nameOf(path))} writes ${accessText(write)}`,
        ...(run === undefined ? [] : [` and runs ${run.map(code).join(", ")}`]),
        ...(sys === undefined ? [] : [` and asks for ${sys.map(code).join(", ")}`]),
        why === undefined ? "" : `: ${words(why)}`,
      ].join("")
    ),
    ...(readers.length === 0
      ? []
      : [`${readers.map(([path]) => code(nameOf(path))).join(", ")}: nothing else`]),
  ];
}

function nameOf(path: string): string {
  const name = path.replace(/^.*\/|\.ts$/g, "").replaceAll("_", "-");
  return path.startsWith("hooks/") ? `hook ${name}` : name;
}

function accessText(paths: Needs["write"]): string {
  if (paths === true) return "any file";
  const remaining = new Set(paths);
  const names = SETS.flatMap(([name, set]) => {
    if (!set.every((path) => remaining.has(path))) return [];
    for (const path of set) remaining.delete(path);
    return [code(name)];
  });
  return remaining.size + names.length === 0
    ? "nothing"
    : [...names, ...[...remaining].map(code)].join(", ");
}

function variableItems(all: readonly Needs[]): string[] {
  const names = new Set(all.flatMap(({ env = [] }) => env));
  const byPurpose = Map.groupBy([...names].sort(), (name) => {
    const about = VARIABLES[name];
    if (about === undefined) throw new Error(`Cannot describe ${name}: add it to VARIABLES`);
    return about;
  });
  return [...byPurpose].map(([about, variables]) =>
    `${words(about)}: ${variables.map(code).join(", ")}`
  );
}
