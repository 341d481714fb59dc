/** Checks the launcher, and the versions of Deno and of Claude Code. */

import { parseObject } from "../../core/record.ts";
import { newestSession } from "../../transcript/find.ts";
import { readBeginning } from "../../transcript/origin.ts";
import { readLinesBackward } from "../../transcript/lines.ts";
import { joinPath } from "../../store/paths.ts";
import type { CheckResult, DoctorPlace, Problem } from "./check.ts";
import { configOrDefaults } from "./config.ts";
import { openFileSync } from "../../store/read_file.ts";
import { isExecutable } from "../../store/programs.ts";
import { MIN_INSIDE_CLIENT_VERSION } from "../../version.ts";

/** The oldest Claude Code that sends every event of hooks.json: 2.1.117 has no PostToolBatch. */
export const MIN_CLIENT_VERSION = "2.1.118";

/** The oldest Claude Code whose hooks can replace the output of any tool, which shaping needs. */
export const MIN_LIVE_CLIENT_VERSION = "2.1.121";

const MAX_TAIL_LINES = 200;

const MAX_TAIL_BYTES = 1024 * 1024;

/** The launcher itself refuses a Deno that is too old. */
export function checkDeno({ root }: DoctorPlace): CheckResult {
  const note = `Deno ${Deno.version.deno}`;
  const subject = joinPath(root ?? "", "bin", "trimtab");
  if (root === null || isExecutable(subject)) return { problems: [], note };
  const problem = "The launcher is missing, or not executable: run `chmod +x` on it.";
  return { problems: [{ id: "plugin_file_broken", subject, problem }], note };
}

export function checkClient(place: DoctorPlace): CheckResult {
  const { configDir } = place;
  const path = configDir && newestSession(joinPath(configDir, "projects"))?.path;
  const version = path && clientVersionIn(path);
  if (!path || !version) {
    return { problems: [], note: "no session records the version of Claude Code" };
  }
  if (readBeginning(path).parentSession !== undefined) {
    return {
      problems: [],
      note: "the newest session is a copy, which may record an older version",
    };
  }
  const problems: Problem[] = [];
  const minimum = oldestClient(place);
  if (isOlder(version, minimum)) {
    problems.push({
      id: "client_too_old",
      subject: path,
      problem: `Claude Code ${version} wrote the newest session; ` +
        `with this configuration, trimtab needs ${minimum} or newer.`,
    });
  }
  return { problems, note: `Claude Code ${version}, according to the newest session` };
}

function oldestClient(place: DoctorPlace): string {
  const { live, inside } = configOrDefaults(place);
  if (inside.trim_at_percent !== null || inside.trim_when_cold) return MIN_INSIDE_CLIENT_VERSION;
  return live.enabled ? MIN_LIVE_CLIENT_VERSION : MIN_CLIENT_VERSION;
}

function isOlder(version: string, minimum: string): boolean {
  const [numbers = minimum] = /^\d+\.\d+\.\d+/.exec(version) ?? [];
  return numbers.localeCompare(minimum, "en", { numeric: true }) < 0;
}

function clientVersionIn(path: string): string | null {
  using file = openFileSync(path);
  const { size } = file.statSync();
  for (const { bytes } of readLinesBackward(file, size, MAX_TAIL_BYTES).take(MAX_TAIL_LINES)) {
    const version = parseObject(new TextDecoder().decode(bytes))?.version;
    if (typeof version === "string" && /^\d+\.\d+\.\d+/.test(version)) return version;
  }
  return null;
}
