/**
 * Plants credentials in every field; none may appear in files or output.
 *
 * @module
 */

import { playRound } from "./rounds.ts";
import { makeSecrets, probesOf, type Secret } from "./secrets.ts";
import { around, Watcher } from "./watcher.ts";
import { filesWith, type World } from "./world.ts";

const SEED = 20_260_404;

/** Commands that print their input: entries of a transcript, and a list of tasks. */
const PRINT_THEIR_INPUT = ["show", "search", "batch"];

/** Credentials per text in a quick run. */
const TOGETHER = 6;

/** Looks for each planted credential in output and in all files except transcripts. */
export async function plantedSecrets(world: World, isFull: boolean): Promise<Watcher> {
  const watcher = new Watcher(world);
  for (const seed of isFull ? [SEED, SEED + 1, SEED + 2] : [SEED]) {
    for (const secrets of groupsOf(makeSecrets(seed), isFull ? 1 : TOGETHER)) {
      await look(world, watcher, { secrets, isFull });
    }
  }
  return watcher;
}

async function look(
  world: World,
  watcher: Watcher,
  { secrets, isFull }: { readonly secrets: readonly Secret[]; readonly isFull: boolean },
): Promise<void> {
  const label = secrets.map(({ kind }) => kind).join(", ");
  const probes = secrets.flatMap(probesOf);
  const text = secrets.map((one) => one.text).join("\n");
  for (const { name, stdout, stderr } of await playRound(world, watcher, { text, label, isFull })) {
    if (PRINT_THEIR_INPUT.includes(name)) continue;
    const probe = probes.find((one) => (stdout + stderr).includes(one));
    if (probe === undefined) continue;
    watcher.problems.push(`${label} is told by ${name}: ${around(stdout + stderr, probe)}`);
  }
  for (const [path, probe] of filesWith(world.home, probes)) {
    if (path.startsWith(world.sessions) || isPlanted(path, world)) continue;
    const kept = Deno.readTextFileSync(path);
    watcher.problems.push(`${label} stands in ${path}: ${around(kept, probe)}`);
  }
}

function groupsOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from(
    { length: Math.ceil(items.length / size) },
    (_, index) => items.slice(index * size, (index + 1) * size),
  );
}

function isPlanted(path: string, { project }: World): boolean {
  return path.startsWith(`${project}/.planning/`) || path === `${project}/tasks.json`;
}
