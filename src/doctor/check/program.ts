/** Checks the launcher, and the versions of Deno, of trimtab's executable and of Claude Code. */

import { infoOf } from "../../store/exists.ts";
import { isSessionId } from "../../transcript/find.ts";
import { parseObject } from "../../transcript/entry.ts";
import { readLinesBackward } from "../../transcript/lines.ts";
import { type EnvReader, joinPath } from "../../store/paths.ts";
import { VERSION } from "../../version.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import { configOrDefaults } from "./config.ts";
import { entriesOf } from "../clean/own_files.ts";
import { openFileSync } from "../../store/read_file.ts";
import { isExecutable, programFolders } from "../../store/programs.ts";

/** The oldest Deno that can lock a file without waiting. */
export const MIN_DENO_VERSION = "2.7.0";

/** The oldest Claude Code that sends every event of hooks.json: 2.1.117 has no PostToolBatch. */
export const MIN_CLIENT_VERSION = "2.1.118";

/** The oldest Claude Code whose hooks can replace the output of any tool, which shaping needs. */
export const MIN_LIVE_CLIENT_VERSION = "2.1.121";

/** The oldest Claude Code that loads modules, with which trimtab trims a running session. */
export const MIN_INSIDE_CLIENT_VERSION = "2.1.287";

const MAX_TAIL_LINES = 200;

const MAX_TAIL_BYTES = 1024 * 1024;

const EXECUTABLE = /^trimtab-(\d+\.\d+\.\d+\S*?)(?:\.exe)?$/;

export function checkDeno(place: DoctorPlace): CheckResult {
  const { denoVersion, root, env } = place;
  const problems: Problem[] = [];
  const found = findDeno(env);
  if (isOlder(denoVersion, MIN_DENO_VERSION)) {
    problems.push({
      id: "deno_missing",
      subject: found ?? "deno",
      problem: `This is Deno ${denoVersion}; trimtab needs ${MIN_DENO_VERSION} or newer.`,
    });
  }
  const executables = findExecutables(place);
  const isOwn = executables.some(({ version }) => version === VERSION);
  for (const { path, version } of executables) {
    if (version === VERSION || isOwn) continue;
    problems.push({
      id: "plugin_file_broken",
      subject: path,
      problem:
        `The executable is version ${version}; trimtab is ${VERSION}, and hooks start with Deno, ` +
        "which is slower. Compile it again, or delete it.",
    });
  }
  problems.push(...launcherProblems(root));
  // On Windows the launcher searches the PATH of Git Bash, which is unknown here.
  if (found === null && !isOwn && root !== null && Deno.build.os !== "windows") {
    problems.push({
      id: "deno_missing",
      subject: joinPath(root, "bin", "trimtab"),
      problem: "The launcher would not find Deno, and no executable of this version exists.",
    });
  }
  const elsewhere = Deno.build.os === "windows" ? "what Git Bash finds" : "nothing";
  const launched = isOwn ? "an executable of this version" : found ?? elsewhere;
  return { problems, note: `Deno ${denoVersion}; the launcher starts ${launched}` };
}

function launcherProblems(root: string | null): Problem[] {
  if (root === null) return [];
  const subject = joinPath(root, "bin", "trimtab");
  const isMissing = infoOf(subject)?.isFile !== true;
  if (!isMissing && (Deno.build.os === "windows" || isExecutable(subject))) return [];
  const problem = isMissing
    ? "The launcher is missing."
    : "Skills and the Bash tool cannot run the launcher: use `chmod +x` on it.";
  return [{ id: "plugin_file_broken", subject, problem }];
}

/** Takes the version of Claude Code from the newest session. */
export function checkClient(place: DoctorPlace): CheckResult {
  const { configDir } = place;
  const path = configDir === undefined ? null : newestTranscript(joinPath(configDir, "projects"));
  const version = path === null ? null : clientVersionIn(path);
  if (path === null || version === null) {
    return { problems: [], note: "no session records the version of Claude Code" };
  }
  const { least, why } = oldestClient(place);
  const problems: Problem[] = isOlder(version, least)
    ? [{
      id: "client_too_old",
      subject: path,
      problem: `Claude Code ${version} wrote the newest session; ` +
        `trimtab needs ${least} or newer${why}.`,
    }]
    : [];
  return { problems, note: `Claude Code ${version}, according to the newest session` };
}

function oldestClient(place: DoctorPlace): { least: string; why: string } {
  const { live, inside } = configOrDefaults(place);
  if (inside.trim_at_percent !== null || inside.trim_when_cold) {
    const key = inside.trim_at_percent === null ? "trim_when_cold" : "trim_at_percent";
    return { least: MIN_INSIDE_CLIENT_VERSION, why: ` for ${key}` };
  }
  if (live.enabled) return { least: MIN_LIVE_CLIENT_VERSION, why: " to shape outputs" };
  return { least: MIN_CLIENT_VERSION, why: "" };
}

function isOlder(version: string, least: string): boolean {
  const numbers = /^(\d+)\.(\d+)\.(\d+)/;
  const [one, other] = [numbers.exec(version), numbers.exec(least)];
  if (one === null || other === null) return false;
  for (const index of [1, 2, 3]) {
    const difference = Number(one[index]) - Number(other[index]);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Searches for Deno in the same places and the same order as the launcher `bin/trimtab`. */
function findDeno(env: EnvReader): string | null {
  const home = env("HOME") ?? "";
  const onPath = programFolders(env("PATH")).map((folder) => joinPath(folder, "deno"));
  const places = [
    env("TRIMTAB_DENO") ?? "",
    ...onPath,
    joinPath(env("DENO_INSTALL") ?? joinPath(home, ".deno"), "bin", "deno"),
    "/usr/local/bin/deno",
    "/opt/homebrew/bin/deno",
    joinPath(home, ".local", "bin", "deno"),
  ];
  return places.find((path) => path !== "" && isExecutable(path)) ?? null;
}

function findExecutables(
  { configDir, env }: DoctorPlace,
): { path: string; version: string }[] {
  const data = env("CLAUDE_PLUGIN_DATA");
  const folders = data === undefined ? [] : [data];
  if (configDir !== undefined) {
    folders.push(joinPath(configDir, "plugins", "data", "trimtab-trimtab"));
    folders.push(joinPath(configDir, "trimtab", "bin"));
  }
  return [...new Set(folders)].flatMap((folder) =>
    (entriesOf(folder) ?? []).flatMap(({ name }) => {
      const version = EXECUTABLE.exec(name)?.[1];
      return version === undefined ? [] : [{ path: joinPath(folder, name), version }];
    })
  );
}

function newestTranscript(projects: string): string | null {
  let newest: string | null = null;
  let newestMs = -Infinity;
  for (const folder of entriesOf(projects) ?? []) {
    for (const { name, isFile } of entriesOf(joinPath(projects, folder.name)) ?? []) {
      if (!isFile || !name.endsWith(".jsonl") || !isSessionId(name.slice(0, -6))) continue;
      const path = joinPath(projects, folder.name, name);
      const ms = infoOf(path)?.mtime?.getTime() ?? -Infinity;
      if (ms > newestMs) [newest, newestMs] = [path, ms];
    }
  }
  return newest;
}

function clientVersionIn(path: string): string | null {
  using file = openFileSync(path);
  const { size } = file.statSync();
  const downTo = Math.max(0, size - MAX_TAIL_BYTES);
  for (const { bytes } of readLinesBackward(file, size, { downTo }).take(MAX_TAIL_LINES)) {
    const version = parseObject(new TextDecoder().decode(bytes))?.version;
    if (typeof version === "string" && /^\d+\.\d+\.\d+/.test(version)) return version;
  }
  return null;
}
