/**
 * Turns the table of `cli/permissions.ts` into permission flags and into parts of the launcher, and
 * reads hooks.json and the shebang lines of scripts, which must agree with the table.
 */

import { isObject, isText } from "../src/core/record.ts";
import { EXECUTED_FILES, type Needs, PASSED_VARIABLES, PERMISSIONS } from "../cli/permissions.ts";

/** Permission flags in command-line order, keyed by the path of a script or hook. */
export type Permissions = ReadonlyMap<string, readonly string[]>;

const LAUNCHED = /^\/bin\/sh "\$\{CLAUDE_PLUGIN_ROOT\}\/bin\/trimtab" hook ([a-z][a-z-]*)$/;
const FLAG = /^--(?:allow|deny)-[a-z]+(?:=\S+)?$/;

const KINDS = ["read", "write", "run", "sys", "env"] as const;

export function allPermissions(): Permissions {
  return new Map(
    Object.entries(PERMISSIONS).map(([path, needs]) => [path, permissionFlags(needs)]),
  );
}

function permissionFlags(needs: Needs): string[] {
  const isNarrow = needs.write !== undefined && needs.write !== true;
  const denied = isNarrow
    ? [`--deny-write=${[...EXECUTED_FILES, ...needs.deny ?? []].join(",")}`]
    : [];
  return KINDS.flatMap((name) => {
    const value = needs[name];
    if (value === undefined) return [];
    if (value === true) return `--allow-${name}`;
    return `--allow-${name}=${(name === "env" ? value.toSorted() : value).join(",")}`;
  }).concat(denied);
}

function passedVariables(): string[] {
  const read = Object.values(PERMISSIONS).flatMap(({ env = [] }) => env);
  return [...new Set([...read, ...PASSED_VARIABLES])].sort();
}

/**
 * Renders the launcher's table. The launcher sources the table, so that it needs no program to look up a row.
 */
export function launcherTable(): string {
  const lines = [...allPermissions()].map(([path, flags]) => {
    const [, folder, name = ""] = /^(\w+)\/(\w+)\.ts$/.exec(path) ?? [];
    const command = name.replaceAll("_", "-");
    return `  ${folder === "hooks" ? `'hook ${command}'` : command}) perms='${flags.join(" ")}' ;;`;
  });
  return [
    "# Generated from cli/permissions.ts by `deno task reference`; sourced by the launcher.",
    "# shellcheck shell=sh disable=SC2034",
    "case $command in",
    ...lines,
    "  *) perms= ;;",
    "esac",
    "",
  ].join("\n");
}

export function launcherEnvironment(): string {
  return [
    "# Generated from cli/permissions.ts by `deno task reference`; sourced by the launcher just before it starts",
    "# a program. Removes all other variables, because some make Deno load code, or send or record its",
    "# activity, and each version adds more. Starts no program for this, because the values would be",
    "# visible to anyone who lists processes.",
    "# shellcheck shell=sh disable=SC2046",
    `_trimtab_passed=' ${passedVariables().join(" ")} '`,
    "set -f",
    "IFS='",
    "'",
    "for _trimtab_line in $(export -p); do",
    "  case $_trimtab_line in 'export '* | 'declare -x '*) ;; *) continue ;; esac",
    "  _trimtab_line=${_trimtab_line#export }",
    "  _trimtab_line=${_trimtab_line#declare -x }",
    "  _trimtab_line=${_trimtab_line%%=*}",
    "  case $_trimtab_line in",
    "    '' | _ | [0-9]* | *[!A-Za-z0-9_]* | _trimtab*) continue ;;",
    "  esac",
    '  case $_trimtab_passed in *" $_trimtab_line "*) ;; *) unset "$_trimtab_line" ;; esac',
    "done",
    "",
  ].join("\n");
}

/**
 * Returns the paths of the hooks that hooks.json starts.
 *
 * @throws {SyntaxError} When a command does not call the launcher in quotes.
 */
export function startedHooks(text: string): Set<string> {
  const found = new Set<string>();
  for (const command of commandsIn(JSON.parse(text))) {
    const name = LAUNCHED.exec(command)?.[1];
    if (name === undefined) {
      throw new SyntaxError(`Cannot read hooks.json: ${command} does not call the launcher`);
    }
    found.add(`hooks/${name.replaceAll("-", "_")}.ts`);
  }
  return found;
}

/**
 * Replaces folder placeholders in flags with paths.
 *
 * @param folders Paths for `CONFIG`, `PROJECT` and `OUTPUT`; without an output, `OUTPUT` is
 * removed.
 */
export function withFolders(
  flags: readonly string[],
  folders: { config: string; project: string; output?: string },
): string[] {
  const output = folders.output === undefined ? "" : `,${folders.output}`;
  return flags.map((flag) =>
    flag.replaceAll(",OUTPUT", output).replaceAll(/(?<=[=,])CONFIG/g, folders.config)
      .replaceAll(/(?<=[=,])PROJECT/g, folders.project)
  );
}

/**
 * Combines the permissions of several entry points, for one program that contains all of them. Folders are
 * known only at run time, so a permission for some folders becomes a permission for all.
 *
 * @returns One flag for each permission, with the values in alphabetical order.
 */
export function unionOfPermissions(rows: Iterable<readonly string[]>): string[] {
  const union = new Map<string, Set<string> | "all">();
  for (const flag of [...rows].flat()) {
    // Drops denied paths, because one entry point may need to write a path that another must not write.
    if (flag.startsWith("--deny-")) continue;
    const [name = flag, values] = flag.split("=", 2);
    const isForAll = values === undefined || /(?:^|,)(?:CONFIG|PROJECT|OUTPUT)/.test(values);
    const known = union.get(name);
    if (isForAll || known === "all") union.set(name, "all");
    else union.set(name, new Set([...(known ?? []), ...values.split(",")]));
  }
  return [...union].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([name, values]) => values === "all" ? name : `${name}=${[...values].sort().join(",")}`);
}

export function shebangPermissions(text: string): readonly string[] | undefined {
  const line = /^#!.*\bdeno run\b(.*)$/m.exec(text.split("\n", 1)[0] ?? "")?.[1];
  return line?.split(/\s+/).filter((word) => FLAG.test(word));
}

function* commandsIn(value: unknown): Iterable<string> {
  if (typeof value !== "object" || value === null) return;
  if (isObject(value) && isText(value.command)) {
    const args = Array.isArray(value.args) ? value.args : [];
    yield [value.command, ...args].join(" ");
  }
  for (const child of Object.values(value)) yield* commandsIn(child);
}
