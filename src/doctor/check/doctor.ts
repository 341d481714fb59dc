/** Finds problems of trimtab and its surroundings, and makes safe repairs. */

import { reasonOf } from "../../store/atomic.ts";
import { quoteForShell } from "../../core/shell.ts";
import { VERSION } from "../../version.ts";
import { checkAccess } from "./access.ts";
import type { Check, CheckResult, DoctorPlace, Problem } from "./check.ts";
import { checkConfig } from "./config.ts";
import { checkDebris, type DiskReport, measureDisk } from "./debris.ts";
import { checkClient, checkDeno } from "./program.ts";
import { checkSaves } from "./saves.ts";
import { checkSessions } from "./sessions.ts";
import { checkSettings } from "./settings.ts";
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
  "claude code": checkClient,
  "settings": checkSettings,
  "configuration": checkConfig,
  "permissions": checkAccess,
  "saves": checkSaves,
  "sessions": checkSessions,
  "debris": checkDebris,
};

const LEVELS: readonly FindingLevel[] = ["error", "warning", "info"];

/**
 * Runs every check, and with `fix` makes safe repairs: of permissions and ignore files. Without `fix`
 * nothing changes.
 *
 * Permissions: `--allow-read`, `--allow-write` for `<projectDir>/.claude` and for `trimtab/checkpoints` in
 * `<configDir>`, `--allow-sys=uid`.
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
  let own: OwnFiles | undefined;
  const place: DoctorPlace = {
    projectDir: options.projectDir,
    configDir: options.configDir,
    root: options.root,
    nowMs: options.nowMs ?? Date.now(),
    denoVersion: options.denoVersion ?? Deno.version.deno,
    uid: options.uid === undefined ? ownUid() : options.uid,
    isAll: options.all ?? false,
    ownFiles: () => own ??= findOwnFiles(options.projectDir),
  };
  const found = Object.entries(CHECKS).map(([name, check]): Checked => {
    const { problems, note } = runCheck(check, place);
    return { name, outcomes: problems, note };
  });
  const results = options.fix === true ? found.map(repairFindings) : found;
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

function repairFindings({ outcomes, ...checked }: Checked): Checked {
  return { ...checked, outcomes: outcomes.map(repairFinding) };
}

function repairFinding(problem: Problem): Outcome {
  if (problem.repair === undefined) return problem;
  const failure = failureOf(problem.repair);
  if (failure === null) return { ...problem, fixed: true };
  return {
    ...problem,
    problem: `${problem.problem} It could not be repaired: ${failure}.`,
    fixed: false,
  };
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
