/**
 * Runs all checks that must pass before a change is merged. They are the same locally and in CI.
 *
 * `deno task test` runs all steps, even after a failure, and ends with one line of totals. A step without
 * tests counts as one test. `deno task test fmt lint` runs only the named steps. With `TRIMTAB_FULL=1`, which
 * is set every night and before a release, it runs all steps and all test cases; a normal run lists the tests
 * that it leaves out.
 */

import { pathToFileURL } from "node:url";
import { walkSync } from "@std/fs";
import { IS_FULL, LEFT_OUT } from "../tests/full.ts";
import { runDeno } from "./child.ts";
import { addTotals, NO_TOTALS, parseTestReport, type Totals, totalsLine } from "./totals.ts";

const COVERED_FOLDERS = ["src", "cli", "scripts", "hooks"];
const STEP_LIMIT_MS = (IS_FULL ? 120 : 30) * 60 * 1000;
const REPORT_TAIL_LINES = 400;
/**
 * Folders and files whose tests process a lot of data or run for a long time, and cover few additional lines.
 * Their coverage is not measured, because measuring makes them up to four times as slow, and the coverage
 * threshold is reached without them.
 */
const UNMEASURED = [
  "corpus",
  "faults",
  "fuzz",
  "load",
  "security",
  "inside/chain_test.ts",
  "inside/interleaved_test.ts",
  "inside/play_test.ts",
  "inside/twice_test.ts",
  "saved/checkpoint_property_test.ts",
];
/** Rooms whose tests take longest. They run first, so that none of them runs alone at the end. */
const LONGEST_ROOMS = ["scripts", "house", "corpus", "security"];
/** Preloads a module that turns coverage off in the tests' child processes, because it would slow them down. */
const UNMEASURED_CHILDREN = "--preload=tools/unmeasured_children.ts";
/** Options for tests. They skip the type check, which is the step `check`. */
const TEST_OPTIONS = ["--no-check", "--parallel"];
/**
 * One more worker than processors, because many tests wait for a child process. The tests with the real
 * client, which have time limits, use one worker per processor.
 */
const EXTRA_WORKER = { DENO_JOBS: String(navigator.hardwareConcurrency + 1) };
/** These steps rarely fail, so a normal gate skips them. */
const FULL_STEPS = ["publish", "compile"];
/** Variables of a client that runs the gate. Tests must not see that client's session. */
const CLIENT_VARIABLES = /^(?:CLAUDE|ANTHROPIC_|WORK_)/;

interface StepResult {
  readonly totals: Totals;
  readonly note: string;
  readonly output: string;
}

interface Gate {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** A folder for temporary files, removed after the gate. */
  readonly temporary: string;
}

/** Cheap steps come first. */
const STEPS: Readonly<Record<string, (gate: Gate) => Promise<StepResult>>> = {
  fmt: (gate) => runCommand(gate, ["fmt", "--check"]),
  lint: (gate) => runCommand(gate, ["lint"]),
  check: (gate) => runCommand(gate, ["check"]),
  docs: (gate) => runCommand(gate, ["doc", "--lint", "mod.ts", "src/designs/mod.ts"]),
  tests: runMeasuredTests,
  coverage: checkCoverage,
  examples: (gate) => runTests(gate, ["--doc", ...documents(gate.root)], ownConfig(gate)),
  publish: (gate) => runCommand(gate, ["publish", "--dry-run", "--allow-dirty"]),
  compile: checkBuild,
  trials: (gate) => runTests(gate, [...TEST_OPTIONS, writeRoomTests(gate, false)], EXTRA_WORKER),
  e2e: (gate) => runTests(gate, [...TEST_OPTIONS, "tests/e2e"], {}),
};

/**
 * Groups of steps that run after all other steps. The groups run in parallel, and the steps of a group one
 * after another. `e2e` mostly waits, and the last group uses one processor, so together they keep two busy.
 */
const LANES: readonly (readonly string[])[] = [
  ["e2e"],
  ["tests", "coverage", "trials"],
  ["lint", "check", "examples", "publish", "compile"],
];

async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !Object.hasOwn(STEPS, name));
  if (unknown.length > 0) {
    console.error(`Cannot run step "${unknown[0]}": steps are ${Object.keys(STEPS).join(", ")}`);
    return 2;
  }
  const temporary = Deno.makeTempDirSync({ prefix: "trimtab-gate-" });
  let totals = NO_TOTALS;
  try {
    const gate = { root: checkout(), env: stepEnv(), temporary };
    const selected = Object.entries(STEPS).filter(([name]) =>
      names.length === 0 ? IS_FULL || !FULL_STEPS.includes(name) : names.includes(name)
    );
    const inLanes = new Set(LANES.flat());
    const runSteps = async (names: readonly string[]): Promise<Totals> => {
      let sum = NO_TOTALS;
      for (const [name, run] of selected.filter(([name]) => names.includes(name))) {
        sum = addTotals(sum, await reportStep(name, () => run(gate)));
      }
      return sum;
    };
    const first = selected.map(([name]) => name).filter((name) => !inLanes.has(name));
    totals = await runSteps(first);
    totals = (await Promise.all(LANES.map(runSteps))).reduce(addTotals, totals);
  } finally {
    removeTemporary(temporary);
  }
  for (const description of totals.leftOut) console.log(`${LEFT_OUT}${description}`);
  for (const name of totals.skippedNames) console.log(`skipped: ${name}`);
  console.log(totalsLine(totals));
  return totals.failed > 0 ? 1 : 0;
}

async function reportStep(name: string, run: () => Promise<StepResult>): Promise<Totals> {
  const start = performance.now();
  const { totals, note, output } = await run().catch((error: unknown) =>
    oneResult(false, "could not run", String(error))
  );
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const failed = totals.failed > 0;
  if (failed) console.log(output.trimEnd().split("\n").slice(-REPORT_TAIL_LINES).join("\n"));
  console.log(
    `${failed ? "FAILED" : "ok    "} ${name.padEnd(9)} ${seconds.padStart(6)} s  ${note}`,
  );
  return totals;
}

async function runCommand(gate: Gate, args: readonly string[]): Promise<StepResult> {
  const { code, stdout, stderr } = await runWithTimeout(gate, args, {});
  return oneResult(code === 0, `deno ${args.join(" ")}`, stdout + stderr);
}

function oneResult(passed: boolean, note: string, output: string): StepResult {
  return {
    totals: { ...NO_TOTALS, passed: passed ? 1 : 0, failed: passed ? 0 : 1 },
    note,
    output,
  };
}

/** Keeps examples from writing to the real home folder. */
function ownConfig({ root }: Gate): Record<string, string> {
  return { CLAUDE_CONFIG_DIR: `${root}/.cache/test-config` };
}

async function runTests(
  gate: Gate,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<StepResult> {
  const all = ["test", "--no-prompt", "--allow-all", ...args];
  const { code, stdout, stderr } = await runWithTimeout(gate, all, env);
  const totals = parseTestReport(stdout, code === 0);
  return { totals, note: totalsLine(totals), output: stdout + stderr };
}

function runMeasuredTests(gate: Gate): Promise<StepResult> {
  const coverage = [
    `--coverage=${coverageOf(gate)}`,
    "--coverage-raw-data-only",
    UNMEASURED_CHILDREN,
  ];
  return runTests(gate, [...TEST_OPTIONS, ...coverage, writeRoomTests(gate, true)], EXTRA_WORKER);
}

function coverageOf({ temporary }: Gate): string {
  return `${temporary}/coverage`;
}

/**
 * Writes a module for each room of tests. The module imports the room's selected tests: with a module for
 * each test file, a quarter of the time would be spent on loading and measuring the code that the tests
 * share.
 *
 * @param isMeasured Whether to select the tests whose coverage is measured, or all others except e2e.
 * @returns The folder of the modules.
 */
function writeRoomTests({ root, temporary }: Gate, isMeasured: boolean): string {
  const folder = `${temporary}/${isMeasured ? "measured" : "unmeasured"}`;
  Deno.mkdirSync(folder);
  const tests = `${root}/tests`;
  const names = Array.from(
    walkSync(tests, { includeDirs: false, match: [/_test\.ts$/], skip: [/[/\\]e2e$/] }),
    ({ path }) => path.slice(tests.length + 1).replaceAll("\\", "/"),
  ).filter((name) => UNMEASURED.some((part) => isBelow(name, part)) !== isMeasured).sort();
  for (const [room = "", files] of Map.groupBy(names, (name) => name.split("/")[0])) {
    const urls = files.map((name) => pathToFileURL(`${tests}/${name}`));
    const imports = urls.map(({ href }) => `import "${href}";\n`);
    // Deno runs modules in the order of their names.
    const rank = LONGEST_ROOMS.includes(room) ? 0 : 1;
    Deno.writeTextFileSync(`${folder}/${rank}_${room}_test.ts`, imports.join(""));
  }
  return folder;
}

function isBelow(name: string, folderOrFile: string): boolean {
  return name === folderOrFile || name.startsWith(`${folderOrFile}/`);
}

/**
 * Builds the executable with Deno itself in place of its runtime, so that no download is needed. This shows
 * that all modules resolve and are included. The resulting executable does not run.
 */
async function checkBuild(gate: Gate): Promise<StepResult> {
  const args = ["run", "--no-prompt", "--allow-all", "tools/compile.ts"];
  const { code, stdout, stderr } = await runWithTimeout(gate, args, {
    DENORT_BIN: Deno.execPath(),
  });
  return oneResult(code === 0, "deno compile, build only", stdout + stderr);
}

/** Compares the coverage with the thresholds in `deno.json`. */
async function checkCoverage(gate: Gate): Promise<StepResult> {
  const root = RegExp.escape(pathToFileURL(gate.root).href);
  const include = `--include=^${root}/(?:${COVERED_FOLDERS.join("|")})/`;
  const args = ["coverage", include, coverageOf(gate)];
  const { code, stdout, stderr } = await runWithTimeout(gate, args, { NO_COLOR: "1" });
  const [branches, , lines] = /^\| All files .*$/m.exec(stdout)?.[0].match(/[\d.]+/g) ?? [];
  return oneResult(code === 0, `lines ${lines} %, branches ${branches} %`, stdout + stderr);
}

async function runWithTimeout(
  gate: Gate,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const signal = AbortSignal.timeout(STEP_LIMIT_MS);
  const result = await runDeno(args, {
    cwd: gate.root,
    env: { ...gate.env, ...env },
    clearEnv: true,
    signal,
  });
  return signal.aborted
    ? { ...result, code: 1, stderr: `${result.stderr}\nstopped after ${STEP_LIMIT_MS} ms\n` }
    : result;
}

function documents(root: string): string[] {
  const pages = Array.from(
    walkSync(root, {
      includeDirs: false,
      exts: ["md"],
      skip: [/[/\\]\.(?:git|cache)$/, /node_modules/, /[/\\]tests[/\\]fixtures/],
    }),
    (entry) => entry.path,
  );
  return ["mod.ts", "src", "deps", ...pages];
}

function stepEnv(): Record<string, string> {
  const env = Object.entries(Deno.env.toObject()).filter(([name]) => !CLIENT_VARIABLES.test(name));
  // Under `npx`, the `deno` on the PATH is a Node program that starts five times as slowly.
  const denoFolder = Deno.execPath().replace(/[/\\][^/\\]*$/, "");
  const separator = Deno.build.os === "windows" ? ";" : ":";
  const path = `${denoFolder}${separator}${Deno.env.get("PATH") ?? ""}`;
  return {
    ...Object.fromEntries(env.filter(([name]) => name.toUpperCase() !== "PATH")),
    PATH: path,
  };
}

function checkout(): string {
  const folder = import.meta.dirname;
  if (folder === undefined) throw new TypeError("Cannot run the gate: this module is not a file");
  // Coverage reports real paths, even if the gate was started through a link.
  return Deno.realPathSync(folder).replace(/[/\\]tools$/, "");
}

function removeTemporary(folder: string): void {
  try {
    Deno.removeSync(folder, { recursive: true });
  } catch (error) {
    // Windows cannot delete files that a child still has open while it ends. This error must not hide the
    // totals.
    console.error(`Cannot remove ${folder}: ${error}`);
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
