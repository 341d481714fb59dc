/** Collects the files that a session read and changed. */

import { isObject } from "../core/record.ts";
import { WRITERS } from "../core/tools.ts";
import { excerptLine } from "../inject/excerpt.ts";
import type { FinishedCall } from "../extract/work_state.ts";
import { asString } from "../transcript/entry.ts";

export const MAX_FILES = 25;

const MAX_USES = 200;

const MAX_FOLLOWED = 5_000;

const MAX_PATH_CHARS = 200;

export interface ReportUse {
  readonly is_edit: boolean;
  /** Number of requests before this use. */
  readonly after: number;
  /** ISO 8601; null if unknown. */
  readonly time: string | null;
}

export interface ReportFile {
  /** Relative to the project if the file is inside. */
  readonly path: string;
  readonly reads: number;
  readonly edits: number;
  /** At most the first 200. */
  readonly uses: readonly ReportUse[];
}

export interface ReportFiles {
  /** The most used files, in the order of their first use. */
  readonly files: readonly ReportFile[];
  /** Includes files that are not listed. */
  readonly count: number;
}

export class FileReader {
  readonly #files = new Map<string, { reads: number; edits: number; uses: ReportUse[] }>();

  add(call: FinishedCall, at: { after: number; time: string | null }): void {
    const { name, input, isError } = call;
    const isEdit = WRITERS.has(name);
    // A failed call neither shows nor changes a file.
    if (isError || !isObject(input) || !(isEdit || name === "Read")) return;
    const used = asString(input.file_path) ?? asString(input.notebook_path);
    if (used === undefined) return;
    const known = this.#files.get(used);
    if (known === undefined && this.#files.size >= MAX_FOLLOWED) return;
    const file = known ?? { reads: 0, edits: 0, uses: [] };
    this.#files.set(used, file);
    if (isEdit) file.edits++;
    else file.reads++;
    if (file.uses.length < MAX_USES) file.uses.push({ is_edit: isEdit, ...at });
  }

  finish(projectDir: string): ReportFiles {
    const all = [...this.#files].map(([path, file]): ReportFile => ({
      path: excerptLine(shortPath(path, projectDir), MAX_PATH_CHARS),
      ...file,
    }));
    const most = new Set(
      all.toSorted((a, b) => b.reads + b.edits - a.reads - a.edits).slice(0, MAX_FILES),
    );
    return { files: all.filter((file) => most.has(file)), count: all.length };
  }
}

function shortPath(path: string, projectDir: string): string {
  return path.startsWith(`${projectDir}/`) ? path.slice(projectDir.length + 1) : path;
}
