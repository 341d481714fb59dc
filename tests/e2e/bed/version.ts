/**
 * Finds the version of the client that the tests run with. Tests depend on it only where the clients
 * themselves differ, for example in their reminders, their screens and their support for modules.
 */

import { runChild } from "../../../tools/child.ts";
import { CLIENT_VERSION, findClient, OLDEST_VERSION } from "./install.ts";

/** Keyed by the value of `TRIMTAB_CLIENT`, which changes when several clients are tested in turn. */
const VERSIONS = new Map<string, Promise<string>>();

export function clientVersion(): Promise<string> {
  const chosenProgram = Deno.env.get("TRIMTAB_CLIENT") ?? "";
  const version = VERSIONS.get(chosenProgram) ?? findVersion(chosenProgram);
  VERSIONS.set(chosenProgram, version);
  return version;
}

export async function isNewerClient(): Promise<boolean> {
  const collator = new Intl.Collator("en", { numeric: true });
  return collator.compare(await clientVersion(), OLDEST_VERSION) > 0;
}

async function findVersion(chosenProgram: string): Promise<string> {
  if (chosenProgram === "") return CLIENT_VERSION;
  try {
    const file = new URL("package.json", `file://${Deno.realPathSync(chosenProgram)}`);
    const { version } = JSON.parse(Deno.readTextFileSync(file));
    if (typeof version === "string") return version;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const { stdout } = await runChild(await findClient(), ["--version"]);
  const found = /\d+\.\d+\.\d+/.exec(stdout)?.[0];
  if (found === undefined) throw new Error(`Cannot determine the version of "${chosenProgram}"`);
  return found;
}
