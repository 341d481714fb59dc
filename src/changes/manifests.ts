/** Finds the manifests that package managers change when they add or remove dependencies. */

import { inFolder } from "../core/shell_files.ts";
import { allPartsOf, isTemporaryPath } from "../core/shell_commands.ts";

/** Commands that add or remove a package, each with the manifest that lists the dependencies. */
const MANAGERS: readonly (readonly [command: RegExp, manifest: string])[] = [
  [/^go get\s+(?!-)\S/, "go.mod"],
  [/^npm (?:i|install|add|uninstall|remove)\s(?:.*\s)?(?![-.])[\w@]/, "package.json"],
  [/^(?:pnpm|yarn|bun) (?:add|remove)\s/, "package.json"],
  [/^cargo (?:add|remove)\s/, "Cargo.toml"],
  [/^(?:uv|poetry) (?:add|remove)\s/, "pyproject.toml"],
  [/^deno (?:add|remove)\s/, "deno.json"],
];

/** Matches options with which a package manager does not change the project's manifest. */
const ELSEWHERE = /\s(?:-g|--global|--no-save|--prefix|--dry-run|--help)\b/;

export function manifestsOf(line: string): string[] {
  return allPartsOf(line).flatMap(({ text, folder }) => {
    const command = text.trim();
    if (isTemporaryPath(folder) || ELSEWHERE.test(command)) return [];
    return MANAGERS.filter(([pattern]) => pattern.test(command))
      .map(([, manifest]) => inFolder(folder, manifest));
  });
}
