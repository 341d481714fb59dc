/**
 * Makes an environment in which the coverage of tests' child processes is measured correctly.
 *
 * `DENO_COVERAGE_DIR` makes every Deno child write its coverage. But V8 loses the branches of code from
 * Deno's code cache, and the report then counts branches that never ran as taken. Only a flag can disable the
 * cache, and a hook does not get the flag if a test starts it as the client does. The tests therefore get
 * their own cache folder, in which a folder has the name of the code cache's file. Deno then runs without the
 * cache.
 *
 * @module
 */

import { existsSync, walkSync } from "@std/fs";
import { runDeno } from "./child.ts";

const CODE_CACHE_NAME = "v8_code_cache_v2";
const PROBE = `if (Deno.args.length > 0) {\n  console.log("given");\n}\n`;

/**
 * Returns variables to run the tests with.
 *
 * Permissions: `--allow-run` for Deno, `--allow-read` and `--allow-write` for its cache folder and
 * `folder`.
 *
 * @param folder An empty folder for the cache and the coverage.
 */
export async function measuredEnv(folder: string): Promise<Record<string, string>> {
  const denoFolder = `${folder}/deno`;
  Deno.mkdirSync(`${denoFolder}/${CODE_CACHE_NAME}`, { recursive: true });
  const { stdout } = await runDeno(["info", "--json"]);
  const npmCache: unknown = JSON.parse(stdout).npmCache;
  // Copies the packages, so that tests need no network. Deno downloads missing packages itself.
  if (typeof npmCache === "string" && existsSync(npmCache)) {
    copyFolder(npmCache, `${denoFolder}/npm`);
  }
  return { DENO_DIR: denoFolder, DENO_COVERAGE_DIR: `${folder}/coverage` };
}

/**
 * Checks that a branch that never ran is reported as not taken, even if the file runs again.
 *
 * @returns A problem, or undefined.
 */
export async function selfCheck(
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.writeTextFileSync(`${folder}/probe.ts`, PROBE);
    const measured = { ...env, DENO_COVERAGE_DIR: `${folder}/coverage` };
    for (let run = 0; run < 3; run++) {
      const { code, stderr } = await runDeno(["run", "--no-config", `${folder}/probe.ts`], {
        env: measured,
      });
      if (code !== 0) return stderr;
    }
    const report = await runDeno(["coverage", "--lcov", measured.DENO_COVERAGE_DIR], {
      cwd: folder,
      env: { ...env, DENO_COVERAGE_DIR: "" },
    });
    return report.stdout.includes("\nDA:2,0")
      ? undefined
      : `a line that never ran counts as run:\n${report.stdout}${report.stderr}`;
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function copyFolder(from: string, to: string): void {
  for (const entry of walkSync(from)) {
    const target = `${to}${entry.path.slice(from.length)}`;
    if (entry.isDirectory) Deno.mkdirSync(target, { recursive: true });
    else if (entry.isFile) Deno.copyFileSync(entry.path, target);
  }
}
