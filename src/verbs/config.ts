/** Messages about configuration values that have no effect. */

import type { WaitingValue } from "../config/merge.ts";
import type { RetiredKey } from "../config/problem.ts";

/** Lists values that are not in effect yet, and says how to put them into effect. */
export function waitingLines(waiting: readonly WaitingValue[]): string[] {
  return valueLines(waiting, "waits for `trimtab trust`:");
}

export function valueLines(values: readonly WaitingValue[], words: string): string[] {
  return values.map(({ file, key, value }) =>
    `${words} ${key} = ${JSON.stringify(value)}  # ${file}`
  );
}

/** Names a key of an earlier version that has no effect now, and says what to do instead. */
export function retiredText({ file, key, instead }: RetiredKey): string {
  return `no effect any more: ${key}; ${instead}  # ${file}`;
}
