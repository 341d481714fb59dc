/** Words a compacted context. */

import type { CompactedContext } from "./compacted_context.ts";
import { fitBetween } from "../../inject/fit_sections.ts";
import { quoteItem, quoteLine } from "../../inject/plain_markdown.ts";
import {
  changeLines,
  decisionLines,
  partSections,
  requirementItems,
  stateLines,
} from "./rehydrated_text.ts";
import { contentParts } from "./content_parts.ts";
import type { Step } from "./snapshot.ts";

/** Options of {@linkcode formatCompactedContext}. */
export interface FormatOptions {
  /**
   * The most UTF-16 code units; what matters least is left out, and said to be.
   *
   * @default {Infinity}
   */
  readonly maxChars?: number;
}

/**
 * Words a compacted context for the prompt of a fresh start.
 *
 * The words of the session stay words: they make no heading and end no fence.
 *
 * @param compacted The compacted context.
 * @param options How long it may be.
 * @returns Markdown, the same for the same context.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import { collectContext } from "./collect_context.ts";
 * import { compactWithCoreInfo } from "./compact.ts";
 * import { formatCompactedContext } from "./compacted_text.ts";
 *
 * const compacted = compactWithCoreInfo(collectContext({ transcript: null, planId: "16-03" }));
 * const text = formatCompactedContext({ ...compacted, learnings: ["Tests need a running Redis"] });
 * assertStringIncludes(text, "## Learnings\n- Tests need a running Redis");
 * ```
 */
export function formatCompactedContext(
  compacted: CompactedContext,
  options: FormatOptions = {},
): string {
  const { snapshot: content } = compacted;
  const decisions = compacted.decisions.map((one) => decisionLines(one, true).join("\n"));
  const name = ("name" in content ? content.name : null) ?? compacted.snapshotId;
  const title = name === null ? "# Compacted Context" : `# Compacted Context: ${quoteLine(name)}`;
  const { maxChars = Infinity } = options;
  const parts = contentParts(content, maxChars);
  const has = (name: string): boolean => (parts.get(name)?.length ?? 0) > 0;
  const asked = {
    heading: "## Original Requirements",
    items: has("Task") ? parts.get("Task") ?? [] : requirementItems(content),
  };
  const others = [
    { heading: "## Current State", items: stateLines(content) },
    ...partSections(parts, ["Refused or Corrected"]),
    { heading: "## Key Decisions", items: decisions },
    { heading: "## Unresolved Issues", items: compacted.issues.map(quoteItem) },
    { heading: "## Next Steps", items: content.next_steps.map(stepLine) },
    ...partSections(parts, ["Commands"]),
    {
      heading: "## Changes",
      items: has("Files") ? parts.get("Files") ?? [] : changeLines(content),
    },
    ...partSections(parts, ["Git", "Names"]),
    { heading: "## Learnings", items: compacted.learnings.map(quoteItem) },
  ];
  const last = partSections(parts, ["Where It Stopped"]);
  return fitBetween({ title, first: asked, last }, others, maxChars);
}

function stepLine({ step, status }: Step): string {
  const isActive = status === "in_progress";
  const box = status === "completed" ? "[x]" : "[ ]";
  return `- ${box} ${quoteLine(step)}${isActive ? " (in progress)" : ""}`;
}
