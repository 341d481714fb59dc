/** Bounds what one hook says to the model, and writes amounts. */

/** The most characters of context that a hook puts out. */
export const MAX_CONTEXT_CHARS = 9_500;

export function boundText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const last = text.charCodeAt(maxChars - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, Math.max(0, isHalf ? maxChars - 1 : maxChars));
}

/** A number of tokens as it is said in passing: `156K`, `1.2M`, and whole under 1,000. */
export function thousands(count: number): string {
  if (count < 1000) return String(count);
  const inThousands = Math.round(count / 1000);
  return inThousands < 1000 ? `${inThousands}K` : `${Math.round(count / 100_000) / 10}M`;
}

/** Writes a count with its thousands set apart by commas: the same bytes in every locale. */
export function grouped(count: number): string {
  return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}

/** The sum of sizes in KB, each rounded up as it is when shown alone. */
export function sizeInKb(...sizes: readonly number[]): string {
  return `${sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / 1024), 0)}KB`;
}
