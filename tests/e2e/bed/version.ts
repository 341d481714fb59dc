/**
 * Which version of the client the tests run with: it is pinned, but `TRIMTAB_CLIENT` can name another
 * one, so that trimtab is known to work with the client that people have.
 *
 * A test may ask for it where clients differ in what is none of trimtab's business: their own reminders,
 * the words on their screens, how often they ask. What trimtab does is asserted for all of them.
 *
 * @module
 */

import { CLIENT_VERSION, findClient, OLDEST_VERSION } from "./install.ts";

/** By the value of `TRIMTAB_CLIENT`, which changes when several clients are tested in turn. */
const ASKED = new Map<string, Promise<string>>();

/**
 * The version of the client under test.
 *
 * Needs `--allow-env=TRIMTAB_CLIENT`, `--allow-read` and, where the program is not in its npm package,
 * `--allow-run` of it.
 *
 * @returns A version such as `2.1.197`.
 */
export function clientVersion(): Promise<string> {
  const given = Deno.env.get("TRIMTAB_CLIENT") ?? "";
  const asked = ASKED.get(given) ?? findVersion(given);
  ASKED.set(given, asked);
  return asked;
}

/**
 * Whether the client under test is newer than the oldest that is held.
 *
 * Needs what {@link clientVersion} needs.
 *
 * @returns Whether it is.
 */
export async function isNewerClient(): Promise<boolean> {
  const collator = new Intl.Collator("en", { numeric: true });
  return collator.compare(await clientVersion(), OLDEST_VERSION) > 0;
}

async function findVersion(given: string): Promise<string> {
  if (given === "") return CLIENT_VERSION;
  try {
    const file = new URL("package.json", `file://${Deno.realPathSync(given)}`);
    const { version } = JSON.parse(Deno.readTextFileSync(file));
    if (typeof version === "string") return version;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const { stdout } = await new Deno.Command(await findClient(), { args: ["--version"] }).output();
  const found = /\d+\.\d+\.\d+/.exec(new TextDecoder().decode(stdout))?.[0];
  if (found === undefined) throw new Error(`Cannot tell the version of "${given}"`);
  return found;
}
