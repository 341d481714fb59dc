/** Records edits and reverts in order, to find those that came after a command. */

import { counted } from "../inject/bound.ts";
import { PROSE_FILE } from "../inject/patches.ts";
import { lastPart } from "../core/last_part.ts";
import { isPathOf } from "../core/shell_files.ts";
import { ABSOLUTE_PATH, isUnder, pathIn } from "../changes/listed_paths.ts";

interface Edit {
  readonly path: string;
  readonly name: string;
}

export class EditLog {
  readonly #edits: Edit[] = [];
  /** Folders outside the session's folder where commands ran. */
  readonly #otherTrees = new Set<string>();
  #folder = "";

  /** File names, oldest edit first. */
  get names(): string[] {
    return this.#edits.map(({ name }) => name);
  }

  get count(): number {
    return this.#edits.length;
  }

  folder(path: string): void {
    this.#folder ||= path;
  }

  add(path: string): void {
    this.#edits.push({ path, name: lastPart(path) });
  }

  /** Restoring a file that the session did not edit undoes only the changes of a command, such as a formatter. */
  revert(path: string): void {
    if (this.#edits.some((edit) => isPathOf(path, edit.path))) this.add(path);
  }

  /** Records the folder in which a command ran; empty if it is inside the session's folder. */
  ranIn(tree: string): void {
    const root = this.#rootOf(tree);
    if (root !== "" && !isUnder(this.#folder, root)) this.#otherTrees.add(root);
  }

  /**
   * Describes the edits after the first `count`, as in `; 2 edits since then`; empty if there are none.
   *  Counts only files in the command's tree: those in `files`, or all except prose if `files` is empty.
   *
   * @param tree The folder of the command; empty if it is inside the session's folder.
   */
  since(count: number, tree: string, files: readonly string[]): string {
    const changed = this.#edits.slice(count).filter(({ path, name }) =>
      this.#isInTree(path, this.#rootOf(tree)) &&
      (files.length === 0 ? !PROSE_FILE.test(name) : files.some((file) => file.endsWith(name)))
    );
    return changed.length === 0 ? "" : `; ${counted(changed.length, "edit")} since then`;
  }

  #rootOf(tree: string): string {
    return tree.startsWith("..") ? pathIn(this.#folder, tree) : tree;
  }

  /**
   * Whether an edit may affect a command. An edit in another repository does not. A folder counts as another
   * repository only if commands ran in it, because the session's folder can be part of a larger repository.
   */
  #isInTree(path: string, root: string): boolean {
    if (this.#folder === "" || !ABSOLUTE_PATH.test(path)) return true;
    return root === ""
      ? ![...this.#otherTrees].some((other) => isUnder(path, other))
      : isUnder(path, root);
  }
}
