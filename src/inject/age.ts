/** Formats a duration, such as `5m`; empty below a minute. */
export function durationText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return minutes < 1 ? "" : `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}

export function ageText(ms: number): string {
  const duration = durationText(ms);
  return duration === "" ? "just now" : `${duration} ago`;
}
