/**
 * Checks which program `bin/trimtab` starts, with which permissions and variables, and which error it prints
 * if the program cannot start.
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ensureDirSync, existsSync } from "@std/fs";
import { type ChildResult, cleanEnv, runChild } from "../../tools/child.ts";
import { EXECUTED_FILES } from "../../cli/permissions.ts";
import { allPermissions, withFolders } from "../../tools/permissions.ts";
import { copyPlugin, PLUGIN } from "../plugin_copy.ts";
import { posixTest } from "../posix.ts";
import {
  errorOf,
  fakeDeno,
  idOf,
  jsonOf,
  LAUNCHER,
  type Line,
  newPlace,
  posixPlaceTest as test,
  sessionOf,
  textOf,
  writeProgram,
} from "./place.ts";

/** A name that a shell, a URL, a Deno flag or a careless script could misread. */
const AWKWARD = `a "b" 'c', d,e naïve 日本 #1 %20 $HOME \`x\` *`;

const LONG = "0123456789".repeat(300);

/** Scripts that read an entire session. The launcher starts them with a setting that saves memory. */
const SMALL = ["trim", "checkpoint", "snapshot", "rollover", "report", "rescue"]
  .map((name) => `scripts/${name}.ts`);

const SMALL_FLAG = "--v8-flags=--max-semi-space-size=4,--heap-growing-percent=30";

function wordsOf({ stdout }: ChildResult): string[] {
  return [...stdout.matchAll(/^<([^]*?)>$/gm)].map(([, word = ""]) => word);
}

posixTest(
  "bin/trimtab passes each command its permissions and its unchanged arguments",
  async (t) => {
    using place = newPlace();
    const env = fakeDeno(place);
    const given = [AWKWARD, "", "two\nlines", "*", "$(touch x)", "; echo", "\\", "--", "-", "~"];
    for (const [path, permissions] of allPermissions()) {
      const [folder, file = ""] = path.replace(".ts", "").split("/");
      const name = file.replaceAll("_", "-");
      await t.step(`${folder} ${name}`, async () => {
        const args = folder === "hooks" ? ["hook", name] : [name];
        const started = wordsOf(await place.launch([...args, ...given], { env }));
        const expected = [
          ...["run", "--quiet", "--no-prompt"],
          ...withFolders(permissions, { config: place.config, project: place.cwd }),
          ...SMALL.includes(path) ? [SMALL_FLAG] : [],
          ...folder === "hooks" ? [] : [`--lock=${PLUGIN}/bin/commands.lock`],
        ];
        assertEquals(started, [...expected, `${PLUGIN}/${path}`, ...given]);
      });
    }
  },
);

test("bin/trimtab does not start a Deno in its working folder, and clears variables that affect Deno", async (place) => {
  writeProgram(`${place.cwd}/deno`, "echo owned");
  const tools = `${place.home}/tools`;
  writeProgram(`${tools}/deno`, 'echo "tools <${NODE_OPTIONS-none}>"');
  for (const path of [`:${tools}`, `.:${tools}`, `::./:${tools}`]) {
    const env = { PATH: `${path}:/usr/bin:/bin`, NODE_OPTIONS: "--require ./x.js" };
    assertEquals((await place.launch(["list"], { env })).stdout, "tools <none>\n", path);
  }
});

test("bin/trimtab prevents hooks from writing files that are executed later, even in the home folder", async (place) => {
  const started = async (config: string): Promise<string[]> => {
    const env = { ...fakeDeno(place), CLAUDE_PROJECT_DIR: place.home, CLAUDE_CONFIG_DIR: config };
    return wordsOf(await place.launch(["hook", "user-prompt-submit"], { env }));
  };
  const denied = EXECUTED_FILES.map((path) => path.replace("CONFIG", place.config));
  assert((await started(place.config)).includes(`--deny-write=${denied.join(",")}`));
  // A permission flag cannot contain a path with a comma.
  const flags = await started(`${place.home}/a,b`);
  assert(!flags.some((flag) => flag.startsWith("--deny")), flags.join(" "));
});

function writesOf(started: string[]): string[] {
  return started.filter((word) => word.startsWith("--allow-write"));
}

test("bin/trimtab grants no access to a configuration folder with a comma, which no flag can express", async (place) => {
  const fake = fakeDeno(place);
  const own = [`--allow-write=${place.cwd}/.claude/trimtab`];
  for (const CLAUDE_CONFIG_DIR of ["/x/a, b/.claude", "/x/y/a,b,c", "/a,b"]) {
    const env = { ...fake, CLAUDE_CONFIG_DIR };
    assertEquals(writesOf(wordsOf(await place.launch(["trim"], { env }))), own);
    assertEquals(writesOf(wordsOf(await place.launch(["verify", "x"], { env }))), []);
  }
});

posixTest(
  "bin/trimtab uses a relative path for a project with a comma, and can save in it",
  async () => {
    using place = newPlace({ project: "a,b c" });
    const env = fakeDeno(place);
    const below = `${place.cwd}/packages/x`;
    ensureDirSync(below);
    ensureDirSync(`${place.cwd}/.claude/trimtab`);
    const ownFolder = `${place.config}/trimtab/ours`;
    const cases: [args: string[], cwd: string, granted: string][] = [
      [["status"], place.cwd, `./.claude/trimtab,${ownFolder}`],
      [["status"], below, `./../../.claude/trimtab,${ownFolder}`],
      // A hook may start in any folder; CLAUDE_PROJECT_DIR contains the path of the project.
      [["hook", "user-prompt-submit"], place.home, "./.claude/trimtab"],
    ];
    for (const [args, cwd, granted] of cases) {
      const all = args[0] === "hook" ? { ...env, CLAUDE_PROJECT_DIR: place.cwd } : env;
      const started = wordsOf(await place.launch(args, { env: all, cwd }));
      assertEquals(writesOf(started), [`--allow-write=${granted}`], cwd);
    }
    place.add(idOf(1), sessionOf([["Read", LONG]], { cwd: place.cwd }));
    textOf(await place.launch(["snapshot", idOf(1), "--name", "x"], { cwd: below }));
  },
);

posixTest("trimtab cannot write next to a project with a comma", async () => {
  using place = newPlace({ project: "a,b" });
  ensureDirSync(`${place.home}/a`);
  const probe = `${place.home}/probe.ts`;
  Deno.writeTextFileSync(probe, `Deno.writeTextFileSync("${place.home}/a/x", "");`);
  const started = await place.launch(["snapshot"], { env: fakeDeno(place) });
  const flags = writesOf(wordsOf(started));
  assertEquals(flags.length, 1);
  const args = ["run", "--no-prompt", ...flags, probe];
  const { code } = await runChild(Deno.execPath(), args, { cwd: place.cwd });
  assertEquals([code, existsSync(`${place.home}/a/x`)], [1, false]);
});

test("bin/trimtab passes on only the variables that its programs need", async (place) => {
  const dropped = ["OTEL_DENO", "DENO_COVERAGE_DIR", "NODE_OPTIONS", "DENO_OF_TOMORROW", "root"]
    .concat("LD_PRELOAD_X", "_trimtab_passed", "line");
  const env = {
    ...fakeDeno(place, "export -p"),
    HTTPS_PROXY: "http://proxy",
    WORK_WORKER_ID: "export root=/x\nexport HOME=/x\n'",
    ...Object.fromEntries(dropped.map((name) => [name, "x\nexport PATH=/x"])),
  };
  for (const commandLine of [["list"], ["list", "--skill"], ["hook", "stop"]]) {
    const { stdout } = await place.launch(commandLine, { env });
    const names = [...stdout.matchAll(/^(?:export|declare -x) (\w+)/gm)].map(([, name]) => name);
    for (const name of ["HOME", "HTTPS_PROXY", "PATH", "WORK_WORKER_ID"]) {
      assert(names.includes(name), `${name} of ${names}`);
    }
    const passed = dropped.filter((name) => names.includes(name));
    assertEquals(passed.filter((name) => name !== "_trimtab_passed" && name !== "root"), []);
  }
});

test("bin/trimtab does not start programs in its working folder", async (place) => {
  place.add(idOf(1), sessionOf([["Read", LONG]], { cwd: place.cwd }));
  const ran = `${place.home}/ran`;
  for (const folder of [place.cwd, `${place.cwd}/node_modules/.bin`]) {
    for (const name of ["episodic-memory", "env", "awk", "sed", "head", "readlink", "xdg-open"]) {
      writeProgram(`${folder}/${name}`, `echo ${name} >>'${ran}'`);
    }
  }
  ensureDirSync(`${place.cwd}/.claude`);
  Deno.writeTextFileSync(`${place.cwd}/.claude/trimtab.toml`, "[live]\nenabled = true\n");
  const bin = Deno.execPath().replace(/[\\/][^\\/]*$/, "");
  const { CLAUDE_PROJECT_DIR, ...base } = {
    TRIMTAB_DENO: Deno.execPath(),
    CLAUDE_PROJECT_DIR: place.cwd,
  };
  for (const entry of ["", ".", "node_modules/.bin"]) {
    const shellEnv = { ...base, PATH: `${entry}:${bin}:/usr/bin:/bin:${entry}` };
    const env = { ...shellEnv, CLAUDE_PROJECT_DIR };
    await place.launch(["report", "--open", idOf(1)], { env });
    if (entry !== ".") continue;
    await place.launch(["trim", idOf(1)], { env });
    await place.launch(["hook", "post-tool-use"], { env, stdin: "{}" });
    await place.launch(["status"], { env: shellEnv });
  }
  assertEquals(existsSync(ran), false, existsSync(ran) ? Deno.readTextFileSync(ran) : "");
});

posixTest("bin/trimtab runs from any folder, whatever the names of its folders", async (t) => {
  using place = newPlace({ project: AWKWARD, config: `.${AWKWARD}` });
  place.add(idOf(1), sessionOf([["Read", LONG]], { cwd: place.cwd }));
  const plugin = copyPlugin(`${place.home}/plugin ${AWKWARD}`);
  const direct = `${plugin}/bin/trimtab`;
  const link = `${place.home}/absolute link`;
  const links = `${place.home}/links`;
  ensureDirSync(links);
  Deno.symlinkSync(direct, link);
  Deno.symlinkSync("../absolute link", `${links}/relative`);
  Deno.symlinkSync(`../plugin ${AWKWARD}/bin`, `${links}/bin`);
  const PATH = `${links}/bin:${Deno.env.get("PATH")}`;
  const env = cleanEnv({ HOME: place.home, CLAUDE_CONFIG_DIR: place.config, PATH });
  const starts: Record<string, string[]> = {
    "by its path": [direct],
    "by sh": ["sh", direct],
    "by a link": [link],
    "by a relative link to a link": [`${links}/relative`],
    "by a link to its folder": [`${links}/bin/trimtab`],
    "from the PATH": ["sh", "-c", 'trimtab "$@"', "sh"],
  };
  for (const [name, [program = "", ...before]] of Object.entries(starts)) {
    await t.step(name, async () => {
      const args = [...before, "trim", "--json", "--keep-recent", "0", idOf(1)];
      const result = await runChild(program, args, { cwd: place.cwd, clearEnv: true, env });
      assertEquals(jsonOf(result).trimmed_count, 1);
    });
  }
});

posixTest("bin/trimtab defers imports if the plugin's folder may be read", async (t) => {
  using place = newPlace();
  const fake = fakeDeno(place, 'echo "<$DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS>"');
  const inside = copyPlugin(`${place.config}/plugins/trimtab`);
  const comma = `${place.home}/a,b`;
  const { config } = place;
  const cases: [name: string, plugin: string, args: string, config: string, isDeferred: boolean][] =
    [
      ["a hook in the configuration", inside, "hook stop", config, true],
      ["a hook somewhere else", PLUGIN, "hook stop", config, false],
      ["a folder that shares a path prefix", inside, "hook stop", `${config}/plug`, false],
      ["a configuration with a comma", copyPlugin(`${comma}/p`), "hook stop", comma, false],
      ["a command that reads everything", PLUGIN, "status", config, true],
      ["no command", PLUGIN, "--version", config, false],
    ];
  for (const [name, plugin, args, CLAUDE_CONFIG_DIR, isDeferred] of cases) {
    await t.step(name, async () => {
      // The caller's own value of the variable does not count.
      const env = { ...fake, CLAUDE_CONFIG_DIR, DENO_UNSTABLE_LAZY_DYNAMIC_IMPORTS: "yes" };
      const { stdout } = await place.launch(args.split(" "), { plugin, env });
      assertEquals(stdout, isDeferred ? "<1>\n" : "<>\n");
    });
  }
});

posixTest("bin/trimtab lets a hook load a deferred import", async () => {
  using place = newPlace({ config: `.${AWKWARD.replaceAll(",", ";")}` });
  const plugin = copyPlugin(`${place.config}/plugins/trimtab`);
  const usage = { input_tokens: 125_250 };
  const message = { role: "assistant", model: "claude-sonnet-4-6", content: [], usage };
  const transcript_path = place.add(idOf(1), [{ type: "assistant", uuid: "z", message }]);
  const stdin = JSON.stringify({ session_id: idOf(1), transcript_path, cwd: place.cwd });
  const result = await place.launch(["hook", "user-prompt-submit"], { plugin, stdin });
  assertStringIncludes(textOf(result), "Context at 75%.");
});

test("bin/trimtab puts itself on the PATH of a session without the plugin system", async (place) => {
  const root = copyPlugin(`${place.home}/${AWKWARD}`);
  const file = `${place.home}/session.sh`;
  Deno.writeTextFileSync(file, "");
  const start = async (more: Record<string, string>): Promise<void> => {
    const env = { ...fakeDeno(place), ...more };
    textOf(await place.launch(["hook", "session-start"], { plugin: root, env }));
  };
  const plain = { CLAUDE_ENV_FILE: file };
  await start({ ...plain, CLAUDE_PLUGIN_ROOT: root });
  assertEquals(Deno.readTextFileSync(file), "");
  await start({ ...plain, CLAUDE_ENV_FILE: `${place.home}/nowhere/session.sh` });
  for (let n = 0; n < 2; n++) await start(plain);
  const code = `. "$1" && . "$1" && printf %s "$PATH" && command -v trimtab`;
  const env = { PATH: "/usr/bin:/bin" };
  const options = { cwd: place.cwd, clearEnv: true, env };
  const { stdout } = await runChild("sh", ["-c", code, "sh", file], options);
  assertEquals(stdout, `/usr/bin:/bin:${root}/bin${root}/bin/trimtab\n`);
});

posixTest("bin/trimtab suggests a fix when Deno is too old", async (t) => {
  using place = newPlace();
  const path = `${place.home}/old-deno`;
  const versionCalls = `${place.home}/version-calls`;
  /** Installs a Deno that fails at the lock file, as an old version does. */
  const useDeno = (version: string): void =>
    writeProgram(
      path,
      `if [ "$1" = --version ]; then echo asked >>"${versionCalls}"; echo "deno ${version} (release)"; exit; fi
echo "error: Unsupported lockfile version '5'" >&2
exit 1`,
    );
  const start = (args: string[], inside = ""): Promise<ChildResult> => {
    const env = { TRIMTAB_DENO: path, TRIMTAB_INSIDE: inside };
    return place.launch(args, { env, stdin: '{"source":"startup"}' });
  };
  const startSession = async (inside?: string): Promise<string> => {
    const { stdout } = await start(["hook", "session-start"], inside);
    return stdout === "" ? "" : JSON.parse(stdout).systemMessage;
  };
  const message = `trimtab needs Deno 2.7 or newer, and ${path} is 1.40.0. ` +
    "Update it with: deno upgrade";
  useDeno("1.40.0");
  assertStringIncludes(errorOf(await start(["status"])), message);
  assertStringIncludes(await startSession(), message);
  await t.step("the start of a session in which the module is active, once", async () => {
    assertMatch(await startSession("an-id"), /^trimtab is active: .* is 1\.40\.0: deno/);
    assertEquals(await startSession("an-id"), "");
  });
  await t.step("only old versions; newer ones print their own error", async () => {
    for (const version of ["0.9.1", "2.0.0", "2.6.9-rc.1", "2.7.0", "2.10.1", "10.0.0"]) {
      useDeno(version);
      const isOld = /^(?:0|2\.[06])\./.test(version);
      const words = isOld ? "needs Deno 2.7 or newer, and" : "error: Unsupported lockfile version";
      const stderr = errorOf(await start(["status"]));
      assertStringIncludes(stderr, words, version);
      assertEquals(stderr.includes("needs Deno"), isOld, version);
    }
  });
  await t.step("asks for the version only after a failure", async () => {
    writeProgram(path, `echo "$1" >>"${versionCalls}"`);
    Deno.writeTextFileSync(versionCalls, "");
    await start(["hook", "stop"]);
    assertEquals(Deno.readTextFileSync(versionCalls), "run\n", "one process");
  });
});

posixTest("bin/trimtab explains where to get Deno when it is missing", async (t) => {
  using place = newPlace();
  // The PATH has only the tools of the script, and the copied launcher searches no other system folders.
  const tools = `${place.home}/tools`;
  ensureDirSync(tools);
  for (const name of ["sh", "tr", "readlink"]) {
    const { stdout } = await runChild("sh", ["-c", `command -v ${name}`]);
    Deno.symlinkSync(stdout.trim(), `${tools}/${name}`);
  }
  const plugin = copyPlugin(`${place.home}/plugin`);
  const finder = `${plugin}/bin/parts/find_deno.sh`;
  const text = Deno.readTextFileSync(finder);
  const bare = text.replace("/usr/local/bin/deno /opt/homebrew/bin/deno", "");
  assert(bare.length < text.length, "the launcher must search these folders");
  Deno.writeTextFileSync(finder, bare);
  const start = (args: string[], stdin = "{}", inside = ""): Promise<ChildResult> => {
    const env = { ...cleanEnv(), HOME: place.home, PATH: tools, TRIMTAB_INSIDE: inside };
    const options = { clearEnv: true, env, stdin };
    return runChild(`${tools}/sh`, [`${plugin}/bin/trimtab`, ...args], options);
  };
  const hook = async (event: string, payload: unknown, inside?: string): Promise<Line> => {
    const stdout = textOf(await start(["hook", event], JSON.stringify(payload), inside));
    return stdout === "" ? {} : JSON.parse(stdout);
  };
  const message =
    /^trimtab needs Deno 2\.7 or newer, which is not on the PATH\. Install it with: [^\n]*\n?$/;
  assertMatch(errorOf(await start(["trim"])), message);
  await t.step("a skill", async () => {
    const stdout = textOf(await start(["trim", "--skill"]));
    assertMatch(stdout, message);
    // Otherwise, the model would try commands that cannot run.
    assertStringIncludes(stdout, "run no trimtab command");
  });
  await t.step("the start of a session in which the module is active", async () => {
    Deno.symlinkSync("/bin/mkdir", `${tools}/mkdir`);
    const startSession = async (inside: string, source = "startup"): Promise<string> =>
      String((await hook("session-start", { source }, inside)).systemMessage ?? "");
    assertMatch(await startSession(""), message);
    assertEquals(await startSession("", "compact"), "");
    assertEquals(await startSession("an-id", "compact"), "", "neither shown nor recorded");
    assertMatch(await startSession("an-id"), /^trimtab is active: .* need Deno 2\.7 or newer/);
    assertEquals(await startSession("an-id"), "", "once");
    assertMatch(await startSession(""), message);
  });
  await t.step("a typed command of trimtab", async () => {
    const linked = { command_name: "trim", command_source: "userSettings" };
    for (const payload of [{ command_name: "trimtab:trim" }, linked]) {
      const { decision, reason } = await hook("user-prompt-expansion", payload);
      assertEquals(decision, "block");
      assertMatch(String(reason), message);
    }
    for (const payload of [{ command_name: "trim" }, { command_name: "other:trim" }]) {
      assertEquals(await hook("user-prompt-expansion", payload), {});
    }
  });
  await t.step("the user's own installation is found", async () => {
    ensureDirSync(`${place.home}/.deno/bin`);
    Deno.symlinkSync(Deno.execPath(), `${place.home}/.deno/bin/deno`);
    assertMatch(textOf(await start(["--version"])), /^\d+\.\d+\.\d+\n$/);
  });
});

const FAKE_EXECUTABLE = `
printf '%s|' "$TRIMTAB_ROOT" "$@"
cat
echo trouble >&2`;

posixTest("bin/trimtab prefers the executable of its own version", async (t) => {
  using place = newPlace();
  const { version } = JSON.parse(Deno.readTextFileSync(`${PLUGIN}/deno.json`));
  const data = `${place.home}/plugin data`;
  const { config } = place;
  const folders = [data, `${config}/plugins/data/trimtab-trimtab`, `${config}/trimtab/bin`];
  const env = { ...fakeDeno(place), CLAUDE_PLUGIN_DATA: data };
  const launch = (...args: string[]): Promise<ChildResult> =>
    place.launch(args, { env, stdin: "payload" });
  for (const folder of folders) {
    await t.step(folder.slice(place.home.length), async () => {
      const path = `${folder}/trimtab-${version}`;
      writeProgram(path, `${FAKE_EXECUTABLE}\nexit 3`);
      const printed = (words: string): string => `${PLUGIN}|${words}|payload`;
      const [shown, hook, skill] = [
        await launch("show", "a b", "--json"),
        await launch("hook", "stop"),
        await launch("fresh-start", "--skill"),
      ];
      assertEquals(shown, { code: 3, stdout: printed("show|a b|--json"), stderr: "trouble\n" });
      assertEquals(hook, { code: 0, stdout: printed("hook|stop"), stderr: "" });
      assertEquals(textOf(skill), `${printed("fresh-start|--skill")}trouble\n`);
      assertEquals((await launch("--version")).stdout, printed("--version"));
      Deno.removeSync(path);
    });
  }
  await t.step("no executable of another version", async () => {
    writeProgram(`${data}/trimtab-0.0.0`, FAKE_EXECUTABLE);
    assertEquals(wordsOf(await launch("hook", "stop"))[0], "run");
  });
  await t.step("no executable that cannot be started", async () => {
    // The magic number of a program for another machine.
    Deno.writeTextFileSync(`${data}/trimtab-${version}`, "\x7fELF\x02\x01\x01\n", { mode: 0o700 });
    assertEquals(wordsOf(await launch("hook", "stop"))[0], "run");
    assertEquals(wordsOf(await launch("status"))[0], "run");
  });
});

test("bin/trimtab keeps Deno from using a cache that cannot be written", async (place) => {
  const fake = fakeDeno(place, 'printf %s "$DENO_EMIT_CACHE_MODE"');
  const path = fake.TRIMTAB_DENO;
  const mode = async (cache: Record<string, string>): Promise<string> =>
    (await place.launch(["status"], { env: { ...fake, ...cache } })).stdout;
  assertEquals(await mode({ DENO_DIR: `${place.home}/not/there/yet` }), "");
  assertEquals(await mode({ DENO_DIR: "", XDG_CACHE_HOME: place.home }), "");
  // Even root cannot write below a file.
  assertEquals(await mode({ DENO_DIR: `${path}/deno` }), "disable");
  assertEquals(await mode({ DENO_DIR: "", XDG_CACHE_HOME: path }), "disable");
  assertEquals(await mode({ DENO_DIR: `${path}/deno`, DENO_EMIT_CACHE_MODE: "x" }), "x");
});

test("bin/trimtab reports that Deno did not start; with --skill, it reports on stdout", async (place) => {
  const env = fakeDeno(place, "echo 'error: no cache' >&2\nexit 1");
  const skill = textOf(await place.launch(["trim", "--skill"], { env }));
  const advice = "trimtab could not be started. See the message from Deno above.";
  assertEquals(skill, `error: no cache\n${advice}\n`);
  assertEquals(errorOf(await place.launch(["trim"], { env })), "error: no cache\n");
});

posixTest("bin/trimtab suggests a fix when packages cannot be fetched", async (t) => {
  using place = newPlace();
  // A port without a listener.
  const env = { DENO_DIR: `${place.home}/cache`, NPM_CONFIG_REGISTRY: "http://127.0.0.1:9/" };
  const launch = (...args: string[]): Promise<ChildResult> => place.launch(args, { env });
  const advice = /^This needs npm packages that are not cached and could not be fetched\. .*\n$/;
  assertMatch(errorOf(await launch("batch", "tasks.toml")), advice);
  const skill = textOf(await launch("batch", "tasks.toml", "--skill"));
  assertMatch(skill.replace("trimtab batch failed. ", ""), advice);
  await t.step("commands without packages succeed", async () => {
    textOf(await launch("list"));
    for (const name of ["doctor", "install", "batch"]) {
      assertStringIncludes(textOf(await launch(name, "--help")), `Usage: trimtab ${name}`);
    }
  });
});

test("bin/trimtab suggests a fix behind a proxy with its own certificate", async (place) => {
  const fixtures = new URL("../fixtures/tls/", import.meta.url);
  const read = (name: string): string => Deno.readTextFileSync(new URL(name, fixtures));
  await using server = Deno.serve({
    port: 0,
    hostname: "127.0.0.1",
    cert: read("server.pem"),
    key: read("server.key"),
    onListen: () => {},
  }, () => new Response("no such package", { status: 404 }));
  const env = {
    DENO_DIR: `${place.home}/cache`,
    NPM_CONFIG_REGISTRY: `https://localhost:${server.addr.port}/`,
  };
  const run = async (more: Record<string, string>): Promise<string> =>
    (await place.launch(["batch", "tasks.toml"], { env: { ...env, ...more } })).stderr;
  const words = "set DENO_TLS_CA_STORE=system, or DENO_CERT to the certificate file";
  assertStringIncludes(await run({}), words);
  const known = await run({ DENO_CERT: new URL("ca.pem", fixtures).pathname });
  assertStringIncludes(known, "This needs npm packages");
});

test("bin/trimtab hook exits 0 and is silent for an unknown event", async (place) => {
  for (const args of [[], ["no-such-event"], ["../scripts/trim"], ["_arguments"], ["--skill"]]) {
    assertEquals(textOf(await place.launch(["hook", ...args], { stdin: "{}" })), "");
  }
});

test("bin/trimtab ends quietly when its output is closed", async (place) => {
  const path = place.add(idOf(1), sessionOf([["Read", LONG.repeat(400)]]));
  const command = `sh '${LAUNCHER}' show '${path}:3' | head -c 5; echo; echo "status"`;
  const options = { clearEnv: true, env: cleanEnv({ HOME: place.home }) };
  const { stdout, stderr } = await runChild("sh", ["-c", command], options);
  assertEquals([stdout, stderr], ["01234\nstatus\n", ""]);
});

test("bin/trimtab starts nothing for events that the module handles in its session", async (place) => {
  const events = ["user-prompt-submit", "post-tool-batch", "stop"];
  const cases = {
    "one user-prompt-submit post-tool-batch": ["stop"],
    "one stop": ["user-prompt-submit", "post-tool-batch"],
    "two user-prompt-submit stop": events,
    "one user-prompt-submit-x": events,
    "": events,
  };
  for (const [TRIMTAB_INSIDE, expected] of Object.entries(cases)) {
    const env = { ...fakeDeno(place), CLAUDE_CODE_SESSION_ID: "one", TRIMTAB_INSIDE };
    const isStarted = await Promise.all(
      events.map(async (event) => (await place.launch(["hook", event], { env })).stdout !== ""),
    );
    assertEquals(events.filter((_, index) => isStarted[index]), expected, TRIMTAB_INSIDE);
  }
});
