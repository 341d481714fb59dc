import { lastPart } from "../core/last_part.ts";
import { writtenBy } from "../core/shell_files.ts";
import { WRITERS } from "../core/tools.ts";
import { asString } from "../transcript/entry.ts";
import { redactSecrets } from "../secrets/redact.ts";
import { andMore } from "./bound.ts";
import { excerptLine } from "./excerpt.ts";
import {
  changedLine,
  constantsIn,
  declaredNames,
  type EditCall,
  enclosingName,
  isPlainComment,
  patchOf,
  PROSE_FILE,
  type TextPatch,
} from "./patches.ts";

type Call = Omit<EditCall, "mirror"> & Partial<Pick<EditCall, "mirror">>;

const MAX_NEW_LINE_CHARS = 90;
const MAX_HEADINGS_CHARS = 360;
const MAX_NAMED_CHARS = 200;

export function editedFile({ name, input }: Call): string | undefined {
  if (!WRITERS.has(name)) return undefined;
  return asString(name === "NotebookEdit" ? input.notebook_path : input.file_path);
}

export function filesEditedBy(call: Call & { readonly isError: boolean }): string[] {
  if (call.isError) return [];
  const file = editedFile(call);
  if (file !== undefined) return [file];
  return call.name === "Bash" ? writtenBy(asString(call.input.command) ?? "") : [];
}

/**
 * Describes an edit in a few words after a colon: a resolved conflict, a replacement of all occurrences, the
 * headings or declared names, or else the most informative line that the edit added or removed. Returns an
 * empty string if no line is informative.
 */
export function describeEdit(call: Call): string {
  // A Write replaces a whole file, so only the client's patch shows what changed.
  const mirror = call.name === "Write" ? call.mirror ?? null : null;
  const { added, removed, isWholeFile } = patchOf({ ...call, mirror });
  if (removed.some((line) => /^<{7} /.test(line))) return ": resolves a conflict";
  const file = editedFile(call) ?? "";
  const isProse = PROSE_FILE.test(file);
  const parts = describeReplacement(call) ||
    (isProse ? (isWholeFile ? headingsOf(added) : "") : namedIn({ added, removed }));
  if (parts !== "") return `: ${parts}`;
  // A removed line counts as kept if only its trailing comma changed.
  const kept = new Set(added.map(withoutComma));
  const gone = changedLine(file, removed.filter((line) => !kept.has(withoutComma(line))), added);
  const fresh = changedLine(file, added, removed);
  // Removed code is more informative than an added comment.
  const isCommentForCode = gone !== undefined && fresh !== undefined && !isProse &&
    isPlainComment(fresh) && !isPlainComment(gone);
  const line = isCommentForCode ? undefined : fresh;
  const shown = line ??
    (removed.every(isImport) ? removed.map((one) => one.trim()).join(", ") : gone);
  if (shown === undefined || shown === "") return "";
  const text = asString(line === undefined ? call.input.old_string : call.input.new_string) ?? "";
  const name = enclosingName(text, shown);
  const where = (name === "" ? "" : `in ${name}: `) + (line === undefined ? "removed " : "");
  const all = call.input.replace_all === true ? " (all occurrences)" : "";
  const isOpen = ["`", '"'].some((quote) => shown.split(quote).length % 2 === 0);
  return `: ${where}${excerptLine(shown, MAX_NEW_LINE_CHARS)}${isOpen ? "…" : ""}${all}`;
}

function withoutComma(line: string): string {
  return line.trim().replace(/,$/, "");
}

function namedIn(patch: Pick<TextPatch, "added" | "removed">): string {
  const words = declaredNames(patch) || constantsIn(patch);
  const lines = patch.added.filter((line) => line.trim() !== "");
  if (words !== "" || lines.length === 0 || !lines.every(isImport)) {
    return excerptLine(words, MAX_NAMED_CHARS);
  }
  return excerptLine(`imports ${lines.map((one) => one.trim()).join(", ")}`, MAX_NEW_LINE_CHARS);
}

/** Whether a line is an import in a Go import block, such as `"strings"`. */
function isImport(line: string): boolean {
  return /^\s*"[\w./-]+"$/.test(line);
}

function headingsOf(lines: readonly string[]): string {
  const headings = lines.flatMap((line) => /^#{1,3}\s+(\S.*)/.exec(line)?.[1] ?? []);
  return excerptLine(headings.length < 2 ? "" : headings.join("; "), MAX_HEADINGS_CHARS);
}

/** Describes a replacement of all occurrences, such as `all old => new`; empty for other or long edits. */
function describeReplacement({ input }: Call): string {
  const [before, after] = [asString(input.old_string), asString(input.new_string)];
  if (input.replace_all !== true || before === undefined || after === undefined) return "";
  const isShort = [before, after].every((text) =>
    text.length <= MAX_NEW_LINE_CHARS && !text.includes("\n")
  );
  return isShort ? redactSecrets(`all ${before.trim()} => ${after.trim()}`) : "";
}

export const MAX_NAMED_FILES = 3;

export function describeEdits(files: ReadonlySet<string>): string {
  return files.size === 0
    ? ""
    : `edits of ${andMore([...files].slice(-MAX_NAMED_FILES), files.size)}`;
}

/** Shortens each path to the fewest trailing segments that distinguish the file from all other files. */
export function namesOf(files: readonly string[], others: readonly string[]): string[] {
  const all = [...new Set([...files, ...others])];
  return files.map((file) => {
    let name = lastPart(file);
    const isShared = (): boolean =>
      all.some((other) =>
        other !== file && /(?:^|[\\/])$/.test(other.slice(0, -name.length)) &&
        other.endsWith(name)
      );
    while (name.length < file.length && isShared()) {
      const folder = file.slice(0, -name.length - 1);
      name = file.slice(-name.length - 1 - lastPart(folder).length);
    }
    return name;
  });
}

export const FILE_NAME = /[\w-]+(?:\.[\w-]+)*\.[a-z]{1,5}\b/g;
