/** Records edits and reverts in order, to tell which of them followed a command. */

import { counted } from "../inject/bound.ts";
import { PROSE_FILE } from "../inject/patches.ts";
import { lastPart } from "../core/last_part.ts";
import { ABSOLUTE_PATH, isUnder, pathIn } from "../changes/listed_paths.ts";

const REVERTED = " (reverted)";

export class EditLog {
  readonly #paths: string[] = [];
  readonly #names: string[] = [];
  #folder = "";

  /** The names of the files, oldest edit first; a reverted file has a mark. */
  get names(): readonly string[] {
    return this.#names;
  }

  get count(): number {
    return this.#names.length;
  }

  folder(path: string): void {
    this.#folder ||= path;
  }

  add(path: string, isReverted = false): void {
    this.#paths.push(path);
    this.#names.push(lastPart(path) + (isReverted ? REVERTED : ""));
  }

  /**
   * Counts the edits and reverts after the first `count`, such as `; 2 edits since then`; may be empty. Counts
   * only those in the tree of the command and, if `files` is not empty, only those of these files.
   *
   * @param tree The folder of the command; empty if it is inside the session's folder.
   */
  since(count: number, tree: string, files: readonly string[]): string {
    const changed = this.#names.filter((one, at) => {
      if (at < count || !this.#isInTree(this.#paths[at] ?? "", tree)) return false;
      const name = one.replace(REVERTED, "");
      return files.length === 0
        ? !PROSE_FILE.test(name)
        : files.some((file) => file.endsWith(name));
    });
    const reverted = changed.filter((name) => name.endsWith(REVERTED));
    const edits = changed.length - reverted.length;
    const edited = edits === 0 ? "" : `; ${counted(edits, "edit")} since then`;
    return edited +
      (reverted.length === 0
        ? ""
        : `; ${counted(new Set(reverted).size, "file")} reverted since then`);
  }

  /** Whether an edit may concern a command; an edit in another repository does not. */
  #isInTree(path: string, tree: string): boolean {
    if (this.#folder === "" || !ABSOLUTE_PATH.test(path)) return true;
    if (tree === "") return isUnder(path, this.#folder);
    return isUnder(path, tree.startsWith("..") ? pathIn(this.#folder, tree) : tree);
  }
}
