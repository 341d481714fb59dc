/** Finds results that a later look at the same file, or a change of it, has made worthless. */

import { asString, isObject } from "../transcript/entry.ts";

export interface FileCall {
  readonly id: string;
  readonly toolName: string;
  readonly input: unknown;
  /** Whether it failed: it has then neither shown nor changed anything. */
  readonly isError?: boolean;
}

/** A call of a tool that reads or changes one file, without what it says. */
export interface FileUse {
  readonly id: string;
  readonly path: string;
  /** The lines read, from 1, the last one excluded; `undefined` for a change of the file. */
  readonly lines: { readonly from: number; readonly to: number } | undefined;
  /** Whether another read can be covered by this one: pages are no lines. */
  readonly isByLines: boolean;
  isError: boolean;
}

const EDITORS: ReadonlySet<string> = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"]);

const WHOLE_FILE = { from: 1, to: Infinity };

interface Later {
  isChanged: boolean;
  ranges: { readonly from: number; readonly to: number }[];
}

/** Later reads of one file are remembered up to this many. */
const MAX_RANGES = 256;

export function fileUseOf(call: FileCall): FileUse | undefined {
  const { id, toolName, input } = call;
  if (!isObject(input)) return undefined;
  const isError = call.isError ?? false;
  const path = asString(input.file_path) ?? asString(input.notebook_path);
  if (path === undefined) return undefined;
  const isByLines = input.pages === undefined;
  if (EDITORS.has(toolName)) return { id, path, lines: undefined, isByLines, isError };
  if (toolName !== "Read") return undefined;
  const from = typeof input.offset === "number" && input.offset > 1 ? input.offset : 1;
  const to = typeof input.limit === "number" ? from + input.limit : Infinity;
  const lines = isByLines ? { from, to } : WHOLE_FILE;
  return { id, path, lines, isByLines, isError };
}

/** Finds calls on files whose results say nothing any more: changed later, or covered by a later read. */
export function supersededUses(uses: readonly FileUse[]): Set<string> {
  const found = new Set<string>();
  const files = new Map<string, Later>();
  for (const use of uses.toReversed()) {
    const later = files.get(use.path) ?? { isChanged: false, ranges: [] };
    files.set(use.path, later);
    // An edit shows an unknown part of the file.
    const { from, to } = use.lines ?? WHOLE_FILE;
    const isCovered = later.ranges.some((range) => range.from <= from && range.to >= to);
    if (later.isChanged || isCovered) found.add(use.id);
    if (use.isError) continue;
    if (use.lines === undefined) later.isChanged = true;
    else if (use.isByLines && later.ranges.length < MAX_RANGES) later.ranges.push(use.lines);
  }
  return found;
}
