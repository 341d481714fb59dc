/**
 * The pages of the configuration and of the files.
 *
 * @module
 */

import {
  type FileSpec,
  OTHER_FILES,
  type OtherFileSpec,
  OWN_FILES,
  READ_FILES,
  SPILL_FILE,
} from "../src/doctor/clean/file_table.ts";
import { CONFIG_SPECS, expectationOf, type KeySpec } from "../src/config/schema.ts";
import { code, GENERATED, table, words } from "./reference_text.ts";

/** The subject of each table. */
const TABLES: Readonly<Record<string, string>> = {
  context: "How full a window may be, what is saved, trimmed and restored.",
  live: "Shortening outputs before the model sees them.",
  inside: "What the module inside the client does, where the client loads it.",
};

/**
 * Writes the page of the configuration.
 *
 * @returns The page.
 * @throws {Error} When a table is new and nothing says what it is about.
 */
export function configPage(): string {
  return [
    "# Configuration",
    GENERATED,
    `Later wins: defaults, ${READ_FILES.map(({ shown }) => code(shown)).join(", ")}, options. ` +
    "`trimtab status --config` prints each value and where it is from. An unknown key, a value of " +
    "the wrong type or thresholds out of order are an error that names file, key, value and what is " +
    "expected; a hook then takes the defaults and says so once.",
    ...Object.entries(CONFIG_SPECS).flatMap(([name, specs]) => {
      const about = TABLES[name];
      if (about === undefined) throw new Error(`Cannot describe [${name}]: add it to TABLES`);
      return [`## \\[${name}\\]`, about, keyTable(specs)];
    }),
  ].join("\n\n") + "\n";
}

function keyTable(specs: Readonly<Record<string, KeySpec>>): string {
  return table(
    ["key", "default", "may be", "what it is"],
    Object.entries(specs).map(([key, spec]) => [
      code(key),
      spec.value === null
        ? (key === "window_tokens" ? "detected" : "unset")
        : code(JSON.stringify(spec.value).replaceAll(",", ", ")),
      words(expectationOf(spec)),
      words(spec.help),
    ]),
  );
}

/**
 * Writes the page of the files.
 *
 * @returns The page.
 */
export function filesPage(): string {
  return [
    "# Files",
    GENERATED,
    "`PROJECT` stands for the project's folder, `CONFIG` for Claude Code's configuration folder " +
    "(`~/.claude`, or `CLAUDE_CONFIG_DIR`). Files are 0600. Folders that are trimtab's own hold a " +
    "`.gitignore` of `*`. `trimtab clean` goes by these names and deletes nothing else.",
    "## In the project",
    table(["file", "what", "how long"], [...OWN_FILES, SPILL_FILE].map(ownRow)),
    "## Elsewhere",
    table(["file", "what", "how long"], OTHER_FILES.map(otherRow)),
    "## Only read",
    table(["file", "what"], READ_FILES.map(({ shown, help }) => [code(shown), words(help)])),
  ].join("\n\n") + "\n";
}

function ownRow({ folder, shown, help, kept }: FileSpec): string[] {
  const path = (name: string): string => code(`PROJECT/.claude/${folder}/${name}`);
  return [shown.split(", ").map(path).join(", "), words(help), words(kept)];
}

function otherRow({ shown, help, kept }: OtherFileSpec): string[] {
  return [code(shown), words(help), words(kept)];
}
