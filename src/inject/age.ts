const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
];

/** Formats an age, such as `5m ago`. */
export function ageText(ageMs: number): string {
  const [name, ms] = UNITS.find(([, unit]) => ageMs >= unit) ?? ["", 0];
  return ms === 0 ? "just now" : `${Math.floor(ageMs / ms)}${name} ago`;
}
