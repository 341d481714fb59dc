/**
 * Generates docs/reference, the findings in docs/troubleshooting.md, and the launcher's parts
 * bin/parts/permissions.sh and bin/parts/environment.sh from the code.
 *
 *     deno task reference            write the files that changed
 *     deno task reference --check    only list the files that would change; exit 1 if any would
 */

import { commandsPage } from "./reference_commands.ts";
import { configPage } from "./reference_config.ts";
import { filesPage } from "./reference_files.ts";
import { launcherEnvironment, launcherTable } from "./permissions.ts";
import { permissionsPage } from "./reference_permissions.ts";
import { list, words } from "./reference_text.ts";
import { runDeno } from "./child.ts";
import { FINDING_KINDS, type FindingLevel } from "../src/doctor/check/finding_kinds.ts";

const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname).replace(/\/$/, "");

/** Only a part of this page is generated. */
const TROUBLESHOOTING_PAGE = "docs/troubleshooting.md";

const LAUNCHER_TABLE = "bin/parts/permissions.sh";
const LAUNCHER_ENVIRONMENT = "bin/parts/environment.sh";

const START = "<!-- generated: findings -->";
const END = "<!-- end of generated text -->";

const LEVELS: Readonly<Record<FindingLevel, string>> = {
  error: "Errors",
  warning: "Warnings",
  info: "For information",
};

/**
 * Renders all pages from the code.
 *
 * Permissions: `--allow-read` for the project.
 *
 * @returns The page contents before `deno fmt`, keyed by path relative to the project.
 * @throws {Error} When the code lacks a description that a page needs.
 */
export async function referencePages(): Promise<Map<string, string>> {
  return new Map([
    ["docs/reference/commands.md", await commandsPage()],
    ["docs/reference/config.md", configPage()],
    ["docs/reference/files.md", filesPage()],
    ["docs/reference/permissions.md", permissionsPage()],
    [LAUNCHER_TABLE, launcherTable()],
    [LAUNCHER_ENVIRONMENT, launcherEnvironment()],
    [TROUBLESHOOTING_PAGE, replaceBetween(read(TROUBLESHOOTING_PAGE), findings())],
  ]);
}

function findings(): string {
  return Object.entries(LEVELS).flatMap(([level, heading]) => {
    const items = Object.entries(FINDING_KINDS).filter(([, kind]) => kind.level === level).map((
      [id, { title, meaning, fix }],
    ) => `**${words(title)}** (\`${id}\`). ${words(meaning)} _To do:_ ${words(fix)}`);
    return items.length === 0 ? [] : [`### ${heading}`, list(items)];
  }).join("\n\n");
}

/**
 * Returns the paths of the pages that are out of date.
 *
 * Permissions: `--allow-read` for the project.
 */
export async function stalePages(): Promise<string[]> {
  return [...await referencePages()]
    .filter(([path, text]) => normalized(text) !== normalized(read(path)))
    .map(([path]) => path);
}

/** Removes differences that `deno fmt` makes, which are column widths and line breaks. */
function normalized(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/ ?\| ?/g, "|").replaceAll(/-{3,}/g, "---").trim();
}

/**
 * Replaces the text between the markers of a page.
 *
 * @throws {SyntaxError} When a marker is missing.
 */
function replaceBetween(page: string, text: string): string {
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start < 0 || end < start) {
    throw new SyntaxError(`Cannot write ${TROUBLESHOOTING_PAGE}: no lines "${START}" and "${END}"`);
  }
  return `${page.slice(0, start + START.length)}\n\n${text}\n\n${page.slice(end)}`;
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(`${ROOT}/${path}`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

async function main(argv: readonly string[]): Promise<number> {
  if (argv.some((word) => word !== "--check")) {
    console.error("Usage: deno task reference [--check]");
    return 2;
  }
  const stale = await stalePages();
  if (stale.length === 0) {
    console.log("The reference matches the code.");
    return 0;
  }
  if (argv.includes("--check")) {
    console.error(`Outdated pages: ${stale.join(", ")}. Update them with: deno task reference`);
    return 1;
  }
  const pages = await referencePages();
  Deno.mkdirSync(`${ROOT}/docs/reference`, { recursive: true });
  for (const path of stale) Deno.writeTextFileSync(`${ROOT}/${path}`, pages.get(path) ?? "");
  const { code, stderr } = await runDeno(["fmt", "--quiet", "--permit-no-files", ...stale], {
    cwd: ROOT,
  });
  if (code !== 0) throw new Error(`Cannot format ${stale.join(", ")}: ${stderr}`);
  console.log(`Written: ${stale.join(", ")}`);
  return 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
