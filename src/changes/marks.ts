/** Collects TODO and FIXME marks and placeholders that a session added to files and has not removed. */

import { setNewest } from "../core/newest.ts";
import { namesOrContains, removedBy, revertedBy } from "../core/shell_files.ts";
import { editedFile } from "../inject/edits.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { commandOf } from "../inject/outcome.ts";
import { patchOf } from "../inject/patches.ts";
import type { Collector, FinishedCall, Issue } from "../core/work_state.ts";

const MAX_MARKS = 100;

const MAX_MARK_CHARS = 200;

/** Matches TODO or FIXME in capitals, as in `TODO(me)`, `TODO: test` and `FIXME later`. */
const MARK = /\b(?:TODO|FIXME)\b(?:\(|:|\s+\S)/;

export class MarkCollector implements Collector {
  readonly #marks = new Map<string, Issue>();

  call(call: FinishedCall): void {
    if (call.isError) return;
    this.#shell(commandOf(call));
    const file = editedFile(call);
    if (file === undefined) return;
    const { added, removed, isWholeFile } = patchOf(call);
    const present = added.map((line) => line.trim());
    if (isWholeFile && removed.length === 0) {
      this.#drop((marked, line) => marked === file && !present.includes(line));
    }
    for (const line of removed) this.#marks.delete(`${file}\n${line.trim()}`);
    for (const line of present) {
      if (!MARK.test(line)) continue;
      const issue = `${excerptLine(file, MAX_MARK_CHARS)}: ${excerptLine(line, MAX_MARK_CHARS)}`;
      const mark = { issue, kind: "todo", from: call.from } as const;
      setNewest(this.#marks, `${file}\n${line}`, mark, MAX_MARKS);
    }
  }

  #shell(command: string): void {
    for (const path of [...removedBy(command), ...revertedBy(command)]) {
      this.#drop((file) => namesOrContains(path, file));
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
}
