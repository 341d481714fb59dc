/**
 * Runs all cases of the scenarios, while the gate runs some of them. Also starts each script and
 * hook as a process with exactly its permissions, and without each of them in turn: `deno run -A
 * tests/security/full.ts [SCENARIO...]`.
 *
 * @module
 */

import { allPermissions, withFolders } from "../../tools/permissions.ts";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import { commandLines } from "./command_lines.ts";
import { loadAll } from "./actor.ts";
import { payloadOf } from "./hostile_input.ts";
import { play } from "./play.ts";
import { SCENARIOS } from "./scenarios.ts";
import { STEERING } from "./watcher.ts";
import { buildWorld, worldAt } from "./world.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** Must not appear when a permission is missing. */
const TRACE = /Uncaught|\n {4}at |[?] \[y\/n/;

/**
 * Runs every script and hook with its row from the launcher's table, then without each of the row's
 * flags in turn.
 */
async function crossPermissions(): Promise<{ cases: number; problems: string[] }> {
  await loadAll();
  const rows = allPermissions();
  const jobs = new Map((await commandLines()).mainJobs);
  const problems: string[] = [];
  let cases = 0;
  for (const [path, row] of rows) {
    const name = path.replace(/^\w+\/|\.ts$/g, "");
    const isHook = path.startsWith("hooks/");
    for (const left of [null, ...row]) {
      const world = worldAt(Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trimtab-full-" })));
      buildWorld(world);
      const flags = withFolders(row.filter((flag) => flag !== left), world);
      const args = ["run", "--quiet", "--no-check", "--no-prompt", ...flags, `${ROOT}${path}`];
      const payload = JSON.stringify({ ...payloadOf(world), hook_event_name: "any" });
      const { code, stdout, stderr } = await runDeno(
        [...args, ...isHook ? [] : jobs.get(name) ?? []],
        {
          cwd: world.project,
          clearEnv: true,
          env: cleanEnv({ HOME: world.home }),
          stdin: payload,
        },
      );
      cases++;
      const description = `${path} without ${left ?? "nothing"}: ${code} ${stderr.slice(0, 300)}`;
      if (TRACE.test(stderr) || STEERING.test(stdout + stderr)) problems.push(description);
      if (
        isHook
          ? code !== 0 || stderr !== ""
          : ![0, 1, ...path === "scripts/doctor.ts" ? [3] : []].includes(code)
      ) problems.push(description);
      const isMissed = left?.startsWith("--allow-read") || left?.startsWith("--allow-write");
      // A command that lacks one of its permissions reports that, or does not need the permission
      // here.
      if (isMissed && code === 1 && !/access|may only touch|has none/.test(stderr)) {
        problems.push(`${description} (unclear)`);
      }
      if (
        left === null && code !== 0 &&
        !/no file|no checkpoint|has none|snapshot|tasks/.test(stderr + stdout)
      ) {
        problems.push(`${description} (with all of its permissions)`);
      }
      Deno.removeSync(world.root, { recursive: true });
    }
  }
  return { cases, problems };
}

const known = [...Object.keys(SCENARIOS), "permissions"];
const unknown = Deno.args.find((name) => !known.includes(name));
if (unknown !== undefined) {
  console.error(`Cannot run ${unknown}: scenarios are ${known.join(", ")}`);
  Deno.exit(2);
}
let failed = 0;
for (const scenario of Deno.args.length > 0 ? Deno.args : known) {
  const start = performance.now();
  const { cases, problems } = scenario === "permissions"
    ? await crossPermissions()
    : await play(scenario, "full");
  failed += problems.length;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${scenario}: ${cases} cases, ${problems.length} problems, ${seconds} s`);
  for (const problem of problems) console.log(`  ${problem.slice(0, 500)}`);
}
Deno.exit(failed === 0 ? 0 : 1);
