import { DAY_MS } from "../core/time.ts";

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ["d", DAY_MS],
  ["h", 3_600_000],
  ["m", 60_000],
];

/** Formats a duration, such as `5m`; empty below a minute. */
export function durationText(ms: number): string {
  const [name, unit] = UNITS.find(([, unit]) => ms >= unit) ?? ["", 0];
  return unit === 0 ? "" : `${Math.floor(ms / unit)}${name}`;
}

/** Formats an age, such as `5m ago`. */
export function ageText(ms: number): string {
  const duration = durationText(ms);
  return duration === "" ? "just now" : `${duration} ago`;
}
