/** Renders configuration values and retired keys, each on one line. */

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

export function retiredText({ file, key, instead }: RetiredKey): string {
  return `has no effect: ${key}; ${instead}  # ${file}`;
}
