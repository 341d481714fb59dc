/**
 * Renders the doctor's findings for the page on troubleshooting.
 *
 * @module
 */

import type { FindingKind, FindingLevel } from "../src/doctor/check/finding_kinds.ts";
import { words } from "./reference_text.ts";

const LEVELS: Readonly<Record<FindingLevel, string>> = {
  error: "Errors",
  warning: "Warnings",
  info: "For information",
};

export function findingsSection(kinds: Readonly<Record<string, FindingKind>>): string {
  return Object.entries(LEVELS).flatMap(([level, heading]) => {
    const items = Object.entries(kinds).filter(([, kind]) => kind.level === level)
      .map(([id, kind]) => itemOf(id, kind));
    return items.length === 0 ? [] : [`### ${heading}`, items.join("\n")];
  }).join("\n\n");
}

function itemOf(id: string, { title, meaning, fix }: FindingKind): string {
  return `- **${words(title)}** (\`${id}\`). ${words(meaning)} _To do:_ ${words(fix)}`;
}
