/**
 * What is said once where nothing that is saved can be marked as the user's own: no session will be
 * given it by itself, and silence would be found out when it is too late.
 */

import { cleanLine } from "../inject/clean.ts";
import { claimNotice } from "../inject/once.ts";
import { isOurFile } from "../store/ours.ts";
import { fileName } from "../store/paths.ts";
import type { StateOwner } from "../store/state.ts";

/** The words on a file that was just saved; null where it is marked, or where they were said. */
export function unmarkedWords(
  owner: StateOwner,
  saved: { readonly path: string },
  configDir: string | undefined,
): string | null {
  if (isOurFile({ projectDir: owner.projectDir, configDir }, saved.path)) return null;
  if (!claimNotice(owner, "unmarked")) return null;
  const reason = configDir === undefined
    ? "no configuration folder was found"
    : `nothing can be kept in ${cleanLine(`${configDir}/trimtab/ours`)}`;
  const id = fileName(saved.path).replace(/\.\w+$/, "");
  return `what is saved here cannot be marked as yours, so no session receives it automatically: ` +
    `${reason}. \`trimtab restore ${id}\` prints it.`;
}
