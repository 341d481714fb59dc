/**
 * Builds trimtab as one executable, with `deno compile`.
 *
 * `deno task compile` builds for this machine. `--all` also builds for the other targets. `--output FOLDER`
 * sets the folder. `SHA256SUMS`, in the format of `sha256sum`, is written next to the executables.
 *
 * An executable has the union of all permissions that trimtab needs. Each run drops the permissions that its
 * command does not need. A build fails unless the tree that Deno prints lists every module of the project
 * that the entry point reaches.
 *
 * If Deno's runtime cannot be downloaded, `DENORT_BIN=<path of deno>` replaces it. Such a build shows that
 * all modules type-check, resolve and are included, but its executable does not run trimtab.
 *
 * @module
 */

import { ensureDirSync } from "@std/fs";
import { VERSION } from "../src/version.ts";
import { runDeno } from "./child.ts";
import { allPermissions, unionOfPermissions } from "./permissions.ts";

/** Matches an unindented line that belongs to types or to imports that bind a name. */
const TYPE_LINE = /^(?:import\s*[^\s"'(.]|(?:export\s+)?(?:type|interface|declare)\b|[}\])&|])/;

/** Targets that `deno compile --target` accepts. */
export const TARGETS = [
  "x86_64-unknown-linux-gnu",
  "aarch64-unknown-linux-gnu",
  "x86_64-apple-darwin",
  "aarch64-apple-darwin",
  "x86_64-pc-windows-msvc",
] as const;

const ENTRY = "scripts/trimtab.ts";
const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname).replace(/\/$/, "");

/** @param output The path of the executable, without `.exe`. */
export function compileArguments(target: string, output: string): string[] {
  const permissions = unionOfPermissions(allPermissions().values());
  const before = ["compile", "--no-prompt", "--lock=bin/commands.lock", "--frozen"];
  return [...before, ...permissions, `--target=${target}`, `--output=${output}`, ENTRY];
}

/**
 * Reads the project's modules from the tree that `deno compile` prints.
 *
 * @returns Their paths in the project, and `folder/*` for a folder that is included in full.
 */
function embeddedFiles(printed: string): Set<string> {
  const found = new Set<string>();
  const folders: string[] = [];
  // deno-lint-ignore no-control-regex
  for (const line of printed.replaceAll(/\x1b\[[0-9;]*m/g, "").split("\n")) {
    const [, indent, name] = /^([ │]*)[├└][─┬]+ (.+?)(?: \([\d.]+[A-Z]*B[^)]*\))?$/.exec(line) ??
      [];
    if (indent === undefined || name === undefined) continue;
    const depth = indent.length / 2;
    folders.length = Math.min(folders.length, depth);
    const path = [...folders, name].filter((part) => part !== "").join("/");
    folders[depth] = name;
    found.add(path);
  }
  return found;
}

function missingFiles(embedded: ReadonlySet<string>, needed: Iterable<string>): string[] {
  const isIncluded = (path: string): boolean =>
    embedded.has(path) ||
    path.split("/").some((_, depth, parts) =>
      embedded.has([...parts.slice(0, depth), "*"].join("/"))
    );
  return [...needed].filter((path) => !isIncluded(path));
}

async function neededFiles(): Promise<string[]> {
  const { code, stdout, stderr } = await runDeno(["info", "--json", ENTRY], { cwd: ROOT });
  if (code !== 0) throw new Error(`Cannot list modules of ${ENTRY}: ${stderr.trim()}`);
  const { modules }: { modules: { local?: string }[] } = JSON.parse(stdout);
  return modules.flatMap(({ local }) => local?.startsWith(`${ROOT}/`) === true ? [local] : [])
    // Modules that contain only types are not included.
    .filter((path) => !path.endsWith(".d.ts") && hasCode(Deno.readTextFileSync(path)))
    .map((path) => path.slice(ROOT.length + 1));
}

/**
 * Returns whether a module has code in addition to types.
 *
 * @param text Must be formatted: only the first and last line of a statement are unindented.
 */
function hasCode(text: string): boolean {
  const code = text.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\/\/.*$/gm, "");
  return code.split(/\r?\n/).some((line) =>
    /^ ?\S/.test(line) && !TYPE_LINE.test(line.trimStart())
  );
}

async function build(target: string, folder: string): Promise<string> {
  const path = `${folder}/trimtab-${VERSION}-${target}`;
  const { code, stdout, stderr } = await runDeno(compileArguments(target, path), { cwd: ROOT });
  if (code !== 0) throw new Error(`Cannot compile for ${target}: ${(stdout + stderr).trim()}`);
  const missing = missingFiles(embeddedFiles(stdout + stderr), await neededFiles());
  if (missing.length > 0) {
    throw new Error(`Cannot use the executable for ${target}: it lacks ${missing.join(", ")}`);
  }
  return target.includes("windows") ? `${path}.exe` : path;
}

async function checksum(path: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", Deno.readFileSync(path));
  return `${new Uint8Array(digest).toHex()}  ${path.replace(/.*\//, "")}\n`;
}

async function main(argv: readonly string[]): Promise<number> {
  const option = argv.indexOf("--output");
  const folder = option < 0 ? `${ROOT}/.cache/compiled` : argv[option + 1];
  const rest = argv.filter((_, index) => option < 0 || (index !== option && index !== option + 1));
  if (folder === undefined || rest.some((word) => word !== "--all")) {
    console.error("Usage: deno task compile [--all] [--output FOLDER]");
    return 2;
  }
  ensureDirSync(folder);
  const otherTargets = rest.includes("--all")
    ? TARGETS.filter((target) => target !== Deno.build.target)
    : [];
  let sums = "";
  for (const target of [Deno.build.target, ...otherTargets]) {
    const path = await build(target, folder);
    sums += await checksum(path);
    console.log(path);
  }
  Deno.writeTextFileSync(`${folder}/SHA256SUMS`, sums);
  if (Deno.env.get("DENORT_BIN") !== undefined) {
    console.log(
      "This only checks the build: DENORT_BIN replaces the runtime, so the executables do not run.",
    );
  }
  return 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
