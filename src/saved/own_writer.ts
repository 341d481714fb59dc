/** The one writer of saves: each gets a name that no other has, and a mark that it is ours. */

import { type AtomicFileSystem, reasonOf, writeFileAtomicSync } from "../store/atomic.ts";
import { exists } from "../store/exists.ts";
import { withLockSync } from "../store/lock.ts";
import { markOurs } from "../store/ours.ts";
import { fileName, joinPath } from "../store/paths.ts";
import { ensurePrivateDirSync } from "../store/private_dir.ts";

interface WriterOptions {
  readonly projectDir: string;
  /** Claude Code's configuration folder; undefined where nothing is marked. */
  readonly configDir: string | undefined;
  /** Time to wait for other writers, in milliseconds. @default {5_000} */
  readonly waitMs?: number | undefined;
  /** The system calls to write with. @default {Deno} */
  readonly fs?: AtomicFileSystem | undefined;
}

/** Time to wait for other writers, in milliseconds. Each writes two files. */
const WAIT_MS = 5_000;

const MAX_IN_A_SECOND = 1_000;

export class OwnWriter {
  /** Sentences on what did not work although the save is written. */
  readonly warnings: string[] = [];
  readonly #kind: "checkpoint" | "snapshot";
  readonly #options: WriterOptions;

  constructor(kind: "checkpoint" | "snapshot", options: WriterOptions) {
    this.#kind = kind;
    this.#options = options;
  }

  /** Runs a save under a free id; alone, since a rename replaces a file that has the name. */
  underFreeId<T>(folder: string, stamp: string, save: (id: string) => T): T {
    ensurePrivateDirSync(folder);
    const lock = joinPath(folder, ".lock");
    const waitMs = this.#options.waitMs ?? WAIT_MS;
    const locked = withLockSync(lock, () => save(this.#freeId(folder, stamp)), { waitMs });
    if (locked !== null) return locked.value;
    throw new Error(`Cannot save ${this.#kind}: another process holds "${lock}". Try again`);
  }

  /** Writes a file with its mark, without which it is one that somebody else may have written. */
  write(path: string, text: string): void {
    const { configDir, fs } = this.#options;
    try {
      if (configDir !== undefined) markOurs(this.#options, fileName(path), text);
    } catch (error) {
      const warning = `The ${this.#kind} is saved but not marked as yours: ${reasonOf(error)}.`;
      if (!this.warnings.includes(warning)) this.warnings.push(warning);
    }
    writeFileAtomicSync(path, text, fs === undefined ? {} : { fs });
  }

  #freeId(folder: string, stamp: string): string {
    for (let number = 1; number <= MAX_IN_A_SECOND; number++) {
      const id = number === 1 ? stamp : `${stamp}-${number}`;
      if (![`${id}.json`, `${id}.md`].some((name) => exists(joinPath(folder, name)))) return id;
    }
    throw new RangeError(
      `Cannot save ${this.#kind}: ${MAX_IN_A_SECOND} have the id ${stamp} already. Try again in a second`,
    );
  }
}
