/** Gives a copy a title that distinguishes it from its parent in the client's list of sessions. */

import { resultTexts } from "./content.ts";
import { readLines } from "./lines.ts";
import { readBriefly } from "./long_lines.ts";
import { openFileSync } from "../store/read_file.ts";

const MAX_TITLE_CHARS = 60;

const MAX_PREFIX_CHARS = 1_000;

const MAX_SEARCHED_LINES = 200;

const MAX_SEARCHED_BYTES = 8 * 1024 * 1024;

export function titleLine(
  sessionId: string,
  title: string | undefined,
  mark: "trimmed" | "rescued",
): string {
  const earlier = new RegExp(`^(.*) \\(${mark}(?: (\\d+))?\\)$`, "s").exec(title ?? "");
  const baseTitle = earlier?.[1] ?? title ?? "Session";
  const count = earlier === null ? 1 : Number(earlier[2] ?? 1) + 1;
  const suffix = count === 1 ? `(${mark})` : `(${mark} ${count})`;
  const customTitle = `${baseTitle.toWellFormed()} ${suffix}`;
  return JSON.stringify({ type: "custom-title", customTitle, sessionId });
}

export function firstPrompt(path: string): string | undefined {
  using file = openFileSync(path);
  for (const line of readLines(file, { limitBytes: MAX_SEARCHED_BYTES })) {
    const isCut = line.offset + line.bytes.length === MAX_SEARCHED_BYTES;
    if (isCut || line.number > MAX_SEARCHED_LINES) return undefined;
    for (const { entry } of readBriefly(line.bytes)) {
      if (entry.type !== "user" || entry.raw.isMeta === true || entry.isSidechain) continue;
      const [text = ""] = resultTexts(entry.message?.content);
      if (text.startsWith("<") || text.trim() === "") continue;
      const [firstLine = ""] = text.trimStart().slice(0, MAX_PREFIX_CHARS).trimEnd().split("\n", 1);
      const chars = [...firstLine];
      return chars.length > MAX_TITLE_CHARS
        ? chars.slice(0, MAX_TITLE_CHARS - 1).join("") + "…"
        : firstLine;
    }
  }
  return undefined;
}
