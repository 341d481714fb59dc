/**
 * Tests the tests: puts small mistakes into `src/`, one at a time, and counts how many of them the
 * tests find. For each mistake, it runs the tests of the room with the mistake, and of the other
 * rooms that `TESTED_BY` names. Mistakes that the type check finds do not count.
 *
 *     deno task mutants              60 mistakes from a new seed, which is printed
 *     deno task mutants 20 trim      20 mistakes in one room
 *     deno task mutants 60 all 7     60 mistakes from the seed 7, the same each time
 *
 * Works on a copy of the checkout in a temporary folder. A mistake's rank depends only on the seed and its
 * own line, so runs before and after a change choose mostly the same mistakes.
 */

import { ensureDirSync, existsSync, walkSync } from "@std/fs";
import { runChild, runDeno } from "./child.ts";
import { randomFrom } from "./random.ts";

const COUNT = 60;
const MIN_KILLED = 0.85;
/** Candidates per requested mistake, because some fail the type check. */
const CANDIDATES_PER_MUTANT = 3;
/**
 * Ends tests in which a mistake causes an endless loop. Without such a loop, the tests of a room take several
 * minutes on a busy machine.
 */
const LIMIT_MS = 10 * 60 * 1000;
/** Other rooms whose tests also check the behavior of a room. */
const TESTED_BY: Readonly<Record<string, readonly string[]>> = {
  config: ["scripts"],
  changes: ["extract", "saved"],
  commands: ["extract", "saved"],
  core: ["extract", "inside", "inject", "store", "trim"],
  decisions: ["extract", "saved"],
  events: ["hooks"],
  extract: ["saved"],
  gauge: ["hooks", "scripts"],
  inject: ["extract", "saved", "hooks"],
  layout: ["saved"],
  live: ["hooks"],
  plan: ["scripts"],
  report: ["scripts"],
  saved: ["hooks", "scripts", "designs"],
  store: ["saved"],
  transcript: ["trim", "saved", "inside"],
  trim: ["inside", "verbs", "scripts"],
  verbs: ["scripts"],
  watch: ["hooks", "scripts"],
};

interface Mutator {
  readonly name: string;
  readonly pattern: RegExp;
  readonly replace: (...groups: string[]) => string;
}

interface Mutant {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const MUTATORS: readonly Mutator[] = [
  {
    name: "negated condition",
    pattern: /\bif \((.+)\) (return|continue|break|throw|\{)/,
    replace: (_, test = "", end = "") => `if (!(${test})) ${end}`,
  },
  {
    name: "off by one",
    pattern: / (<|>)(=?) (?=[\w(])/,
    replace: (_, sign = "", equal = "") => ` ${sign}${equal === "" ? "=" : ""} `,
  },
  { name: "off by one", pattern: / ([+-]) 1\b/, replace: (_, sign = "") => ` ${sign} 2` },
  {
    name: "and for or",
    pattern: / (&&|\|\|) /,
    replace: (_, sign = "") => sign === "&&" ? " || " : " && ",
  },
  { name: "dropped await", pattern: /\bawait (?=\w)/, replace: () => "" },
  {
    name: "dropped return",
    pattern: /^(\s*)return (?!;)(.+);$/,
    replace: (_, indent = "", value = "") => `${indent}void (${value});`,
  },
  {
    // Excludes Math.min and Math.max, where the order of arguments makes no difference.
    name: "swapped arguments",
    pattern: /(?<!Math\.(?=m(?:in|ax)\())\b(\w+)\((\w+), (\w+)\)(?! [:{=])/,
    replace: (_, name = "", a = "", b = "") => `${name}(${b}, ${a})`,
  },
  {
    name: "other equality",
    pattern: / ([!=])== /,
    replace: (_, sign = "") => sign === "!" ? " === " : " !== ",
  },
];

function mutantsIn(path: string, text: string): Mutant[] {
  let isComment = false;
  return text.split("\n").flatMap((before, index) => {
    if (/^\s*\/\*/.test(before)) isComment = true;
    const isCode = !isComment &&
      !/^\s*(?:\/\/|import\b|export \{|export \*|(?:export )?(?:async )?function\b)/.test(before);
    if (before.includes("*/")) isComment = false;
    if (!isCode) return [];
    return MUTATORS.flatMap(({ name, pattern, replace }) => {
      const after = before.replace(pattern, replace);
      return after === before ? [] : [{ path, line: index + 1, name, before, after }];
    });
  });
}

function pickMutants(all: readonly Mutant[], count: number, seed: number): Mutant[] {
  const seen = new Map<string, number>();
  const ranked = all.map((mutant) => {
    const place = `${mutant.path} ${mutant.name} ${mutant.before.trim()}`;
    const nth = seen.get(place) ?? 0;
    seen.set(place, nth + 1);
    return { mutant, rank: rankOf(nth === 0 ? place : `${place} ${nth}`, seed) };
  }).sort((a, b) => a.rank - b.rank);
  const picked: Mutant[] = [];
  for (const { mutant } of ranked) {
    if (picked.length >= count) break;
    const isTaken = picked.some(({ path, line }) => path === mutant.path && line === mutant.line);
    if (!isTaken) picked.push(mutant);
  }
  return picked;
}

function rankOf(place: string, seed: number): number {
  let hash = seed;
  for (const character of place) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return randomFrom(hash)();
}

async function copyTree(root: string, to: string): Promise<void> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { code, stdout, stderr } = await runChild("git", args, { cwd: root });
  if (code !== 0) throw new Error(`Cannot list the files of ${root}: ${stderr.trim()}`);
  for (
    const path of stdout.split("\0").filter((path) =>
      existsSync(`${root}/${path}`, { isFile: true })
    )
  ) {
    ensureDirSync(`${to}/${path}`.replace(/\/[^/]*$/, ""));
    Deno.copyFileSync(`${root}/${path}`, `${to}/${path}`);
  }
}

async function outcomeOf(copy: string, mutant: Mutant): Promise<"killed" | "invalid" | "SURVIVED"> {
  const path = `${copy}/${mutant.path}`;
  const text = Deno.readTextFileSync(path);
  Deno.writeTextFileSync(path, text.split("\n").with(mutant.line - 1, mutant.after).join("\n"));
  try {
    const { code } = await runDeno(["check", "mod.ts", mutant.path], { cwd: copy });
    if (code !== 0) return "invalid";
    const ownTests = mutant.path.replace(/^src/, "tests").replace(/\.ts$/, "_test.ts");
    const likely = existsSync(`${copy}/${ownTests}`) ? [ownTests] : [];
    const failure = await failureOf(copy, [...likely, ...testFoldersOf(copy, roomOf(mutant))]);
    return failure === undefined ? "SURVIVED" : "killed";
  } finally {
    Deno.writeTextFileSync(path, text);
  }
}

function roomOf({ path }: Mutant): string {
  return (path.split("/")[1] ?? "").replace(".ts", "");
}

/**
 * Returns the test folders of a room. The room's own folder comes first, because its tests find most mistakes.
 */
function testFoldersOf(copy: string, room: string): string[] {
  const folders = [room, ...(TESTED_BY[room] ?? [])].map((name) => `tests/${name}`)
    .filter((folder) => existsSync(`${copy}/${folder}`));
  // Without tests, every mistake would seem to survive.
  if (folders.length === 0) throw new Error(`TESTED_BY names no tests for src/${room}`);
  return folders;
}

async function failureOf(copy: string, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const failure = await failureIn(copy, path);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

async function failureIn(copy: string, path: string): Promise<string | undefined> {
  const args = ["test", "--no-prompt", "--allow-all", "--no-check", "--fail-fast", "--parallel"];
  const signal = AbortSignal.timeout(LIMIT_MS);
  const { code, stdout, stderr } = await runDeno([...args, path], { cwd: copy, signal });
  if (code === 0) return undefined;
  return stdout + stderr +
    (signal.aborted ? `\nNot finished after ${LIMIT_MS / 60_000} minutes` : "");
}

async function main(args: readonly string[]): Promise<number> {
  const fresh = crypto.getRandomValues(new Uint16Array(1))[0];
  const [count, seed] = [Number(args[0] ?? COUNT), Number(args[2] ?? fresh)];
  if (![count, seed].every(Number.isSafeInteger) || count < 1) {
    console.error(`Cannot make mutants with ${args.join(" ")}: expected COUNT, ROOM and SEED`);
    return 2;
  }
  const room = args[1] === undefined || args[1] === "all" ? "" : `/${args[1]}`;
  const root = decodeURIComponent(new URL("..", import.meta.url).pathname).replace(/\/$/, "");
  const all: Mutant[] = [];
  for (
    const { path } of walkSync(`${root}/src${room}`, { includeDirs: false, exts: ["ts"] })
  ) {
    all.push(...mutantsIn(path.slice(root.length + 1), Deno.readTextFileSync(path)));
  }
  const copy = Deno.makeTempDirSync({ prefix: "trimtab-mutants-" });
  let [killed, made] = [0, 0];
  const picked = pickMutants(all, count * CANDIDATES_PER_MUTANT, seed);
  console.log(`seed ${seed}`);
  try {
    await copyTree(root, copy);
    const passing = new Set<string>();
    for (const mutant of picked) {
      if (made >= count) break;
      const room = roomOf(mutant);
      // Tests that fail without a mistake would seem to find every mistake.
      const untried = testFoldersOf(copy, room).filter((folder) => !passing.has(folder));
      const failure = await failureOf(copy, untried);
      if (failure !== undefined) {
        console.error(`${failure}\nThe tests of ${room} fail without a mistake`);
        return 1;
      }
      for (const folder of untried) passing.add(folder);
      const outcome = await outcomeOf(copy, mutant);
      if (outcome !== "invalid") made++;
      if (outcome === "killed") killed++;
      const { path, line, name, after } = mutant;
      console.log(`${outcome.padEnd(8)} ${path}:${line} ${name}: ${after.trim()}`);
    }
  } finally {
    Deno.removeSync(copy, { recursive: true });
  }
  console.log(`${killed} of ${made} mutants killed (seed ${seed})`);
  return killed >= made * MIN_KILLED ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
