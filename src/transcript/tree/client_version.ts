/** Which client a session belongs to, by its newest lines: how contexts are built has changed. */

/** The first version seen to look at all of a file and of parallel calls; 2.1.260 did neither. */
const FIRST_THOROUGH = [2, 1, 261] as const;

/**
 * Tells whether a client looks at the whole of a large file, and puts back what hooks wrote about the
 * results beside the chain.
 *
 * Source: transcripts written by hand, resumed with Claude Code 2.1.197, 2.1.260, 2.1.261 and 2.1.330.
 * Only from 2.1.281 at the latest it finds a result that is a child of what a hook wrote, too: for those
 * between, such a result counts although it is not sent.
 */
export function isThorough(version: string | undefined): boolean {
  const match = /^(\d+)\.(\d+)\.(\d+)/.exec(version ?? "");
  if (match === null) return false;
  const [major, minor, patch] = FIRST_THOROUGH;
  const [, a, b, c] = match.map(Number);
  if (a !== major) return (a ?? 0) > major;
  return b === minor ? (c ?? 0) >= patch : (b ?? 0) > minor;
}
