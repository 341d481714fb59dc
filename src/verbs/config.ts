/** Words for values of the configuration that have no effect. */

import type { WaitingValue } from "../config/merge.ts";
import type { RetiredKey } from "../config/problem.ts";

/** Says which values do not count yet, and how to change that. */
export function waitingLines(waiting: readonly WaitingValue[]): string[] {
  return valueLines(waiting, "waits for `trimtab trust`:");
}

export function valueLines(values: readonly WaitingValue[], words: string): string[] {
  return values.map(({ file, key, value }) =>
    `${words} ${key} = ${JSON.stringify(value)}  # ${file}`
  );
}

/** Says which key of an earlier version has no effect, and what to do instead. */
export function retiredText({ file, key, instead }: RetiredKey): string {
  return `no effect any more: ${key}; ${instead}  # ${file}`;
}
