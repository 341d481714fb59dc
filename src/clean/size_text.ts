/** Sizes in words. */

/** Writes a size in the unit that suits it. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
