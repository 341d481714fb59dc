/**
 * Finds the real client's program, or installs it once for all runs.
 *
 * @module
 */

/** The version that every end-to-end test runs against. */
export const CLIENT_VERSION = "2.1.330";

/** The oldest version that the contract suite supports. */
export const OLDEST_VERSION = "2.1.197";

/** The client's package on npm. */
export const PACKAGE = "@anthropic-ai/claude-code";

const REPOSITORY = new URL("../../../", import.meta.url);
const SCOPE = "node_modules/@anthropic-ai";

/**
 * The path of the client's native program.
 *
 * `TRIMTAB_CLIENT` names an existing program. Otherwise npm installs the client into the project's `.cache`;
 * concurrent runs wait for one another, and a run that is killed leaves no install that a later run would
 * take for complete.
 *
 * Needs `--allow-env=TRIMTAB_CLIENT`, `--allow-read`, `--allow-write=.cache` and `--allow-run=npm`.
 *
 * @returns An absolute path.
 * @throws {Error} When npm fails, or its package has no program for this platform.
 */
export async function findClient(): Promise<string> {
  const given = Deno.env.get("TRIMTAB_CLIENT");
  return given !== undefined && given !== "" ? given : await installClient(CLIENT_VERSION);
}

/**
 * The path of one version's program, which npm installs if it is missing.
 *
 * Needs `--allow-read`, `--allow-write=.cache` and `--allow-run=npm`.
 *
 * @param version The version on npm.
 * @returns An absolute path.
 * @throws {Error} When npm fails, or its package has no program for this platform.
 */
export async function installClient(version: string): Promise<string> {
  if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) {
    throw new TypeError(`Cannot install the client: "${version}" is no version`);
  }
  const cache = new URL(".cache/", REPOSITORY).pathname;
  const folder = `${cache}client-${version}`;
  const present = programIn(folder);
  if (present !== null) return present;
  Deno.mkdirSync(cache, { recursive: true });
  using lock = Deno.openSync(`${folder}.lock`, { create: true, write: true });
  await lock.lock(true);
  if (programIn(folder) === null) await install(folder, version);
  const installed = programIn(folder);
  if (installed === null) throw new Error(`Cannot find the client: no program in "${folder}"`);
  return installed;
}

async function install(folder: string, version: string): Promise<void> {
  const partial = `${folder}.partial`;
  Deno.mkdirSync(partial, { recursive: true });
  const { code, stderr } = await new Deno.Command("npm", {
    args: [
      "install",
      "--prefix",
      partial,
      "--no-audit",
      "--no-fund",
      // The program comes in its own package; the install scripts would only copy it.
      "--ignore-scripts",
      `${PACKAGE}@${version}`,
    ],
    stdout: "null",
    stderr: "piped",
  }).output();
  if (code !== 0) {
    throw new Error(`Cannot install the client: ${new TextDecoder().decode(stderr)}`);
  }
  Deno.renameSync(partial, folder);
}

/** npm installs only this platform's package, so any package with a program is the right one. */
function programIn(folder: string): string | null {
  try {
    for (const { name } of Deno.readDirSync(`${folder}/${SCOPE}`)) {
      for (const program of ["claude", "claude.exe"]) {
        const path = `${folder}/${SCOPE}/${name}/${program}`;
        if (name !== "claude-code" && isFile(path)) return path;
      }
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return null;
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
