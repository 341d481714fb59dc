/** Collects TODO and FIXME marks and placeholders that a session added to files and has not removed. */

import { setNewest } from "../core/newest.ts";
import { isPathOf, removedBy } from "../core/shell_files.ts";
import { editedFile } from "../inject/edits.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { commandOf } from "../inject/outcome.ts";
import { patchOf } from "../inject/patches.ts";
import type { Collector, FinishedCall, Issue } from "../core/work_state.ts";

const MAX_MARKS = 100;

const MAX_MARK_CHARS = 200;

/** Matches TODO or FIXME in capitals, as in `TODO(me)`, `TODO: test` and `FIXME later`. */
const MARK = /\b(?:TODO|FIXME)\b(?:\(|:|\s+\S)/;

/** Matches a placeholder for code to come, such as `// (Add the check here)`. */
const PLACEHOLDER =
  /(?:\/\/|#|\/\*|--)\s*\(?(?:add|insert|implement|put|fill in|write)\b[^.]{3,60}\bhere\)?[.)\s*/]*$/i;

export class MarkCollector implements Collector {
  readonly #marks = new Map<string, Issue>();

  call(call: FinishedCall): void {
    if (call.isError) return;
    for (const path of removedBy(commandOf(call))) {
      this.#drop((file) => isPathOf(path, file));
    }
    const file = editedFile(call);
    if (file === undefined) return;
    const { added, removed, isWholeFile } = patchOf(call);
    const present = added.map((line) => line.trim());
    if (isWholeFile && removed.length === 0) {
      this.#drop((marked, line) => marked === file && !present.includes(line));
    }
    for (const line of removed) this.#marks.delete(`${file}\n${line.trim()}`);
    for (const line of present) {
      if (MARK.test(line) || PLACEHOLDER.test(line)) this.#add(file, line, call);
    }
  }

  #drop(isGone: (file: string, line: string) => boolean): void {
    for (const key of this.#marks.keys()) {
      const [file = "", line = ""] = key.split("\n");
      if (isGone(file, line)) this.#marks.delete(key);
    }
  }

  finish(): Issue[] {
    return [...this.#marks.values()].reverse();
  }

  #add(file: string, line: string, { from }: FinishedCall): void {
    const key = `${file}\n${line}`;
    const issue = `${excerptLine(file, MAX_MARK_CHARS)}: ${excerptLine(line, MAX_MARK_CHARS)}`;
    setNewest(this.#marks, key, { issue, kind: "todo", from }, MAX_MARKS);
  }
}
