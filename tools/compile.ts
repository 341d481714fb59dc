/**
 * Builds trimtab as one executable, with `deno compile`.
 *
 * `deno task compile` builds for this machine. `--all` also builds for the other targets. `--output FOLDER`
 * sets the folder. `SHA256SUMS`, in the format of `sha256sum`, is written next to the executables.
 *
 * An executable has the union of all permissions that trimtab needs. Each run drops the permissions that its
 * command does not need. Deno includes every module that is imported by its literal name, and a house test
 * checks that no module is imported otherwise.
 *
 * If Deno's runtime cannot be downloaded, `DENORT_BIN=<path of deno>` replaces it. Such a build shows that
 * all modules type-check, resolve and are included, but its executable does not run trimtab.
 */

import { ensureDirSync } from "@std/fs";
import { VERSION } from "../src/version.ts";
import { runDeno } from "./child.ts";
import { allPermissions, unionOfPermissions } from "./permissions.ts";

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

async function build(target: string, folder: string): Promise<string> {
  const path = `${folder}/trimtab-${VERSION}-${target}`;
  const { code, stdout, stderr } = await runDeno(compileArguments(target, path), { cwd: ROOT });
  if (code !== 0) throw new Error(`Cannot compile for ${target}: ${(stdout + stderr).trim()}`);
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
