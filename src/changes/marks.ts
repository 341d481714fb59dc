/** Collects TODO and FIXME marks and placeholders that a session added to files and has not removed. */

import { setNewest } from "../core/newest.ts";
import { namesOrContains, removedBy, revertedBy } from "../core/shell_files.ts";
import { editedFile } from "../inject/edits.ts";
import { excerptLine } from "../inject/excerpt.ts";
import { commandOf } from "../inject/outcome.ts";
import { actionOf } from "./change_fields.ts";
import { isCommit } from "./commits.ts";
import { patchOf } from "../inject/patches.ts";
import type { Collector, FinishedCall, Issue } from "../core/work_state.ts";

const MAX_MARKS = 100;

const MAX_MARK_CHARS = 200;

/** Matches TODO or FIXME in capitals, as in `TODO(me)`, `TODO: test` and `FIXME later`. */
const MARK = /\b(?:TODO|FIXME)\b(?:\(|:|\s+\S)/;

/** Matches a placeholder for missing code, such as `// (Add the check here)`. */
const PLACEHOLDER =
  /(?:\/\/|#|\/\*|--)\s*\(?(?:add|insert|implement|put|fill in|write)\b[^.]{3,60}\bhere\)?[.)\s*/]*$/i;

/** Matches files in which a comment such as "Add your own patterns here" is advice, not a placeholder. */
const NOT_CODE = /(?:^|\/)\.[^/]+$|\.(?:toml|ya?ml|ini|cfg|conf|example|sample|md|txt)$/i;

interface Mark extends Issue {
  /** Whether the session created the file. */
  readonly isNew: boolean;
  /** Whether the mark was committed. A command such as `git restore` does not remove a committed mark. */
  readonly isCommitted: boolean;
}

export class MarkCollector implements Collector {
  readonly #marks = new Map<string, Mark>();

  call(call: FinishedCall): void {
    if (call.isError) return;
    this.#shell(commandOf(call));
    const file = editedFile(call);
    if (file === undefined) return;
    const patch = patchOf(call);
    const { added, removed, isWholeFile } = patch;
    const present = added.map((line) => line.trim());
    if (isWholeFile && removed.length === 0) {
      this.#drop((marked, line) => marked === file && !present.includes(line));
    }
    for (const line of removed) this.#marks.delete(`${file}\n${line.trim()}`);
    for (const line of present) {
      if (!MARK.test(line) && (NOT_CODE.test(file) || !PLACEHOLDER.test(line))) continue;
      const issue = `${excerptLine(file, MAX_MARK_CHARS)}: ${excerptLine(line, MAX_MARK_CHARS)}`;
      const isNew = actionOf(call, patch) === "created" ||
        [...this.#marks].some(([key, mark]) => mark.isNew && key.startsWith(`${file}\n`));
      const mark = { issue, kind: "todo", from: call.from, isNew, isCommitted: false } as const;
      setNewest(this.#marks, `${file}\n${line}`, mark, MAX_MARKS);
    }
  }

  #shell(command: string): void {
    for (const path of removedBy(command)) this.#drop((file) => namesOrContains(path, file));
    for (const path of revertedBy(command)) {
      this.#drop((file, _line, mark) =>
        !mark.isCommitted && !mark.isNew && namesOrContains(path, file)
      );
    }
    if (!isCommit(command)) return;
    for (const [key, mark] of this.#marks) this.#marks.set(key, { ...mark, isCommitted: true });
  }

  #drop(isGone: (file: string, line: string, mark: Mark) => boolean): void {
    for (const [key, mark] of this.#marks) {
      const [file = "", line = ""] = key.split("\n");
      if (isGone(file, line, mark)) this.#marks.delete(key);
    }
  }

  finish(): Issue[] {
    return [...this.#marks.values()].map(({ issue, kind, from }) => ({ issue, kind, from }))
      .reverse();
  }
}
