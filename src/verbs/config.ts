/** Renders configuration values that are not in effect. */

import type { WaitingValue } from "../config/merge.ts";
import type { RetiredKey } from "../config/problem.ts";

export function waitingLines(waiting: readonly WaitingValue[]): string[] {
  return valueLines(waiting, "waits for `trimtab trust`:");
}

export function valueLines(values: readonly WaitingValue[], prefix: string): string[] {
  return values.map(({ file, key, value }) =>
    `${prefix} ${key} = ${JSON.stringify(value)}  # ${file}`
  );
}

/** Names a key of an earlier version, which has no effect, and says what to do instead. */
export function retiredText({ file, key, instead }: RetiredKey): string {
  return `no longer has an effect: ${key}; ${instead}  # ${file}`;
}
