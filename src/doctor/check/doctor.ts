/** Finds problems of trimtab and its surroundings, and makes safe repairs. */

import { reasonOf } from "../../store/atomic.ts";
import { quoteForShell } from "../../core/shell.ts";
import { type EnvReader, readEnv } from "../../store/paths.ts";
import { VERSION } from "../../version.ts";
import { checkAccess, checkDenoCache } from "./access.ts";
import type { Check, CheckResult, DoctorPlace, Probe, Problem } from "./check.ts";
import { checkCheckpoints } from "./checkpoints.ts";
import { checkConfig } from "./config.ts";
import { checkDebris, type DiskReport, measureDisk } from "./debris.ts";
import { checkPlugin } from "./plugin.ts";
import { SYSTEM_PROBE } from "./probe.ts";
import { checkClient, checkDeno } from "./program.ts";
import { checkSessions } from "./sessions.ts";
import { checkSettings } from "./settings.ts";
import { checkState } from "./state.ts";
import { FINDING_KINDS, type FindingId, type FindingLevel } from "./finding_kinds.ts";
import { findOwnFiles, type OwnFiles } from "../clean/own_files.ts";

export interface DoctorOptions {
  readonly projectDir: string;
  /** Claude Code's configuration folder; undefined if it is not found. */
  readonly configDir: string | undefined;
  /** trimtab's own folder; null skips the checks of its files and its launcher. */
  readonly root: string | null;
  readonly fix?: boolean;
  /** Whether to check every session of the project, not only the newest. @default {false} */
  readonly all?: boolean;
  /** The time, in milliseconds since 1970. @default {Date.now()} */
  readonly nowMs?: number;
  readonly denoVersion?: string;
  /** The user's id; null if unknown. @default {Deno.uid()} */
  readonly uid?: number | null;
  readonly env?: EnvReader;
  readonly probe?: Probe;
}

export interface DoctorFinding {
  readonly id: FindingId;
  readonly level: FindingLevel;
  /** The affected file or folder, usually as a path. */
  readonly subject: string;
  readonly problem: string;
  readonly fix: string;
  /** Whether `--fix` applies the remedy. */
  readonly fixable: boolean;
  /** Whether it was repaired; absent without `fix`, and for a finding that is not repairable. */
  readonly fixed?: boolean;
}

export interface CheckSummary {
  readonly name: string;
  readonly findings: number;
  /** Severity of the worst unrepaired finding; null if there is none. */
  readonly level: FindingLevel | null;
  /** A summary of the checked items, such as their number. */
  readonly note: string;
}

export interface DoctorReport {
  readonly project: string;
  readonly version: string;
  /** The worst first. */
  readonly findings: readonly DoctorFinding[];
  readonly checks: readonly CheckSummary[];
  readonly fixed: number;
  readonly disk: DiskReport;
}

type Surroundings = Omit<DoctorPlace, "ownFiles">;

interface Outcome extends Problem {
  readonly fixed?: boolean;
}

interface Checked {
  readonly name: string;
  readonly outcomes: readonly Outcome[];
  readonly note: string;
}

const CHECKS: Readonly<Record<string, Check>> = {
  "deno": checkDeno,
  "deno cache": checkDenoCache,
  "claude code": checkClient,
  "trimtab": checkPlugin,
  "settings": checkSettings,
  "configuration": checkConfig,
  "permissions": checkAccess,
  "state": checkState,
  "checkpoints": checkCheckpoints,
  "sessions": checkSessions,
  "debris": checkDebris,
};

const LEVELS: readonly FindingLevel[] = ["error", "warning", "info"];

/**
 * Runs every check, and with `fix` makes safe repairs: of permissions, ignore files, the index of
 * checkpoints and the lineage. Without `fix` nothing changes, except that a file is created and
 * removed again in a folder to test whether it is writable.
 *
 * Permissions: `--allow-read`, `--allow-write` for `<projectDir>/.claude` and for `projects`, `tasks`,
 * `file-history` and `trimtab` in `<configDir>`, `--allow-sys=uid`, `--allow-env` for
 * `CLAUDE_PLUGIN_DATA,DENO_DIR,DENO_EMIT_CACHE_MODE,DENO_INSTALL,HOME,PATH,TRIMTAB_DENO,XDG_CACHE_HOME`.
 *
 * @param options The places to check, and whether to repair.
 * @returns The findings. An error in a check becomes a finding.
 * @throws {Deno.errors.NotCapable} When a permission is missing.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { runDoctor } from "./doctor.ts";
 *
 * const projectDir = Deno.makeTempDirSync();
 * const report = runDoctor({ projectDir, configDir: `${projectDir}/none`, root: null });
 * assertEquals([report.findings, report.disk.files], [[], 0]);
 * Deno.removeSync(projectDir);
 * ```
 */
export function runDoctor(options: DoctorOptions): DoctorReport {
  const place: Surroundings = {
    projectDir: options.projectDir,
    configDir: options.configDir,
    root: options.root,
    nowMs: options.nowMs ?? Date.now(),
    denoVersion: options.denoVersion ?? Deno.version.deno,
    uid: options.uid === undefined ? ownUid() : options.uid,
    isAll: options.all ?? false,
    env: options.env ?? readEnv,
    probe: options.probe ?? SYSTEM_PROBE,
  };
  const found = runChecks(place);
  const results = options.fix === true ? repairFindings(found, place) : found;
  const findings = results.flatMap(({ outcomes }) => outcomes.map(findingOf));
  return {
    project: place.projectDir,
    version: VERSION,
    findings: LEVELS.flatMap((level) => findings.filter((one) => one.level === level)),
    checks: results.map(({ name, outcomes, note }) => {
      const open = outcomes.filter(({ fixed }) => fixed !== true);
      const level = LEVELS.find((one) => open.some(({ id }) => FINDING_KINDS[id].level === one));
      return { name, findings: outcomes.length, level: level ?? null, note };
    }),
    fixed: findings.filter(({ fixed }) => fixed === true).length,
    disk: measureDisk(place),
  };
}

export function needsCare({ findings }: Pick<DoctorReport, "findings">): boolean {
  return findings.some(({ level, fixed }) => level !== "info" && fixed !== true);
}

/** Omits failed checks whose error was reported before, or is about a path that is reported as taken. */
function runChecks(surroundings: Surroundings): Checked[] {
  let own: OwnFiles | undefined;
  const ownFiles = (): OwnFiles => own ??= findOwnFiles(surroundings.projectDir);
  const place: DoctorPlace = { ...surroundings, ownFiles };
  const results = Object.entries(CHECKS).map(([name, check]) => ({
    name,
    ...runCheck(check, place),
  }));
  const taken = results.flatMap(({ problems }) => problems).filter(({ id }) => id === "name_taken");
  const reportedFailures = new Set<string>();
  const isNewProblem = ({ id, problem }: Problem): boolean => {
    if (id !== "check_failed") return true;
    const isReported = reportedFailures.has(problem) ||
      taken.some(({ subject }) => problem.includes(subject));
    reportedFailures.add(problem);
    return !isReported;
  };
  return results.map(({ name, problems, note }) => ({
    name,
    outcomes: problems.filter(isNewProblem),
    note,
  }));
}

/** Turns an error into a finding, so that the other checks still run. */
function runCheck(check: Check, place: DoctorPlace): CheckResult {
  try {
    return check(place);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    const problem = reasonOf(error);
    return {
      problems: [{ id: "check_failed", subject: place.projectDir, problem }],
      note: "could not run",
    };
  }
}

/** Makes repairs, then checks again; a finding counts as fixed if it no longer appears. */
function repairFindings(results: readonly Checked[], place: Surroundings): readonly Checked[] {
  const failures = new Map<() => void, string | null>();
  for (const { id, repair } of results.flatMap(({ outcomes }) => outcomes)) {
    if (repair === undefined || !FINDING_KINDS[id].fixable || failures.has(repair)) continue;
    failures.set(repair, failureOf(repair));
  }
  if (failures.size === 0) return results;
  const left = runChecks(place).flatMap(({ outcomes }) => outcomes);
  const outcomeOf = (problem: Problem): Outcome => {
    const { id, subject, repair } = problem;
    if (repair === undefined || !failures.has(repair)) return problem;
    const failure = failures.get(repair) ?? null;
    const isLeft = left.some((one) => one.id === id && one.subject === subject);
    const why = failure === null ? "" : ` It could not be repaired: ${failure}.`;
    return { ...problem, problem: problem.problem + why, fixed: !isLeft };
  };
  return results.map((result) => ({ ...result, outcomes: result.outcomes.map(outcomeOf) }));
}

function failureOf(repair: () => void): string | null {
  try {
    repair();
    return null;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return reasonOf(error);
  }
}

function findingOf({ id, subject, problem, repair, fixed }: Outcome): DoctorFinding {
  const { level, fix, fixable } = FINDING_KINDS[id];
  const finding = { id, level, subject, problem, fix: fixFor(fix, subject) };
  const can = { fixable: fixable && repair !== undefined };
  return fixed === undefined ? { ...finding, ...can } : { ...finding, ...can, fixed };
}

function fixFor(fix: string, subject: string): string {
  return fix.replaceAll(/\b(?:FILE|FOLDER|SESSION)\b/g, () => quoteForShell(subject));
}

function ownUid(): number | null {
  try {
    return Deno.uid();
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return null;
    throw error;
  }
}
