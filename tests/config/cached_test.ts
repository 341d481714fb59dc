import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  CONFIG_CACHE_VERSION,
  configCachePath,
  configCacheText,
  readConfigCache,
  readHookConfig,
} from "../../src/config/cached.ts";
import { loadContextConfig } from "../../src/config/load.ts";
import { ConfigError, problemText } from "../../src/config/problem.ts";
import { refreshContextConfig } from "../../src/config/refresh.ts";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { inProject } from "./project.ts";
import { keyPath } from "../../src/store/ours.ts";
import { parentPath } from "../../src/store/paths.ts";
import "../own_config.ts";

const POSIX = Deno.build.os !== "windows";
const NOT_IN_USE =
  /^trimtab: using (defaults|the previous values): .+ is new or changed, and too complex for a hook to parse\. Run `trimtab status` once to apply it\.$/;

/** Writes a file that cannot be mistaken for the one before, however coarse the clock is. */
function write(path: string, text: string, atSeconds: number): void {
  Deno.writeTextFileSync(path, text);
  Deno.utimeSync(path, atSeconds, atSeconds);
}

Deno.test("readHookConfig() gives the defaults and says nothing when there are no files", () =>
  inProject((project) => {
    assertEquals(readHookConfig(project), { config: DEFAULT_CONFIG, notice: null, waiting: [] });
  }));

Deno.test("readHookConfig() gives the defaults without files whatever the cache says", () =>
  inProject((project) => {
    write(project.project, "[context]\nwarn_threshold = 10\n", 1);
    refreshContextConfig(project);
    Deno.removeSync(project.project);
    assertEquals(readHookConfig(project), { config: DEFAULT_CONFIG, notice: null, waiting: [] });
  }));

Deno.test("readHookConfig() gives what a command loaded from the files as they are", () =>
  inProject((project) => {
    write(project.user, "[context]\nwarn_threshold = 10\n", 1);
    write(project.project, "[live]\nenabled = true\n", 1);
    const { context, live, inside } = refreshContextConfig(project);
    assertEquals(readHookConfig(project), {
      config: { context, live, inside },
      notice: null,
      waiting: [],
    });
    assertEquals(context.warn_threshold, 10);
    assertEquals(live.enabled, true);
  }));

Deno.test("readHookConfig() gives the defaults and a notice before any command read the files", () =>
  inProject((project) => {
    write(project.project, "[context]\nwarn_threshold = 0xa\n", 1);
    const { config, notice } = readHookConfig(project);
    assertEquals(config, DEFAULT_CONFIG);
    assertEquals(NOT_IN_USE.exec(notice ?? "")?.[1], "defaults");
    assert(notice?.includes(project.project));
    refreshContextConfig(project);
    assertEquals(readHookConfig(project).notice, null);
  }));

Deno.test("readHookConfig() gives what a file says from the next event on", () =>
  inProject((project) => {
    write(project.project, "[context]\nwarn_threshold = 10\n", 1);
    assertEquals(readHookConfig(project).config.context.warn_threshold, 10);
    refreshContextConfig(project);
    write(project.project, "[context]\nwarn_threshold = 20 # higher\n[live]\nenabled = true\n", 2);
    const { config, notice } = readHookConfig(project);
    assertEquals(notice, null);
    assertEquals(config.context.warn_threshold, 20);
    assertEquals(config.live.enabled, true);
    Deno.removeSync(project.project);
    assertEquals(readHookConfig(project), { config: DEFAULT_CONFIG, notice: null, waiting: [] });
  }));

Deno.test("readHookConfig() finds what is wrong in a changed file as a command does", () =>
  inProject((project) => {
    const texts = [
      "[context]\nurgent_threshold = 5\n",
      "[context]\nwarn_treshold = 5\n",
      "[context]\nwarn_threshold = 500\n",
      "warn_threshold = 50\n",
      "[context.more]\nx = 1\n",
    ];
    for (const text of texts) {
      Deno.writeTextFileSync(project.project, text);
      const error = assertThrows(() => loadContextConfig(project), ConfigError);
      const told = error.problems.map(problemText).join("; ");
      const notice = `trimtab: using defaults, the configuration is wrong: ${told}`;
      assertEquals(readHookConfig(project), { config: DEFAULT_CONFIG, notice, waiting: [] });
    }
  }));

Deno.test("readHookConfig() finds the shared file at the root of the repository", () =>
  inProject((project) => {
    const below = { ...project, projectDir: `${project.projectDir}/packages/a` };
    Deno.mkdirSync(below.projectDir, { recursive: true });
    write(project.work, "[context]\nwarn_threshold = 10\n", 1);
    assertEquals(readHookConfig(below).config.context.warn_threshold, 60, "no repository");
    Deno.mkdirSync(`${project.projectDir}/.git`);
    assertEquals(readHookConfig(below).config.context.warn_threshold, 10);
    assertEquals(loadContextConfig(below).sources.context.warn_threshold.from, project.work);
    refreshContextConfig(below);
    assertEquals(readHookConfig(below).config.context.warn_threshold, 10);
    write(`${below.projectDir}/.work.toml`, "[context]\nwarn_threshold = 20\n", 1);
    assertEquals(readHookConfig(below).config.context.warn_threshold, 20, "its own wins");
    Deno.removeSync(`${below.projectDir}/.work.toml`);
    Deno.mkdirSync(`${below.projectDir}/.git`);
    assertEquals(
      readHookConfig(below).config.context.warn_threshold,
      60,
      "a repository of its own",
    );
  }));

Deno.test("readHookConfig() gives the previous values and a notice when a file changed", () => {
  const changes = [
    ["a later time", (path: string) => write(path, "[context]\nwarn_threshold = 0x0a\n", 2)],
    ["an earlier time", (path: string) => write(path, "[context]\nwarn_threshold = 0x14\n", 0)],
    ["another size", (path: string) => write(path, "[context]\nwarn_threshold = 0x9\n", 1)],
  ] as const;
  for (const [what, change] of changes) {
    inProject((project) => {
      write(project.project, "[context]\nwarn_threshold = 0x0a\n", 1);
      refreshContextConfig(project);
      change(project.project);
      const { config, notice } = readHookConfig(project);
      assertEquals(config.context.warn_threshold, 10, what);
      assertEquals(NOT_IN_USE.exec(notice ?? "")?.[1], "the previous values", what);
      refreshContextConfig(project);
      assertEquals(readHookConfig(project).notice, null, what);
    });
  }
});

Deno.test("readHookConfig() notices a file that came and one that went", () =>
  inProject((project) => {
    write(project.project, "[context]\nwarn_threshold = 0xa\n", 1);
    refreshContextConfig(project);
    write(project.user, "[context]\nwarn_threshold = 0x14\n", 1);
    const came = readHookConfig(project);
    assertEquals(came.config.context.warn_threshold, 10);
    assert(came.notice?.includes(project.user), came.notice ?? "");
    refreshContextConfig(project);
    Deno.removeSync(project.project);
    const went = readHookConfig(project);
    assertEquals(went.config.context.warn_threshold, 10);
    assert(went.notice?.includes(project.project), went.notice ?? "");
    refreshContextConfig(project);
    assertEquals(readHookConfig(project).config.context.warn_threshold, 20);
    assertEquals(readHookConfig(project).notice, null);
  }));

Deno.test("readHookConfig() gives the defaults and the error when the files are wrong", () =>
  inProject((project) => {
    write(project.project, "[context]\nwarn_threshold = 10\n", 1);
    refreshContextConfig(project);
    write(project.project, "[context]\nwarn_threshold = 10\nurgent_threshold = 5\n", 2);
    assertThrows(() => refreshContextConfig(project), ConfigError);
    const { config, notice } = readHookConfig(project);
    assertEquals(config, DEFAULT_CONFIG);
    assertEquals(
      notice,
      "trimtab: using defaults, the configuration is wrong: " +
        `${project.project}: context.urgent_threshold = 5: expected at least ` +
        "context.recommend_threshold, which is 75 (default)",
    );
    write(project.project, "[context]\nwarn_threshold = 0xa\n", 3);
    assertEquals(NOT_IN_USE.exec(readHookConfig(project).notice ?? "")?.[1], "defaults");
    refreshContextConfig(project);
    assertEquals(readHookConfig(project).config.context.warn_threshold, 10);
  }));

Deno.test("readHookConfig() says nothing of another tool's file that says nothing to it", () =>
  inProject((project) => {
    write(project.work, 'worker_guidelines = "one"\n', 1);
    assertEquals(readHookConfig(project), { config: DEFAULT_CONFIG, notice: null, waiting: [] });
    refreshContextConfig(project);
    assertEquals(readConfigCache(project), null, "nothing to keep");
    write(project.project, "[context]\nwarn_threshold = 10\n", 1);
    refreshContextConfig(project);
    write(project.work, 'worker_guidelines = "another"\n', 2);
    assertEquals(readHookConfig(project).notice, null);
    assertEquals(readHookConfig(project).config.context.warn_threshold, 10);
    write(project.work, "[context]\nwarn_threshold = 20\n", 3);
    assertEquals(readHookConfig(project).config.context.warn_threshold, 10, "the project's wins");
    refreshContextConfig(project);
    write(project.work, 'worker_guidelines = "one"\n', 4);
    assertEquals(readHookConfig(project).notice, null);
  }));

Deno.test("readHookConfig() does not use what was kept for another configuration folder", () =>
  inProject((project) => {
    write(project.user, "[context]\nwarn_threshold = 10\n", 1);
    write(project.project, "[context]\ntrim_keep_recent = 0x1\n", 1);
    refreshContextConfig(project);
    const other = { projectDir: project.projectDir, configDir: `${project.configDir}/other` };
    const { config, notice } = readHookConfig(other);
    assertEquals(config, DEFAULT_CONFIG);
    assertMatch(notice ?? "", NOT_IN_USE);
  }));

Deno.test("readHookConfig() survives a cache of any other content", () =>
  inProject((project) => {
    write(project.project, "[context]\nwarn_threshold = 0xa\n", 1);
    refreshContextConfig(project);
    const path = configCachePath(project.projectDir);
    const good: unknown = JSON.parse(Deno.readTextFileSync(path));
    const texts = [
      "",
      "not json",
      "null",
      "[]",
      "{}",
      JSON.stringify({ ...Object(good), version: CONFIG_CACHE_VERSION + 1 }),
      JSON.stringify({ ...Object(good), files: [null] }),
      JSON.stringify({ ...Object(good), files: [{ path: 1 }] }),
      JSON.stringify({ ...Object(good), values: { context: [] } }),
      JSON.stringify({ ...Object(good), problems: [{ file: 1 }] }),
      " ".repeat(1_000_001),
    ];
    for (const text of texts) {
      Deno.writeTextFileSync(path, text);
      const { config, notice } = readHookConfig(project);
      assertEquals(config, DEFAULT_CONFIG, text.slice(0, 80));
      assertMatch(notice ?? "", NOT_IN_USE);
    }
    refreshContextConfig(project);
    assertEquals(readHookConfig(project).notice, null);
  }));

Deno.test("readHookConfig() takes only values that fit out of a cache", () =>
  inProject((project) => {
    write(project.project, "[context]\nwarn_threshold = 10\n", 1);
    refreshContextConfig(project);
    const path = configCachePath(project.projectDir);
    const cache = readConfigCache(project);
    const values = {
      context: { warn_threshold: "10", trim_target_tools: [7], trim_keep_recent: 2 },
      live: { enabled: "yes" },
    };
    assert(cache !== null);
    Deno.writeTextFileSync(path, configCacheText({ ...cache, values }, project));
    const { config, notice } = readHookConfig(project);
    assertEquals(config.context, { ...DEFAULT_CONFIG.context, trim_keep_recent: 2 });
    assertEquals(config.live, DEFAULT_CONFIG.live);
    assertEquals(notice, null);
  }));

Deno.test("readHookConfig() bounds its notice, on one line", () =>
  inProject((project) => {
    const keys = Array.from({ length: 100 }, (_, index) => `"😀\\n${index}" = 1`).join("\n");
    write(project.project, `[context]\n${keys}\n`, 1);
    assertThrows(() => refreshContextConfig(project), ConfigError);
    const notice = readHookConfig(project).notice ?? "";
    assertEquals([...notice].length, 600);
    assert(notice.endsWith("…") && notice.isWellFormed() && !/\p{Cc}/u.test(notice), notice);
  }));

Deno.test("readHookConfig() goes on with the defaults when a file cannot be looked at", () => {
  const { config, notice } = readHookConfig({ projectDir: "/a\0b", configDir: "/c" });
  assertEquals(config, DEFAULT_CONFIG);
  assertMatch(notice ?? "", /^trimtab: using defaults, cannot read the configuration: /);
});

Deno.test("refreshContextConfig() keeps the files' values alone: no defaults, no flags", () =>
  inProject((project) => {
    write(project.work, "[context]\nwarn_threshold = 10\n", 1);
    const loaded = refreshContextConfig({ ...project, flags: { trim_keep_recent: 0 } });
    assertEquals(loaded.context.trim_keep_recent, 0);
    assertEquals(loaded.hooksSeeIt, true);
    assertEquals(readConfigCache(project), {
      version: CONFIG_CACHE_VERSION,
      files: [
        { path: project.user, mtimeMs: null, sizeBytes: null, silent: true },
        { path: project.work, mtimeMs: 1000, sizeBytes: 30, silent: false },
        { path: project.project, mtimeMs: null, sizeBytes: null, silent: true },
      ],
      values: { context: { warn_threshold: 10 }, live: {}, inside: {} },
      problems: [],
      waiting: [],
    });
    assertEquals(readHookConfig(project).config.context.trim_keep_recent, 5);
  }));

Deno.test("refreshContextConfig() blames a wrong flag without telling hooks", () =>
  inProject((project) => {
    write(project.project, "[context]\nwarn_threshold = 10\n", 1);
    assertThrows(
      () => refreshContextConfig({ ...project, flags: { warn_threshold: 99 } }),
      ConfigError,
      "--warn-threshold",
    );
    assertEquals(readHookConfig(project).config.context.warn_threshold, 10);
    assertEquals(readHookConfig(project).notice, null);
  }));

Deno.test("refreshContextConfig() writes nothing when there is nothing to keep or nothing new", () =>
  inProject((project) => {
    refreshContextConfig(project);
    assertEquals([...Deno.readDirSync(`${project.projectDir}/.claude`)], []);
    write(project.project, "[context]\nwarn_threshold = 10\n", 1);
    refreshContextConfig(project);
    const path = configCachePath(project.projectDir);
    Deno.utimeSync(path, 5, 5);
    refreshContextConfig(project);
    assertEquals(Deno.statSync(path).mtime?.getTime(), 5000);
  }));

Deno.test("refreshContextConfig() keeps the cache private and out of git", () =>
  inProject((project) => {
    write(project.project, "[context]\nwarn_threshold = 10\n", 1);
    refreshContextConfig(project);
    const folder = `${project.projectDir}/.claude/trimtab`;
    const names = [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
    assertEquals(names, [".gitignore", "config-cache.json"]);
    assertEquals(Deno.readTextFileSync(`${folder}/.gitignore`), "*\n");
    if (!POSIX) return;
    assertEquals((Deno.statSync(folder).mode ?? 0) & 0o777, 0o700);
    assertEquals((Deno.statSync(`${folder}/config-cache.json`).mode ?? 0) & 0o777, 0o600);
  }));

Deno.test("refreshContextConfig() works where nothing can be written, and says so", () =>
  inProject((project) => {
    write(project.project, "[context]\nwarn_threshold = 10\n", 1);
    // A file in the folder's place: unlike a read-only folder it also stops a superuser.
    Deno.writeTextFileSync(`${project.projectDir}/.claude/trimtab`, "in the way");
    const { context, hooksSeeIt } = refreshContextConfig(project);
    assertEquals(context.warn_threshold, 10);
    assertEquals(hooksSeeIt, false);
  }));

Deno.test("readHookConfig() needs no package, and only permission for what it looks at", () =>
  inProject((project) => {
    write(project.project, "[context]\nwarn_threshold = 10\n", 1);
    refreshContextConfig(project);
    const script = `${project.projectDir}/hook.ts`;
    const module = new URL("../../src/config/cached.ts", import.meta.url).href;
    const location = { ...project, isTrusted: false };
    Deno.writeTextFileSync(
      script,
      `import { readHookConfig } from ${JSON.stringify(module)};\n` +
        `const { config, notice } = readHookConfig(${JSON.stringify(location)});\n` +
        `console.log(JSON.stringify([config.context.warn_threshold, notice]));\n`,
    );
    const reads = [
      project.user,
      project.work,
      project.project,
      // Whether `.claude` is a link out of the project.
      parentPath(project.project),
      keyPath(project.configDir),
      parentPath(configCachePath(project.projectDir)),
    ];
    const run = (read: readonly string[]): string => {
      const { code, stdout, stderr } = new Deno.Command(Deno.execPath(), {
        args: [
          ...["run", "--quiet", "--no-prompt", "--no-config", "--no-remote", "--no-npm"],
          ...[`--allow-read=${read.join(",")}`, script],
        ],
        env: { NO_COLOR: "1" },
      }).outputSync();
      assertEquals(new TextDecoder().decode(stderr), "");
      assertEquals(code, 0);
      return new TextDecoder().decode(stdout).trim();
    };
    assertEquals(run(reads), "[10,null]");
    assertMatch(
      run([project.user, project.work]),
      /^\[60,"trimtab: using defaults, cannot read the configuration: Requires read access/,
    );
  }));
