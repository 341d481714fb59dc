/** Formats byte counts as text, such as `1.5 KB`. */

export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** Rounds each size as {@linkcode sizeText} does before adding, so that a list adds up to its total. */
export function totalText(sizes: readonly number[]): string {
  return sizeText(sizes.reduce((sum, bytes) => sum + roundedBytes(bytes), 0));
}

function roundedBytes(bytes: number): number {
  const step = bytes < 1_000 ? 1 : bytes < 1_000_000 ? 100 : 100_000;
  return Math.round(bytes / step) * step;
}
