import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { loadContextConfig } from "../../src/config/load.ts";
import { ConfigError, problemText } from "../../src/config/problem.ts";
import { hookConfig, readConfig } from "../../src/config/read_config.ts";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { newProject, type Project } from "./project.ts";
import "../own_config.ts";

const DEFAULTS = { ...DEFAULT_CONFIG, waiting: [], retired: [] };

Deno.test("hookConfig() returns the same configuration as loadContextConfig(), and sees changes", async () => {
  using project = newProject();
  Deno.writeTextFileSync(project.user, "context.warn_threshold = 1_0\n");
  Deno.writeTextFileSync(project.project, "[live]\nenabled = true\n");
  assertEquals(await hookConfig(project), { config: loadContextConfig(project), notice: null });
  assertEquals((await readConfig(project)).context.warn_threshold, 10);
  Deno.writeTextFileSync(project.user, "[context]\nwarn_threshold = 20 # higher\n");
  assertEquals((await hookConfig(project)).config.context.warn_threshold, 20);
  Deno.removeSync(project.user);
  assertEquals((await hookConfig(project)).config.context.warn_threshold, 60);
});

Deno.test("hookConfig() reports the error that a command throws, and uses the defaults", async () => {
  using project = newProject();
  for (const text of ["[context]\nurgent_threshold = 5\n", "[context.more]\nx = 1\n"]) {
    Deno.writeTextFileSync(project.project, text);
    const error = assertThrows(() => loadContextConfig(project), ConfigError);
    await assertRejects(() => readConfig(project), ConfigError, error.message);
    const problems = error.problems.map(problemText).join("; ");
    const notice = `trimtab: using the defaults, because the configuration is invalid: ${problems}`;
    assertEquals(await hookConfig(project), { config: DEFAULTS, notice });
  }
});

Deno.test("hookConfig() finds the shared file at the root of the repository", async () => {
  using project = newProject();
  const below = { ...project, projectDir: `${project.projectDir}/packages/a` };
  const threshold = async () => (await hookConfig(below)).config.context.warn_threshold;
  Deno.mkdirSync(below.projectDir, { recursive: true });
  Deno.writeTextFileSync(project.work, "[context]\nwarn_threshold = 10\n");
  assertEquals(await threshold(), 60, "no repository");
  Deno.mkdirSync(`${project.projectDir}/.git`);
  assertEquals(await threshold(), 10);
  assertEquals(loadContextConfig(below).sources.context.warn_threshold.from, project.work);
  Deno.writeTextFileSync(`${below.projectDir}/.work.toml`, "[context]\nwarn_threshold = 20\n");
  assertEquals(await threshold(), 20, "the folder's own file takes precedence");
  Deno.removeSync(`${below.projectDir}/.work.toml`);
  Deno.mkdirSync(`${below.projectDir}/.git`);
  assertEquals(await threshold(), 60, "the folder is its own repository");
});

Deno.test("readConfig() accepts keys of earlier versions and reports their replacements", async () => {
  using project = newProject();
  const text = "[context]\nwarn_tokens = 100000\nwarn_threshold = 50\n[live]\nsubagents = true\n";
  Deno.writeTextFileSync(project.user, text);
  const { context, retired } = await readConfig(project);
  assertEquals(context.warn_threshold, 50);
  assertEquals(retired.map(({ file, key }) => [file, key]), [
    [project.user, "context.warn_tokens"],
    [project.user, "live.subagents"],
  ]);
  assertMatch(retired[0]?.instead ?? "", /window_tokens/);
});

Deno.test("hookConfig() limits its notice to one line of 600 characters", async () => {
  using project = newProject();
  const keys = Array.from({ length: 100 }, (_, index) => `unknown_${index} = "😀"`).join("\n");
  Deno.writeTextFileSync(project.project, `[context]\n${keys}\n`);
  const notice = (await hookConfig(project)).notice ?? "";
  assert(notice.length > 590 && notice.length <= 600, `${notice.length}`);
  assert(notice.endsWith("…") && notice.isWellFormed() && !/\p{Cc}/u.test(notice), notice);
});

Deno.test("hookConfig() uses the defaults when a file cannot be read", async () => {
  const { config, notice } = await hookConfig({ projectDir: "/a\0b", configDir: "/c" });
  assertEquals(config, DEFAULTS);
  const start = "trimtab: using the defaults, because the configuration cannot be read: ";
  assertEquals(notice?.startsWith(start), true, notice ?? "");
});

Deno.test("hookConfig() needs no package, and no permission except for the files that it reads", () => {
  using project = newProject();
  Deno.writeTextFileSync(project.user, "[context]\nwarn_threshold = 10\n");
  assertEquals(runHook(project, [project.user, project.work, project.project]), "[10,null]");
  const denied = runHook(project, [project.work, project.project]);
  const start = '[60,"trimtab: using the defaults, because the configuration cannot be read: ';
  assert(denied.startsWith(`${start}Requires read access`), denied);
});

/** Runs a process that may read only these files and import no packages, and returns its output. */
function runHook({ projectDir, configDir }: Project, allowed: readonly string[]): string {
  const script = `${projectDir}/hook.ts`;
  const module = new URL("../../src/config/read_config.ts", import.meta.url).href;
  const location = { projectDir, configDir, isTrusted: false };
  const program = `import { hookConfig } from ${JSON.stringify(module)};
    const { config, notice } = await hookConfig(${JSON.stringify(location)});
    console.log(JSON.stringify([config.context.warn_threshold, notice]));`;
  Deno.writeTextFileSync(script, program);
  const { code, stdout, stderr } = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--no-config", "--no-remote", "--no-npm"],
      ...[`--allow-read=${allowed.join(",")}`, script],
    ],
    env: { NO_COLOR: "1" },
  }).outputSync();
  assertEquals(new TextDecoder().decode(stderr), "");
  assertEquals(code, 0);
  return new TextDecoder().decode(stdout).trim();
}
