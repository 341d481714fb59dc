import { writeFileAtomicSync } from "../store/atomic.ts";
import { exists } from "../store/exists.ts";
import { readOwnTextSync } from "../store/own_file.ts";
import { joinPath, ownFolder } from "../store/paths.ts";
import { ensureOwnFolder } from "../store/private_dir.ts";
import { sessionStatePath, type StateOwner } from "../store/state.ts";

/** Matches the client's tool use ids, such as `toolu_01Ab`. Only a valid id becomes part of a path. */
const TOOL_USE_ID = /^[A-Za-z0-9_-]{1,120}$/;

const MAX_FILES = 20;

export function spillFolder(projectDir: string): string {
  return ownFolder(projectDir, "spill");
}

/** Returns the path of a new file, or of one with the same text. Never overwrites a file. */
export function keepOutput(
  owner: StateOwner,
  { toolUseId, text }: { readonly toolUseId: string; readonly text: string },
): string {
  const folder = joinPath(spillFolder(owner.projectDir), owner.sessionId);
  if (
    sessionStatePath(owner) === null || !TOOL_USE_ID.test(toolUseId) || /[\p{Cc}\]]/u.test(folder)
  ) {
    const problem = "the path, the session id or the tool use id is not valid";
    throw new RangeError(`Cannot keep an output in ${JSON.stringify(folder)}: ${problem}`);
  }
  ensureOwnFolder(owner.projectDir, folder);
  for (let number = 1; number <= MAX_FILES; number++) {
    const path = joinPath(folder, number === 1 ? `${toolUseId}.txt` : `${toolUseId}-${number}.txt`);
    // A larger file or a link counts as a different text.
    const existing = readOwnTextSync(path, 4 * text.length) ?? (exists(path) ? "" : null);
    if (existing === null) {
      writeFileAtomicSync(path, text);
      return path;
    }
    if (existing === text) return path;
  }
  throw new RangeError(`Cannot keep an output of ${toolUseId}: it already has ${MAX_FILES} files`);
}
