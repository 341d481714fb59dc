/** Finds the known name that a misspelled name probably means. */

/** Largest edit distance of a match, as a fraction of the longer name's length. */
const MAX_DIFFERENCE = 0.4;
/** Limits the run time, which grows with the product of both lengths. */
const MAX_NAME_CHARS = 100;

export function nearestName(name: string, candidates: readonly string[]): string | null {
  if (name.length > MAX_NAME_CHARS) return null;
  const wanted = normalizeName(name);
  let best: string | null = null;
  let bestDistance = Infinity;
  for (const candidate of candidates) {
    const other = normalizeName(candidate);
    const distance = isLongPrefix(wanted, other) ? 1 : editDistance(wanted, other);
    const allowed = Math.max(wanted.length, other.length) * MAX_DIFFERENCE;
    if (distance > allowed || distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

function normalizeName(name: string): string {
  return name.replace(/[-_ ]/g, "").toLowerCase();
}

function isLongPrefix(name: string, whole: string): boolean {
  return whole.startsWith(name) && name.length * 2 >= whole.length && name !== whole;
}

function editDistance(from: string, to: string): number {
  let row = [...to.split("").keys(), to.length];
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const deleted = (row[j] ?? 0) + 1;
      const inserted = (next[j - 1] ?? 0) + 1;
      next.push(Math.min(replaced, deleted, inserted));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
