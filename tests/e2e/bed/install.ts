/** Finds the real client's program, or installs it once for all runs. */

import { isFile, listFolder } from "../../../src/store/exists.ts";
import { runChild } from "../../../tools/child.ts";

/**
 * End-to-end tests run with this version, unless `TRIMTAB_CLIENT` specifies another program. The contract
 * test also runs with {@linkcode OLDEST_VERSION}.
 */
export const CLIENT_VERSION = "2.1.330";

/** The oldest version that is tested. */
export const OLDEST_VERSION = "2.1.197";

export const PACKAGE = "@anthropic-ai/claude-code";

const REPOSITORY = new URL("../../../", import.meta.url);
const SCOPE = "node_modules/@anthropic-ai";

/**
 * Returns the client's program: the one that `TRIMTAB_CLIENT` specifies, or {@linkcode CLIENT_VERSION} in the
 * project's `.cache`. Concurrent runs wait for one another, and a killed run leaves no install that looks
 * complete.
 */
export async function findClient(): Promise<string> {
  const chosenProgram = Deno.env.get("TRIMTAB_CLIENT");
  return chosenProgram !== undefined && chosenProgram !== ""
    ? chosenProgram
    : await installClient(CLIENT_VERSION);
}

/** Returns the absolute path of a version's program; npm installs the version if it is missing. */
export async function installClient(version: string): Promise<string> {
  if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) {
    throw new TypeError(`Cannot install the client: "${version}" is not a version`);
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
  // The program comes in its own package; the install scripts would only copy it.
  const flags = ["--prefix", partial, "--no-audit", "--no-fund", "--ignore-scripts"];
  const { code, stderr } = await runChild("npm", ["install", ...flags, `${PACKAGE}@${version}`]);
  if (code !== 0) throw new Error(`Cannot install the client: ${stderr}`);
  Deno.renameSync(partial, folder);
}

/** npm installs only the package for this platform, so any package with a program is the right one. */
function programIn(folder: string): string | null {
  const paths = listFolder(`${folder}/${SCOPE}`)
    .filter(({ name }) => name !== "claude-code")
    .flatMap(({ name }) =>
      ["claude", "claude.exe"].map((file) => `${folder}/${SCOPE}/${name}/${file}`)
    );
  return paths.find((path) => isFile(path)) ?? null;
}
