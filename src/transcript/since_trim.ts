/** Counts the effects of a trim: the cheaper requests, and the cut contents that were needed again. */

import { isObject } from "../core/record.ts";
import { placeOfWhole } from "../core/marks.ts";
import { WRITERS } from "../core/tools.ts";
import { blocksOf, resultTexts } from "./content.ts";
import { asString, type Entry } from "./entry.ts";
import { isRebuilt } from "./in_place.ts";
import { usageOfEntry } from "./tokens/usage.ts";

export interface SinceTrim {
  readonly cuts: number;
  readonly requests: number;
  /** Reads of a file after an earlier result about the file was cut. */
  readonly rereads: number;
  readonly recalls: number;
  /** Failed edits of a file after an earlier result about the file was cut. */
  readonly failedEdits: number;
}

/** The entries may begin before the trim. Only requests and calls after `sinceMs` are counted. */
export function countSinceTrim(entries: Iterable<Entry>, sinceMs: number): SinceTrim {
  const cutCalls = new Set<string>();
  const paths = new Map<string, string>();
  const answers = new Set<string>();
  const calls: { readonly id: string; readonly tool: unknown }[] = [];
  const failedCalls = new Set<string>();
  for (const entry of entries) {
    if (entry.isSidechain) continue;
    const isLater = Date.parse(entry.timestamp ?? "") > sinceMs && !isRebuilt(entry);
    const id = usageOfEntry(entry)?.messageId;
    if (isLater && id !== undefined) answers.add(id);
    for (const block of blocksOf(entry)) {
      const call = asString(block.tool_use_id) ?? asString(block.id);
      if (call === undefined) continue;
      if (block.type === "tool_use") {
        const path = isObject(block.input) ? asString(block.input.file_path) : undefined;
        if (path !== undefined) paths.set(call, path);
        if (isLater) calls.push({ id: call, tool: block.name });
      } else if (block.is_error === true) {
        failedCalls.add(call);
      } else if (resultTexts(block.content).some((text) => placeOfWhole(text) !== undefined)) {
        cutCalls.add(call);
      }
    }
  }
  const cutPaths = new Set([...cutCalls].flatMap((id) => paths.get(id) ?? []));
  const callsOnCutFiles = calls.filter(({ id }) => cutPaths.has(paths.get(id) ?? ""));
  return {
    cuts: cutCalls.size,
    requests: answers.size,
    rereads: callsOnCutFiles.filter(({ tool }) => tool === "Read").length,
    recalls: calls.filter(({ tool }) => tool === "mcp__trimtab__recall").length,
    failedEdits:
      callsOnCutFiles.filter(({ id, tool }) => WRITERS.has(tool) && failedCalls.has(id)).length,
  };
}
