/** Tells a user once that a project's configuration has values that do not count yet. */

import type { WaitingValue } from "../config/merge.ts";
import { claimForGood } from "../inject/once.ts";
import { withMessage } from "../inject/output.ts";
import { signText } from "../store/sha256.ts";
import { EVENT, type Start } from "./started.ts";

/** Characters of the digest that names what was said. */
const NAME_CHARS = 16;

/** Adds the words to what the hook says otherwise, once for the same values of the same project. */
export function withWaiting(said: string, waiting: readonly WaitingValue[], start: Start): string {
  const { configDir, owner: { projectDir } } = start;
  const digest = signText(new Uint8Array(), "waiting", projectDir, JSON.stringify(waiting));
  const name = `waiting-${digest.slice(0, NAME_CHARS)}`;
  if (configDir === undefined || !claimForGood(configDir, name)) return said;
  const keys = [...new Set(waiting.map(({ key }) => key))].join(", ");
  const files = [...new Set(waiting.map(({ file }) => file))].join(" and ");
  return withMessage(
    EVENT,
    said,
    `trimtab: ${files} sets ${keys}, which has no effect until you accept it with !trimtab trust`,
  );
}
