/** Writes saves atomically while their folder is locked, and marks each file as the user's own. */

import { type AtomicFileSystem, reasonOf, writeFileAtomicSync } from "../store/atomic.ts";
import { exists } from "../store/exists.ts";
import { markAsOwn } from "../store/own_marks.ts";
import { joinPath } from "../store/paths.ts";
import { withFolderLock } from "../store/private_dir.ts";
import { readTextSync } from "../store/read_file.ts";
import { sha256Hex } from "../store/sha256.ts";
import { checkSave } from "./check.ts";
import type { ContextSnapshot } from "./save.ts";
import { MAX_VIEW_BYTES, type SaveFiles, type SaveKind, saveMarkName } from "./store.ts";

export interface WriteOptions {
  readonly projectDir: string;
  /** Claude Code's configuration folder; if undefined, files are not marked. */
  readonly configDir: string | undefined;
  /** Longest wait for other writers, in milliseconds. @default {5_000} */
  readonly waitMs?: number | undefined;
  readonly fs?: AtomicFileSystem | undefined;
}

export interface SaveDraft {
  readonly kind: SaveKind;
  readonly folder: string;
  /** The preferred id. If another save has it, adds a suffix or, with `isReplacing`, replaces that save. */
  readonly stamp: string;
  /** Whether to replace a save with the same id. @default {false} */
  readonly isReplacing?: boolean;
  /** Runs while the folder is locked. */
  readonly make: (id: string) => { readonly save: ContextSnapshot; readonly view: string | null };
}

interface WrittenSave extends SaveFiles {
  readonly save: ContextSnapshot;
  readonly json: string;
  readonly warnings: string[];
}

const MAX_PER_SECOND = 1_000;

export function writeSave(draft: SaveDraft, options: WriteOptions): WrittenSave {
  const { kind, folder } = draft;
  const lockOptions = { action: `save ${kind}`, waitMs: options.waitMs };
  return withFolderLock(folder, lockOptions, () => write(draft, options));
}

function write(draft: SaveDraft, options: WriteOptions): WrittenSave {
  const { kind, folder, stamp, isReplacing = false } = draft;
  const id = isReplacing ? stamp : freeId(draft);
  const content = draft.make(id);
  const json = joinPath(folder, `${id}.json`);
  const view = content.view === null ? null : joinPath(folder, `${id}.md`);
  const warnings: string[] = [];
  const files = { kind, id, json, view };
  const { configDir, fs = Deno } = options;
  // An unmarked file counts as foreign, so a failure to mark a file adds a warning.
  const put = (path: string, text: string): void => {
    try {
      if (configDir !== undefined) markAsOwn(options, saveMarkName(files, path), text);
    } catch (error) {
      const warning = `The ${kind} is saved but not marked as yours: ${reasonOf(error)}. ` +
        `No session receives it automatically; \`trimtab restore ${id}\` prints it.`;
      if (!warnings.includes(warning)) warnings.push(warning);
    }
    writeFileAtomicSync(path, text, { fs });
  };
  const isNew = !exists(json);
  let { save } = content;
  const problems = checkSave(save);
  if (problems.length > 0) throw new TypeError(`Cannot save ${kind}: ${problems.join(" ")}`);
  if (view !== null && content.view !== null) {
    put(view, content.view);
    const verified = readTextSync(view, MAX_VIEW_BYTES) === content.view;
    save = { ...save, verified, view_sha256: sha256Hex(content.view) };
  }
  try {
    // Readers find a save by its JSON, so the JSON is written last.
    put(json, jsonText(save));
  } catch (error) {
    if (view !== null && isNew) Deno.removeSync(view);
    throw error;
  }
  return { ...files, save, warnings };
}

export function jsonText(save: ContextSnapshot): string {
  return `${JSON.stringify(save, null, 2)}\n`;
}

function freeId({ kind, folder, stamp }: SaveDraft): string {
  for (let number = 1; number <= MAX_PER_SECOND; number++) {
    const id = number === 1 ? stamp : `${stamp}-${number}`;
    if (![`${id}.json`, `${id}.md`].some((name) => exists(joinPath(folder, name)))) return id;
  }
  throw new RangeError(
    `Cannot save ${kind}: ${MAX_PER_SECOND} saves have the id ${stamp}. Try again in a second`,
  );
}
