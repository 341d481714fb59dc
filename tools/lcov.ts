/**
 * Reads coverage in lcov format and adds it up.
 *
 * `deno coverage` checks the same floor, but includes tests and tools and omits files that no test loaded.
 * This module counts exactly the files of the project, and reports unloaded files by name.
 *
 * @module
 */

export interface FileCoverage {
  readonly path: string;
  readonly linesFound: number;
  readonly linesHit: number;
  readonly branchesFound: number;
  readonly branchesHit: number;
}

/** In percent. */
export interface CoverageFloor {
  readonly lines: number;
  readonly branches: number;
}

export interface CoverageSummary {
  /** From 0 to 100; 100 if there are no lines to count. */
  readonly lines: number;
  readonly branches: number;
  /** One sentence for each problem; empty if the floor is reached. */
  readonly problems: readonly string[];
}

const COUNTS = {
  LF: "linesFound",
  LH: "linesHit",
  BRF: "branchesFound",
  BRH: "branchesHit",
} as const;

/** Matches an unindented line that belongs to types or to imports that bind a name. */
const TYPE_LINE = /^(?:import\s*[^\s"'(.]|(?:export\s+)?(?:type|interface|declare)\b|[}\])&|])/;

/**
 * Reads the floor from the key in `deno.json` that `deno coverage` uses.
 *
 * @throws {TypeError} When the floor is missing or is not a percentage.
 */
export function parseFloor(config: string): CoverageFloor {
  const { lines, branches } = Object(Object(JSON.parse(config)).coverage?.thresholds);
  for (const [name, value] of Object.entries({ lines, branches })) {
    if (typeof value === "number" && value > 0 && value <= 100) continue;
    throw new TypeError(
      `Cannot check coverage: coverage.thresholds.${name} must be a percentage, got ${value}`,
    );
  }
  return { lines, branches };
}

export function parseLcov(text: string): FileCoverage[] {
  const files: FileCoverage[] = [];
  let path = "";
  let counts = { linesFound: 0, linesHit: 0, branchesFound: 0, branchesHit: 0 };
  for (const line of text.split(/\r?\n/)) {
    const colon = line.indexOf(":");
    const key = colon < 0 ? line : line.slice(0, colon);
    if (key === "SF") {
      path = line.slice(colon + 1);
      counts = { linesFound: 0, linesHit: 0, branchesFound: 0, branchesHit: 0 };
    } else if (isCount(key)) {
      counts[COUNTS[key]] = Number(line.slice(colon + 1));
    } else if (key === "end_of_record") {
      files.push({ path, ...counts });
    }
  }
  return files;
}

/**
 * Adds up the files' coverage and compares it with the floor.
 *
 * @param files The files that were loaded.
 * @param expected Paths of all files that count; other loaded files are ignored.
 * @returns The coverage in percent, and the problems.
 */
export function summariseCoverage(
  files: readonly FileCoverage[],
  expected: readonly string[],
  floor: CoverageFloor,
): CoverageSummary {
  const loaded = new Map(files.map((file) => [file.path, file]));
  const problems: string[] = [];
  const sum = { linesFound: 0, linesHit: 0, branchesFound: 0, branchesHit: 0 };
  for (const path of expected) {
    const file = loaded.get(path);
    if (file === undefined) {
      problems.push(`no test loads ${path}`);
      continue;
    }
    for (const key of Object.values(COUNTS)) sum[key] += file[key];
  }
  const lines = percent(sum.linesHit, sum.linesFound);
  const branches = percent(sum.branchesHit, sum.branchesFound);
  if (expected.length === 0) problems.push("there is no file to cover");
  if (lines < floor.lines) problems.push(`lines ${lines.toFixed(2)} % < ${floor.lines} %`);
  if (branches < floor.branches) {
    problems.push(`branches ${branches.toFixed(2)} % < ${floor.branches} %`);
  }
  return { lines, branches, problems };
}

export function leastCovered(files: readonly FileCoverage[], limit: number): string[] {
  const missed = (file: FileCoverage) =>
    file.linesFound - file.linesHit + file.branchesFound - file.branchesHit;
  return files.filter((file) => missed(file) > 0).sort((a, b) => missed(b) - missed(a))
    .slice(0, limit).map((file) =>
      `${file.linesFound - file.linesHit} lines, ` +
      `${file.branchesFound - file.branchesHit} branches missed: ${file.path}`
    );
}

/**
 * Returns whether a module has code in addition to types. A module without code has no coverage.
 *
 * @param text Must be formatted: only the first and last line of a statement are unindented.
 */
export function hasCode(text: string): boolean {
  const code = text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\/\/.*$/gm, "");
  return code.split(/\r?\n/).some((line) =>
    /^ ?\S/.test(line) && !TYPE_LINE.test(line.trimStart())
  );
}

function percent(hit: number, found: number): number {
  return found === 0 ? 100 : (hit / found) * 100;
}

function isCount(key: string): key is keyof typeof COUNTS {
  return Object.hasOwn(COUNTS, key);
}
