/**
 * Runs every command and every hook as a process with exactly its permissions, on a project whose
 * files are all damaged.
 */

import { assert, assertEquals } from "@std/assert";
import { ensureDirSync } from "@std/fs";
import { allPermissions } from "../../tools/permissions.ts";
import type { ChildResult } from "../../tools/child.ts";
import { newPlace, type Place } from "../scripts/place.ts";
import { bytesOf, byteText, readBytes, writeBytes } from "./bytes.ts";
import { mutateBytes, mutateJson, mutateLines, mutateText } from "./mutate.ts";
import { Random } from "./random.ts";
import {
  CHECKPOINT_SEED,
  CONFIG_SEED,
  LINEAGE_SEED,
  loadSeeds,
  payloadSeed,
  sessionPart,
  SETTINGS_SEED,
  SNAPSHOT_SEED,
  STATE_SEED,
  STATUS_SEED,
  TASK_SEEDS,
} from "./seeds.ts";
import { SESSION } from "./seed_lines.ts";
import "../own_config.ts";

const SEED = 20260723;

/** A machine may have no more processors. */
const CONCURRENT = 3;

/** Matches messages that the engine prints for an error in the program. */
const CRASH = /Uncaught|Cannot read propert|is not a function|is not iterable|call stack| at file:/;

const SCRIPTS = [...allPermissions().keys()];

/** Commands that are not listed run with `--json` alone. */
const ARGUMENTS: Readonly<Record<string, (place: Damaged) => string[]>> = {
  status: ({ session }) => [session],
  trim: ({ session }) => [session, "--keep-recent", "0"],
  show: ({ session }) => [`${session}:2`],
  search: ({ session }) => ["e", session],
  checkpoint: ({ session }) => [session],
  verify: ({ checkpoint }) => [checkpoint],
  snapshot: ({ session }) => [session, "--name", "n"],
  rehydrate: () => ["latest", "--level", "standard"],
  batch: ({ tasks }) => [tasks],
  watch: () => ["--once"],
  rollover: ({ session }) => [session, "--auto"],
  rescue: ({ session }) => [session],
  report: ({ session, place }) => [session, "--output", `${place.cwd}/.claude/trimtab/r.html`],
  install: () => ["--project", "--dry-run"],
};

interface Damaged {
  place: Place;
  session: string;
  checkpoint: string;
  tasks: string;
}

function damage(place: Place, random: Random): Damaged {
  const claude = `${place.cwd}/.claude`;
  const write = (path: string, text: string): string => {
    ensureDirSync(path.slice(0, path.lastIndexOf("/")));
    writeBytes(path, text);
    return path;
  };
  const seeds = loadSeeds();
  write(`${claude}/trimtab/state/${SESSION}.json`, mutateJson(STATE_SEED, random));
  write(`${claude}/trimtab/sessions.json`, mutateJson(LINEAGE_SEED, random));
  write(`${claude}/trimtab/blackboard.jsonl`, mutateLines(["{}", '{"kind":"header"}'], random));
  write(`${claude}/trimtab.toml`, mutateText(CONFIG_SEED, random));
  write(`${claude}/settings.json`, mutateJson(SETTINGS_SEED, random));
  write(
    `${claude}/runtime/context-snapshots/20260301_120000.json`,
    mutateJson(SNAPSHOT_SEED, random),
  );
  return {
    place,
    session: write(
      `${place.sessions}/${SESSION}.jsonl`,
      mutateLines(sessionPart(seeds, random), random),
    ),
    checkpoint: write(
      `${claude}/checkpoints/2026-03-01-120000.md`,
      mutateText(CHECKPOINT_SEED, random),
    ),
    tasks: write(`${place.cwd}/tasks.json`, mutateJson(TASK_SEEDS.json, random)),
  };
}

async function problemsOf(script: string, damaged: Damaged): Promise<string[]> {
  const { place, session } = damaged;
  const random = new Random(SEED, 1 + SCRIPTS.indexOf(script));
  const name = script.replace(/^\w+\/|\.ts$/g, "").replaceAll("_", "-");
  const isHook = script.startsWith("hooks/");
  const seed = name === "statusline"
    ? STATUS_SEED
    : { source: "clear", prompt: "x", trigger: "auto" };
  const payload = { ...payloadSeed({ project: place.cwd, transcript: session }), ...seed };
  const input = mutateJson(byteText(JSON.stringify(payload)), random);
  const stdin = new TextDecoder().decode(
    bytesOf(random.chance(20) ? mutateBytes(input, random) : input),
  );
  const given = ARGUMENTS[name]?.(damaged) ?? [];
  const args = isHook ? [] : [...given, "--json"];
  const result = await place.run(script, args, { stdin });
  const outputProblems = isHook ? hookProblems(name, result) : commandProblems(name, result);
  return outputProblems.map((what) =>
    `${script} ${args.join(" ")}: ${what} ${JSON.stringify(result)}`
  );
}

function hookProblems(name: string, { code, stdout, stderr }: ChildResult): string[] {
  const problems = [];
  if (code !== 0) problems.push("must exit 0");
  if (stderr !== "") problems.push("must say nothing on stderr");
  if (name !== "pre-compact" && stdout !== "" && !isOneObject(stdout)) {
    problems.push("must print one object or nothing");
  }
  return problems;
}

function commandProblems(name: string, { code, stdout, stderr }: ChildResult): string[] {
  const problems = [];
  const codes = name === "doctor" ? [0, 1, 3] : name === "statusline" ? [0] : [0, 1];
  if (!codes.includes(code)) problems.push(`must exit ${codes.join(" or ")}`);
  // A list of a checkpoint's problems is a valid output, too.
  if (code === 1 && stderr === "" && !isOneObject(stdout)) problems.push("must say what failed");
  if (code !== 1 && !isOneObject(stdout)) problems.push("must print one object");
  if (CRASH.test(stderr)) problems.push("must not crash");
  return problems;
}

function isOneObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && text.trimEnd().split("\n").length === 1;
  } catch {
    return false;
  }
}

Deno.test(`every command and hook survives damaged files as a process (seed ${SEED})`, async () => {
  using place = newPlace();
  const damaged = damage(place, new Random(SEED, 0));
  const before = readBytes(damaged.session);
  // Install, doctor and clean come last, since they repair or remove damage.
  const late = ["scripts/install.ts", "scripts/doctor.ts", "scripts/clean.ts"];
  const queue = [...SCRIPTS.filter((script) => !late.includes(script)), ...late];
  assertEquals(queue.length, SCRIPTS.length);
  const problems: string[] = [];
  const work = async (): Promise<void> => {
    for (let script = queue.shift(); script !== undefined; script = queue.shift()) {
      problems.push(...await problemsOf(script, damaged));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  assertEquals(problems, []);
  assert(readBytes(damaged.session) === before, "the session is as it was");
});
