/** Measures trimming tools at each moment, and adds up the figures by session. */

import { faultsOf } from "./integrity.ts";
import { countLostErrors, mentionedErrors } from "./past_errors.ts";
import { activeItemsOf, countLosses, momentsOf, type Point, pointAt } from "./regret_points.ts";
import { CHARS_PER_TOKEN, rereadsOf } from "./rereads.ts";
import { linesIn, spread } from "./sessions.ts";
import { type Trimmer, trimPast } from "./trimmers.ts";

const ZERO_SUMS = {
  points: 0,
  before: 0,
  after: 0,
  quotes: 0,
  quotesLost: 0,
  names: 0,
  namesLost: 0,
  errors: 0,
  errorsLost: 0,
  momentsWithLostQuote: 0,
  /** Files that must be read again. */
  rereads: 0,
  /** Files that were cut, but that the session read again even without a trim. */
  rereadsAnyway: 0,
  /** Copies with at least one fault. The next four fields count faults by kind. */
  faulty: 0,
  broken: 0,
  unpaired: 0,
  orphans: 0,
  rewritten: 0,
  /** Copies that the client was asked to resume. */
  tried: 0,
  /** Copies that the client was asked to resume, but did not. */
  notResumed: 0,
  /** Moments at which the tool reports how much it freed. */
  claims: 0,
  /** Claimed minus freed percentage, summed over the moments with a claim. */
  overclaimed: 0,
  /** Sum of log(time / the first tool's time at the same moment). */
  logTime: 0,
};
export type FieldSums = Readonly<typeof ZERO_SUMS>;

export interface FieldRow {
  readonly tool: string;
  readonly sessions: readonly FieldSums[];
  readonly failures: readonly string[];
  readonly notResumed: readonly string[];
}

export type Resume = (copy: readonly string[]) => Promise<string | undefined>;

interface Chosen {
  readonly file: string;
  readonly moments: ReadonlySet<number>;
}

/**
 * Chooses moments, evenly distributed over all sessions.
 *
 * @param options Maximum number of moments, and minimum characters of context at each.
 * @param log Called with a message when an unreadable session is skipped.
 * @returns The sessions with chosen moments.
 */
export function chooseMoments(
  files: readonly string[],
  { points, minChars }: { readonly points: number; readonly minChars: number },
  log: (message: string) => void = () => {},
): Chosen[] {
  const all = files.flatMap((file) => {
    try {
      return momentsOf(linesIn(file)).flatMap(({ chars }, moment) =>
        chars >= minChars ? [{ file, moment }] : []
      );
    } catch (error) {
      log(`skipped ${file}: ${error}`);
      return [];
    }
  });
  const chosen = Map.groupBy(spread(all, points), ({ file }) => file);
  return [...chosen].map(([file, own]) => {
    return { file, moments: new Set(own.map(({ moment }) => moment)) };
  });
}

/**
 * Measures tools. All times are relative to that of the first tool.
 *
 * @param options Callbacks before each session and for each copy.
 */
export async function measureField(
  tools: readonly Trimmer[],
  chosen: readonly Chosen[],
  { onSession, resume }: { onSession?: (index: number) => void; resume?: Resume | undefined } = {},
): Promise<FieldRow[]> {
  const rows = tools.map(({ name: tool }) => {
    return {
      tool,
      sessions: [] as FieldSums[],
      failures: [] as string[],
      notResumed: [] as string[],
    };
  });
  for (const [index, { file, moments }] of chosen.entries()) {
    onSession?.(index);
    const sums: FieldSums[][] = tools.map(() => []);
    const lines = linesIn(file);
    for (const [moment, { past, future }] of momentsOf(lines).entries()) {
      if (!moments.has(moment)) continue;
      const point = pointAt(file, past, future);
      for (const [tool, result] of measurePoint(tools, point, lines).entries()) {
        if (typeof result === "string") {
          rows[tool]?.failures.push(result);
          continue;
        }
        const fault = await resume?.(result.copy);
        if (fault !== undefined) rows[tool]?.notResumed.push(fault);
        const tried = resume === undefined ? 0 : 1;
        sums[tool]?.push({ ...result.sums, tried, notResumed: fault === undefined ? 0 : 1 });
      }
    }
    for (const [tool, toolSums] of sums.entries()) {
      if (toolSums.length > 0) rows[tool]?.sessions.push(addUp(toolSums));
    }
  }
  return rows;
}

/** Measures all tools at one moment. For a tool that failed, returns the reason as a string. */
function measurePoint(
  tools: readonly Trimmer[],
  point: Point,
  lines: readonly string[],
): ({ readonly sums: FieldSums; readonly copy: readonly string[] } | string)[] {
  const past = lines.slice(0, point.lineCount);
  const errors = mentionedErrors(point);
  let copyMs: number | undefined;
  return tools.map((tool) => {
    try {
      const { lines: copy, ms, claimed } = trimPast(tool, past);
      copyMs ??= ms;
      const kept = activeItemsOf(copy);
      const { before, after, quotes, names } = countLosses(point, kept);
      const { needed, anyway } = rereadsOf(point, kept);
      const faults = faultsOf(past, copy);
      const sums = {
        ...ZERO_SUMS,
        points: 1,
        before,
        after,
        quotes: quotes[1],
        quotesLost: quotes[0],
        names: names[1],
        namesLost: names[0],
        errors: errors.length,
        errorsLost: countLostErrors(errors, kept),
        momentsWithLostQuote: quotes[0] > 0 ? 1 : 0,
        rereads: needed.size,
        rereadsAnyway: anyway.size,
        faulty: Object.values(faults).some((count) => count > 0) ? 1 : 0,
        ...faults,
        claims: claimed === undefined ? 0 : 1,
        overclaimed: claimed === undefined ? 0 : claimed - 100 * (before - after) / before,
        logTime: Math.log(ms / copyMs),
      };
      return { sums, copy };
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  });
}

export function addUp(all: readonly FieldSums[]): FieldSums {
  const sum = { ...ZERO_SUMS };
  const keys = Object.keys(ZERO_SUMS) as (keyof FieldSums)[];
  for (const sums of all) for (const key of keys) sum[key] += sums[key];
  return sum;
}

export function freedTokens({ before, after }: FieldSums): number {
  return (before - after) / CHARS_PER_TOKEN;
}
