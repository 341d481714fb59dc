/** Longest context in a hook's output, in UTF-16 code units. */
export const MAX_CONTEXT_CHARS = 9_500;

export const RESUMING = "## Resuming from ";

export function boundText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, Math.max(0, isHighSurrogate ? maxChars - 1 : maxChars));
}

/** Formats a token count briefly, as the client does: `156k`, `1.2M`; exact below 1,000. */
export function thousands(count: number): string {
  if (count < 1000) return String(count);
  const inThousands = Math.round(count / 1000);
  return inThousands < 1000 ? `${inThousands}k` : `${Math.round(count / 100_000) / 10}M`;
}

/** Formats a count with commas, in the same way in every locale. */
export function grouped(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** Formats a count with its noun, such as `1 file`, `2,000 files` or `2 pictures or documents`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${count === 1 ? noun : noun.replace(/(?= or |$)/g, "s")}`;
}

export function andMore(shown: readonly string[], total: number): string {
  const more = total - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Rounds up each size before adding, so that the total matches sizes that are shown individually. */
export function sizeInKb(...sizes: readonly number[]): string {
  return `${sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / 1024), 0)}KB`;
}

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
