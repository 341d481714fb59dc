/**
 * Tests the tests: puts small mistakes into `src/`, one at a time, and counts how many the room's own
 * tests find.
 *
 *     deno task mutants              60 mistakes, the same each time
 *     deno task mutants 20 trim      20 of them in one room
 *
 * Works on a copy of the checkout in a temporary folder.
 *
 * @module
 */

import { existsSync, walkSync } from "@std/fs";
import { runDeno } from "./child.ts";
import { randomFrom } from "./random.ts";

const SEED = 20261122;
const COUNT = 60;
const LEAST_KILLED = 0.9;
const LIMIT_MS = 5 * 60 * 1000;
const FOLDERS = [
  "src",
  "cli",
  "scripts",
  "hooks",
  "tests",
  "tools",
  "deps",
  "bin",
  "skills",
  "docs",
];
const FILES = ["deno.json", "deno.lock", "mod.ts", "README.md", "snapshots.schema.json"];
/** Rooms whose behaviour is seen through another one's tests. */
const TESTED_BY: Readonly<Record<string, readonly string[]>> = {
  core: ["core", "trim", "inside"],
  inject: ["inject", "hooks"],
  saved: ["saved", "api"],
  inside: ["inside"],
};

/** A kind of mistake. */
interface Mutator {
  readonly name: string;
  readonly pattern: RegExp;
  readonly replace: (...groups: string[]) => string;
}

/** A mistake in one place. */
export interface Mutant {
  readonly path: string;
  /** Its line, from 1. */
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
    // The order of two numbers makes no difference to Math.min and Math.max: no test could tell.
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

/** Finds every mistake that can be made in a module. */
export function mutantsIn(path: string, text: string): Mutant[] {
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

/** Picks some, the same for the same seed, and none of a line twice. */
export function pickMutants(all: readonly Mutant[], count: number, seed: number): Mutant[] {
  const random = randomFrom(seed);
  const left = [...all];
  const picked: Mutant[] = [];
  while (picked.length < count && left.length > 0) {
    const [one] = left.splice(Math.floor(random() * left.length), 1);
    if (one === undefined) break;
    if (!picked.some(({ path, line }) => path === one.path && line === one.line)) picked.push(one);
  }
  return picked;
}

function copyTree(root: string, to: string): void {
  for (const folder of FOLDERS) {
    for (const { path, isFile } of walkSync(`${root}/${folder}`)) {
      const target = to + path.slice(root.length);
      if (isFile) Deno.copyFileSync(path, target);
      else Deno.mkdirSync(target, { recursive: true });
    }
  }
  for (const file of FILES) Deno.copyFileSync(`${root}/${file}`, `${to}/${file}`);
}

/** Whether the tests of its room find a mistake. */
async function isKilled(copy: string, mutant: Mutant): Promise<boolean> {
  const path = `${copy}/${mutant.path}`;
  const text = Deno.readTextFileSync(path);
  Deno.writeTextFileSync(path, text.split("\n").with(mutant.line - 1, mutant.after).join("\n"));
  try {
    return !await isGreen(copy, roomOf(mutant));
  } finally {
    Deno.writeTextFileSync(path, text);
  }
}

function roomOf({ path }: Mutant): string {
  return path.split("/")[1] ?? "";
}

/** Whether the tests of a room pass. */
async function isGreen(copy: string, room: string): Promise<boolean> {
  const folders = (TESTED_BY[room] ?? [room]).map((name) => `tests/${name}`)
    .filter((folder) => existsSync(`${copy}/${folder}`));
  const args = ["test", "--no-prompt", "--allow-all", "--no-check", "--fail-fast", "--parallel"];
  const signal = AbortSignal.timeout(LIMIT_MS);
  return (await runDeno([...args, ...folders], { cwd: copy, signal })).code === 0;
}

async function main(args: readonly string[]): Promise<number> {
  const count = args[0] === undefined ? COUNT : Number(args[0]);
  if (!Number.isSafeInteger(count) || count < 1) {
    console.error(`Cannot make ${args[0]} mutants: expected a number from 1`);
    return 2;
  }
  const root = decodeURIComponent(new URL("..", import.meta.url).pathname).replace(/\/$/, "");
  const all: Mutant[] = [];
  for (
    const { path } of walkSync(`${root}/src${args[1] === undefined ? "" : `/${args[1]}`}`, {
      includeDirs: false,
      exts: ["ts"],
    })
  ) {
    all.push(...mutantsIn(path.slice(root.length + 1), Deno.readTextFileSync(path)));
  }
  const copy = Deno.makeTempDirSync({ prefix: "trimtab-mutants-" });
  let killed = 0;
  const picked = pickMutants(all, count, SEED);
  try {
    copyTree(root, copy);
    // Tests that fail anyway would find every mistake.
    for (const room of new Set(picked.map(roomOf))) {
      if (await isGreen(copy, room)) continue;
      console.error(`The tests of ${room} fail without a mistake`);
      return 1;
    }
    for (const mutant of picked) {
      const isFound = await isKilled(copy, mutant);
      if (isFound) killed++;
      console.log(
        `${
          isFound ? "killed  " : "SURVIVED"
        } ${mutant.path}:${mutant.line} ${mutant.name}: ${mutant.after.trim()}`,
      );
    }
  } finally {
    Deno.removeSync(copy, { recursive: true });
  }
  console.log(`${killed} of ${picked.length} mutants killed`);
  return killed >= picked.length * LEAST_KILLED ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
