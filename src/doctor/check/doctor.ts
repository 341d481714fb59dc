/** Finds problems with trimtab and its environment, and makes safe repairs. */

import { reasonOf } from "../../store/atomic.ts";
import { quoteForShell } from "../../core/shell.ts";
import { VERSION } from "../../version.ts";
import { checkAccess } from "./access.ts";
import type { Check, CheckResult, DoctorPlace, Problem } from "./check.ts";
import { checkConfig } from "./config.ts";
import { checkClient, checkDeno } from "./program.ts";
import { checkDebris, checkSaves } from "./stored.ts";
import { checkSessions } from "./sessions.ts";
import { checkSettings } from "./settings.ts";
import { FINDING_KINDS, type FindingLevel } from "./finding_kinds.ts";
import { findOwnFiles, type OwnFiles } from "../clean/own_files.ts";

export interface DoctorOptions
  extends
    Pick<DoctorPlace, "configDir" | "projectDir" | "root">,
    Partial<Pick<DoctorPlace, "all" | "nowMs" | "uid">> {
  readonly fix?: boolean;
}

export interface DoctorFinding extends Omit<Problem, "repair"> {
  readonly level: FindingLevel;
  readonly fix: string;
  readonly fixable: boolean;
  /** Absent without `fix`, and for a problem that trimtab cannot repair. */
  readonly fixed?: boolean;
}

export interface CheckSummary {
  readonly name: string;
  readonly findings: number;
  readonly level: FindingLevel | null;
  readonly note: string;
}

export interface DoctorReport {
  readonly project: string;
  readonly version: string;
  /** Worst first. */
  readonly findings: readonly DoctorFinding[];
  readonly checks: readonly CheckSummary[];
  readonly fixed: number;
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

/** Runs every check. An error in a check becomes a finding, unless a permission is missing. */
export function runDoctor(options: DoctorOptions): DoctorReport {
  let ownFiles: OwnFiles | undefined;
  const place: DoctorPlace = {
    nowMs: Date.now(),
    uid: Deno.uid(),
    all: false,
    ...options,
    ownFiles: () => ownFiles ??= findOwnFiles(options.projectDir),
  };
  const findings: DoctorFinding[] = [];
  const checks: CheckSummary[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const { problems, note } = runCheck(check, place);
    const found = problems.map((problem) => findingOf(problem, options.fix === true));
    const open = found.filter(({ fixed }) => fixed !== true);
    const level = LEVELS.find((level) => open.some((finding) => finding.level === level)) ?? null;
    checks.push({ name, findings: found.length, level, note });
    findings.push(...found);
  }
  return {
    project: place.projectDir,
    version: VERSION,
    findings: LEVELS.flatMap((level) => findings.filter((finding) => finding.level === level)),
    checks,
    fixed: findings.filter(({ fixed }) => fixed === true).length,
  };
}

export function needsAttention({ findings }: Pick<DoctorReport, "findings">): boolean {
  return findings.some(({ level, fixed }) => level !== "info" && fixed !== true);
}

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

function findingOf({ repair, ...found }: Problem, isFixing: boolean): DoctorFinding {
  const { level, fix: template } = FINDING_KINDS[found.id];
  const fix = template.replaceAll(
    /\b(?:FILE|FOLDER|SESSION)\b/g,
    () => quoteForShell(found.subject),
  );
  const finding = {
    ...found,
    level,
    fix,
    fixable: repair !== undefined,
  };
  if (repair === undefined || !isFixing) return finding;
  try {
    repair();
    return { ...finding, fixed: true };
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    const problem = `${found.problem} It could not be repaired: ${reasonOf(error)}.`;
    return { ...finding, problem, fixed: false };
  }
}
