/** All findings of `trimtab doctor`; its output and the page on troubleshooting are made from this. */

import type { FindingId, FindingKind } from "./finding_kind.ts";
import { FILE_FINDINGS } from "./finding_kinds_files.ts";
import { SETUP_FINDINGS } from "./finding_kinds_setup.ts";

export type { FindingId, FindingKind, FindingLevel } from "./finding_kind.ts";

/**
 * Every kind of finding, by its id.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { FINDING_KINDS } from "./finding_kinds.ts";
 *
 * assertEquals(FINDING_KINDS.index_damaged.fixable, true);
 * ```
 */
export const FINDING_KINDS: Readonly<Record<FindingId, FindingKind>> = frozen({
  ...SETUP_FINDINGS,
  ...FILE_FINDINGS,
});

function frozen(kinds: Record<FindingId, FindingKind>): Readonly<Record<FindingId, FindingKind>> {
  for (const kind of Object.values(kinds)) Object.freeze(kind);
  return Object.freeze(kinds);
}
