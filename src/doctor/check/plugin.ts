/** Checks that all files of trimtab itself exist and have the same version. */

import { reasonOf } from "../../store/atomic.ts";
import { isMissing } from "../../store/exists.ts";
import { isObject, type JsonObject } from "../../core/record.ts";
import { joinPath } from "../../store/paths.ts";
import { VERSION } from "../../version.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import { entriesOf } from "../clean/own_files.ts";
import { readTextSync } from "../../store/read_file.ts";

const EXECUTE_BITS = 0o111;

const MAX_PLUGIN_FILE_BYTES = 4 * 1024 * 1024;

/** Matches `/bin/sh "${CLAUDE_PLUGIN_ROOT}/bin/trimtab" hook pre-compact`; captures `pre-compact`. */
const HOOK_COMMAND = /^\/bin\/sh "\$\{CLAUDE_PLUGIN_ROOT\}\/bin\/trimtab" hook ([a-z-]+)$/;

export function checkPlugin({ root }: DoctorPlace): CheckResult {
  if (root === null) return { problems: [], note: "a single executable" };
  const problems = [
    ...launcherProblems(joinPath(root, "bin", "trimtab")),
    ...hookProblems(root),
    ...versionProblems(root),
    ...skillProblems(joinPath(root, "skills")),
  ];
  return { problems, note: `version ${VERSION} in ${root}` };
}

function launcherProblems(path: string): Problem[] {
  const mode = modeOf(path);
  if (mode === undefined) return [broken(path, "The launcher is missing.")];
  if (mode === null || (mode & EXECUTE_BITS) !== 0) return [];
  return [broken(path, "Skills and the Bash tool cannot run the launcher: use `chmod +x` on it.")];
}

function hookProblems(root: string): Problem[] {
  const path = joinPath(root, "hooks", "hooks.json");
  const json = readJson(path);
  if (typeof json === "string") return [broken(path, json)];
  const events = isObject(json.hooks) ? Object.entries(json.hooks) : [];
  if (events.length === 0) return [broken(path, "It names no hooks.")];
  const names = events.flatMap(([, groups]) => hookNames(groups));
  const problems = names.includes(null) ? [broken(path, "A hook does not call the launcher.")] : [];
  for (const name of new Set(names)) {
    if (name === null) continue;
    const script = joinPath(root, "hooks", `${name.replaceAll("-", "_")}.ts`);
    if (modeOf(script) === undefined) {
      problems.push(broken(script, "The script of a hook is missing."));
    }
  }
  return problems;
}

/** Returns the names of the hooks in the groups; null for a command that does not start the launcher. */
function hookNames(groups: unknown): (string | null)[] {
  return (Array.isArray(groups) ? groups : []).flatMap((group: unknown) => {
    const hooks: unknown[] = isObject(group) && Array.isArray(group.hooks) ? group.hooks : [null];
    return hooks.map((hook) => {
      const command = isObject(hook) ? hook.command : undefined;
      return typeof command === "string" ? HOOK_COMMAND.exec(command)?.[1] ?? null : null;
    });
  });
}

function versionProblems(root: string): Problem[] {
  const folder = joinPath(root, ".claude-plugin");
  return [
    ...versionProblem(joinPath(folder, "plugin.json"), (json) => json.version),
    ...versionProblem(joinPath(folder, "marketplace.json"), (json) => {
      const [first]: unknown[] = Array.isArray(json.plugins) ? json.plugins : [];
      return isObject(first) ? first.version : undefined;
    }),
    ...versionProblem(joinPath(root, "deno.json"), (json) => json.version),
  ];
}

function versionProblem(path: string, versionIn: (json: JsonObject) => unknown): Problem[] {
  const json = readJson(path);
  if (typeof json === "string") return [broken(path, json)];
  const version = versionIn(json);
  if (version === VERSION) return [];
  return [broken(path, `It says version ${JSON.stringify(version)}; trimtab is ${VERSION}.`)];
}

function skillProblems(folder: string): Problem[] {
  const skills = (entriesOf(folder) ?? []).filter(({ isDirectory }) => isDirectory);
  if (skills.length === 0) return [broken(folder, "There are no skills.")];
  return skills.map(({ name }) => joinPath(folder, name, "SKILL.md"))
    .filter((path) => modeOf(path) === undefined)
    .map((path) => broken(path, "A skill has no text."));
}

function broken(subject: string, problem: string): Problem {
  return { id: "plugin_file_broken", subject, problem };
}

/** Returns a sentence about the problem if the file is not a JSON object. */
function readJson(path: string): JsonObject | string {
  try {
    const value: unknown = JSON.parse(readTextSync(path, MAX_PLUGIN_FILE_BYTES));
    return isObject(value) ? value : "It does not contain an object.";
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    if (isMissing(error)) return "It is missing.";
    return `It cannot be read: ${reasonOf(error)}`;
  }
}

/** Returns null on Windows, which has no modes, and undefined for a missing file. */
function modeOf(path: string): number | null | undefined {
  try {
    const { isFile, mode } = Deno.statSync(path);
    if (!isFile) return undefined;
    return Deno.build.os === "windows" ? null : mode;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
