/**
 * Plants credentials in every field. Checks that trimtab saves no credential, and that no command prints one,
 * except for commands that print their input.
 */

import { keptFolder } from "../../src/transcript/kept.ts";
import { DOCUMENTED_KINDS, drawFrom } from "../secrets/draw.ts";
import { type Round, runRound } from "./rounds.ts";
import { around, Watcher } from "./watcher.ts";
import { filesWith, type World } from "./world.ts";

const SEED = 20_260_404;

/** Commands that print their input: entries of a transcript, and a list of tasks. */
const PRINT_THEIR_INPUT = ["show", "search", "batch"];

/** A credential of this kind must be on its own line, but a decision joins the lines of its text. */
const NEEDS_LINE = "Session cookie in a header";

/** A quick run plants only one in this many kinds. tests/secrets/ covers all kinds. */
const KIND_STEP = 12;

const PER_TEXT = 6;

export async function plantedSecrets(world: World, isFull: boolean): Promise<Watcher> {
  const watcher = new Watcher(world);
  const kinds = DOCUMENTED_KINDS.filter(({ name }) => name !== NEEDS_LINE)
    .filter((_, n) => isFull || n % KIND_STEP === 0);
  for (let start = 0; start < kinds.length; start += PER_TEXT) {
    const some = kinds.slice(start, start + PER_TEXT);
    const drawn = some.map(({ template }, n) => drawFrom(template, SEED + start + n));
    const label = some.map(({ name }) => name).join(", ");
    const text = drawn.map(({ text }) => text).join("\n");
    const probes = drawn.flatMap(({ secrets }) => secrets).flatMap(probesOf);
    await checkRound(world, watcher, { text, label, probes, isFull });
  }
  return watcher;
}

/** @param probes Parts of the text that identify a credential. */
async function checkRound(
  world: World,
  watcher: Watcher,
  { probes, label, ...round }: Round & { readonly probes: readonly string[] },
): Promise<void> {
  for (const { name, stdout, stderr } of await runRound(world, watcher, { label, ...round })) {
    if (PRINT_THEIR_INPUT.includes(name)) continue;
    const probe = probes.find((part) => (stdout + stderr).includes(part));
    if (probe === undefined) continue;
    watcher.problems.push(`${label} is printed by ${name}: ${around(stdout + stderr, probe)}`);
  }
  for (const [path, probe] of filesWith(world.home, probes)) {
    if (isTranscript(path, world) || isPlanted(path, world)) continue;
    const kept = Deno.readTextFileSync(path);
    watcher.problems.push(`${label} is in ${path}: ${around(kept, probe)}`);
  }
}

/** Returns a short credential, or both ends of a long one without the prefix that identifies its kind. */
function probesOf(secret: string): string[] {
  return secret.length <= 18 ? [secret] : [secret.slice(4, 18), secret.slice(-14)];
}

/** A kept transcript counts too, because it is a copy of Claude Code's. */
function isTranscript(path: string, { sessions, config }: World): boolean {
  return path.startsWith(sessions) || path.startsWith(`${keptFolder(config)}/`);
}

function isPlanted(path: string, { project }: World): boolean {
  return path.startsWith(`${project}/.planning/`) || path === `${project}/tasks.json`;
}
