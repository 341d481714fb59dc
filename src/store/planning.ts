/** Reads a project's progress from its planning folder, which contains phases with plans. */

import { joinPath } from "./paths.ts";
import { readHead } from "./read_file.ts";

/** The phase of a plan. */
export interface SnapshotPhase {
  /** Number of the phase. */
  readonly phase_number: number;
  /** Name of the phase. */
  readonly phase_name: string;
}

/** The plan in progress. */
export interface SnapshotTask {
  /** The plan's file name without `-PLAN.md`: the numbers of the phase and the plan, such as `16-03`. */
  readonly plan_id: string;
  /** `complete`, `incomplete` or `unknown`. */
  readonly status: string;
}

export const PLANNING_DIR = ".planning";

const MAX_PAGE_BYTES = 256 * 1024;

const MAX_NAMES = 1_000;

const MAX_PHASES = 200;

/** The current phase and plan of a project. */
export interface PlanningState {
  /** The phase; null if unknown. */
  readonly phase: SnapshotPhase | null;
  /** The plan in progress; null if there is none. */
  readonly task: SnapshotTask | null;
}

interface PhaseFolder {
  readonly number: number;
  readonly slug: string;
  readonly path: string;
}

interface Plan {
  readonly id: string;
  readonly folder: PhaseFolder;
  readonly isComplete: boolean;
}

/**
 * Reads the current phase and plan of a project from STATE.md, ROADMAP.md and
 * `phases/NN-name/NN-MM-PLAN.md` in the folder.
 *
 * A plan is complete when it has a summary. The plan in progress is `planId` if given; otherwise the
 * first incomplete plan of the phase stated in STATE.md, of a later phase, or of any phase. An
 * unreadable file counts as missing.
 */
export function readPlanning(planningDir: string, planId?: string): PlanningState {
  const stated = statedPhase(readPage(joinPath(planningDir, "STATE.md")));
  const folders = phaseFolders(joinPath(planningDir, "phases"));
  const plans = folders.flatMap(plansOf);
  const plan = planId === undefined
    ? activePlan(plans, stated)
    : plans.find(({ id }) => id === planId);
  const last = stated === null ? folders.at(-1) : undefined;
  const number = plan?.folder.number ?? stated?.phase_number ?? last?.number;
  const slug = (plan?.folder ?? folders.find((folder) => folder.number === number))?.slug ?? "";
  // The given plan is returned even if it has no file.
  const id = plan?.id ?? planId;
  const status = plan === undefined ? "unknown" : plan.isComplete ? "complete" : "incomplete";
  return {
    phase: number === undefined ? null : {
      phase_number: number,
      phase_name: phaseName(planningDir, number, stated) || titleOf(slug),
    },
    task: id === undefined ? null : { plan_id: id, status },
  };
}

function activePlan(plans: readonly Plan[], stated: SnapshotPhase | null): Plan | undefined {
  const open = plans.filter(({ isComplete }) => !isComplete);
  if (stated === null) return open[0];
  return open.find(({ folder }) => folder.number === stated.phase_number) ??
    open.find(({ folder }) => folder.number > stated.phase_number) ?? open[0];
}

function phaseFolders(path: string): PhaseFolder[] {
  const folders = namesIn(path).flatMap((name): PhaseFolder[] => {
    const [, number, slug = ""] = /^(\d{1,9}(?:\.\d{1,9})?)-?(.*)$/.exec(name) ?? [];
    return number === undefined
      ? []
      : [{ number: Number(number), slug, path: joinPath(path, name) }];
  });
  return folders.sort((a, b) => a.number - b.number).slice(0, MAX_PHASES);
}

function plansOf(folder: PhaseFolder): Plan[] {
  const names = namesIn(folder.path);
  return names.filter((name) => /(?:^|-)PLAN\.md$/.test(name)).sort().map((name) => ({
    id: name.replace(/-?PLAN\.md$/, "") || `${folder.number}`,
    folder,
    isComplete: names.includes(name.replace(/PLAN\.md$/, "SUMMARY.md")),
  }));
}

function statedPhase(page: string): SnapshotPhase | null {
  const [, number, name = ""] =
    /^[ \t>*-]*(?:Current )?Phase:?\**:?[ \t]*(\d{1,9}(?:\.\d{1,9})?)(?:[ \t]+of[ \t]+\d+)?(?:[ \t]*[(:–—-][ \t]*([^)\n]*))?/im
      .exec(page) ?? [];
  return number === undefined ? null : {
    phase_number: Number(number),
    phase_name: plainName(name),
  };
}

function phaseName(planningDir: string, number: number, stated: SnapshotPhase | null): string {
  for (const line of readPage(joinPath(planningDir, "ROADMAP.md")).split("\n")) {
    const [, found, name = ""] =
      /\bPhase[ \t]+(\d{1,9}(?:\.\d{1,9})?)[ \t]*[:–—-][ \t]*(\S.*)$/i.exec(line) ?? [];
    if (found !== undefined && Number(found) === number) return plainName(name);
  }
  return stated?.phase_number === number ? stated.phase_name : "";
}

function plainName(name: string): string {
  return (name.split(/\*\*|[ \t][–—-][ \t]/)[0] ?? "").trim();
}

function titleOf(slug: string): string {
  const words = slug.replaceAll(/[-_]+/g, " ").trim();
  return words.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function namesIn(path: string): string[] {
  try {
    return Deno.readDirSync(path).take(MAX_NAMES).map(({ name }) => name).toArray();
  } catch {
    return [];
  }
}

function readPage(path: string): string {
  try {
    return readHead(path, MAX_PAGE_BYTES);
  } catch {
    return "";
  }
}
