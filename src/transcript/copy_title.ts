/** Gives a copy a title that distinguishes it from its parent in the client's list of sessions. */

import { readLines } from "./lines.ts";
import { readBriefly } from "./long_lines.ts";
import { promptWords } from "./own_words.ts";
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
    if (line.number > MAX_SEARCHED_LINES) return undefined;
    for (const { entry } of readBriefly(line.bytes)) {
      const [firstLine = ""] = promptWords(entry).slice(0, MAX_PREFIX_CHARS).split("\n", 1);
      if (firstLine === "") continue;
      const chars = [...firstLine.trimEnd()];
      return chars.length > MAX_TITLE_CHARS
        ? chars.slice(0, MAX_TITLE_CHARS - 1).join("") + "…"
        : chars.join("");
    }
  }
  return undefined;
}
