import { assertEquals } from "@std/assert";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import {
  absolutePath,
  type EnvReader,
  fileName,
  findConfigDir,
  findProjectDir,
  isAbsolutePath,
  joinPath,
  parentPath,
  resolvePath,
  usesTrimtab,
} from "../../src/store/paths.ts";
import { POSIX } from "../posix.ts";
import { inFolder, writeFile } from "../folder.ts";

function environment(values: Readonly<Record<string, string>>): EnvReader {
  return (name) => values[name];
}

function assertResults<Args extends readonly unknown[]>(
  call: (...args: Args) => unknown,
  cases: readonly (readonly [...args: Args, expected: unknown])[],
): void {
  for (const args of cases) {
    assertEquals(call(...args.slice(0, -1) as unknown as Args), args.at(-1), JSON.stringify(args));
  }
}

Deno.test("joinPath() puts one slash between the parts and leaves out empty ones", () => {
  assertEquals(joinPath(), "");
  assertResults((...parts: string[]) => joinPath(...parts), [
    ["/home/ann/", "projects", "/home/ann/projects"],
    ["a", "", "b", "c.txt", "a/b/c.txt"],
    ["a//", "/b", "a/b"],
    ["a/", "", "a/"],
    ["", "", ""],
    ["/", "a", "/a"],
    ["", "/", "/a", "/a"],
    // A network path starts with two slashes.
    ["//server/share", "a", "//server/share/a"],
    ["C:\\Users", "ann", "C:\\Users/ann"],
  ]);
});

Deno.test("parentPath() returns the folder, `.` for a bare name, and the root for a root", () => {
  assertResults(parentPath, [
    ["/home/ann", "/home"],
    ["/home/ann/", "/home"],
    ["/home", "/"],
    ["/", "/"],
    ["a/b", "a"],
    ["a", "."],
    ["", "."],
  ]);
});

Deno.test("fileName() returns the part after the last slash", () => {
  assertResults(fileName, [
    ["/home/ann/x.jsonl", "x.jsonl"],
    ["x.jsonl", "x.jsonl"],
    ["/home/", ""],
    ["C:\\a\\x.jsonl", POSIX ? "C:\\a\\x.jsonl" : "x.jsonl"],
  ]);
});

Deno.test("isAbsolutePath() accepts drives and network paths only on Windows", () => {
  const relative = ["", "a", "./a", "../a", "C:", "C:a"].map((path) => [path, false] as const);
  const windows = ["C:\\a", "c:/a", "\\\\server\\share"].map((path) => [path, !POSIX] as const);
  assertResults(isAbsolutePath, [["/a", true], ...relative, ...windows]);
});

Deno.test("resolvePath() makes a path absolute and resolves `.` and `..`", () => {
  assertResults(resolvePath, [
    ["b", "/a", "/a/b"],
    ["./b/../c/.", "/a", "/a/c"],
    ["../../../x", "/a/b", "/x"],
    ["/x/./y//z/", "/a", "/x/y/z"],
    ["", "/a", "/a"],
    ["..", "/", "/"],
    ["...", "/a", "/a/..."],
  ]);
});

const MODULE = JSON.stringify(new URL("../../src/store/paths.ts", import.meta.url).href);

async function ask(
  program: string,
  permissions: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const flags = ["run", "--no-prompt", "--no-config", ...permissions, "-"];
  const result = await runDeno(flags, { env: cleanEnv(env), clearEnv: true, stdin: program });
  assertEquals([result.code, result.stderr], [0, ""]);
  return JSON.parse(result.stdout);
}

Deno.test("parentPath(), fileName(), isAbsolutePath() and resolvePath() understand drive letters and backslashes on Windows", async () => {
  const cases: readonly [string, unknown][] = [
    [String.raw`parentPath("C:\\Users\\ann")`, "C:\\Users"],
    [String.raw`parentPath("C:\\Users")`, "C:\\"],
    [String.raw`parentPath("C:\\")`, "C:\\"],
    [`parentPath("C:/Users")`, "C:/"],
    [`parentPath("C:/")`, "C:/"],
    [String.raw`parentPath("\\")`, "\\"],
    [String.raw`fileName("C:\\a/b\\x.jsonl")`, "x.jsonl"],
    [`isAbsolutePath("c:/a")`, true],
    [String.raw`isAbsolutePath("\\\\server\\share")`, true],
    [`isAbsolutePath("C:a")`, false],
    [String.raw`resolvePath("..\\x", "C:\\a\\b")`, "C:/a/x"],
    [String.raw`resolvePath("C:\\a\\..\\..\\b", "/x")`, "C:/b"],
    [String.raw`resolvePath("\\\\server\\share\\.\\x", "/x")`, "//server/share/x"],
  ];
  const results = cases.map(([expression]) => `paths.${expression}`).join(", ");
  const program = `
    Object.defineProperty(Deno, "build", { value: { ...Deno.build, os: "windows" } });
    const paths = await import(${MODULE});
    console.log(JSON.stringify([${results}]));
  `;
  assertEquals(await ask(program, ["--allow-read"]), cases.map(([, expected]) => expected));
});

Deno.test("readEnv() treats an empty or unreadable variable as unset", async () => {
  const program = `
    import { readEnv } from ${MODULE};
    console.log(JSON.stringify(["A", "B", "C", "D"].map((name) => readEnv(name) ?? null)));
  `;
  const values = await ask(program, ["--allow-env=A,B,C"], { A: "a", B: "", D: "d" });
  assertEquals(values, ["a", null, null, null]);
});

Deno.test("findConfigDir() uses CLAUDE_CONFIG_DIR, else the home folder", () => {
  const home = { HOME: "/home/ann", USERPROFILE: "C:/Users/ann" };
  assertEquals(findConfigDir(environment({ ...home, CLAUDE_CONFIG_DIR: "/conf" })), "/conf");
  assertEquals(findConfigDir(environment(home)), "/home/ann/.claude");
  assertEquals(findConfigDir(environment({ HOME: "/" })), "/.claude");
  assertEquals(findConfigDir(environment({ USERPROFILE: "C:/Users/ann" })), "C:/Users/ann/.claude");
  assertEquals(findConfigDir(environment({})), undefined);
});

Deno.test("findProjectDir() uses CLAUDE_PROJECT_DIR, else the folder where the session started", () =>
  inFolder((folder) => {
    const find = (startFolder: string, env = {}): string =>
      findProjectDir({ cwd: "/x/y", startFolder, env: environment(env) });
    assertEquals(find("/x", { CLAUDE_PROJECT_DIR: "/named" }), "/named");
    assertEquals(find(folder), folder);
    const gone = `${folder}/gone`;
    assertEquals(find(gone), "/x/y");
    Deno.writeTextFileSync(gone, "a file where the project was");
    assertEquals(find(gone), "/x/y");
  }));

Deno.test("findProjectDir() returns the working folder if it is too deep, or if no folder above it is a project", () => {
  for (const cwd of ["/a".repeat(500), "/none/of/these/is/there", "relative/folder", "name"]) {
    assertEquals(findProjectDir({ cwd, env: environment({}) }), cwd);
  }
});

Deno.test("findProjectDir() finds the nearest parent folder that contains .claude/trimtab", () =>
  inFolder((folder) => {
    const cwd = `${folder}/a/b/c`;
    const find = (from = cwd, env = {}): string =>
      findProjectDir({ cwd: from, env: environment(env) });
    Deno.mkdirSync(cwd, { recursive: true });
    Deno.mkdirSync(`${folder}/.claude/trimtab`, { recursive: true });
    assertEquals(find(), folder);
    assertEquals(find(cwd, { HOME: folder }), cwd, "the configuration folder is no project");
    Deno.mkdirSync(`${folder}/a/.claude`);
    Deno.writeTextFileSync(`${folder}/a/.claude/trimtab`, "a file");
    assertEquals(find(), folder);
    Deno.removeSync(`${folder}/a/.claude/trimtab`);
    Deno.mkdirSync(`${folder}/a/.claude/trimtab`);
    assertEquals(find(), `${folder}/a`);
    assertEquals(find(`${folder}/a`), `${folder}/a`);
  }));

Deno.test({
  name:
    "findProjectDir() skips a parent folder if .claude/trimtab and the working folder have different owners",
  // Only root can change a folder's owner.
  ignore: !POSIX || Deno.uid() !== 0,
  fn: () =>
    inFolder((folder) => {
      const env = environment({});
      const cwd = `${folder}/a/b`;
      Deno.mkdirSync(cwd, { recursive: true });
      Deno.mkdirSync(`${folder}/.claude/trimtab`, { recursive: true });
      Deno.mkdirSync(`${folder}/a/.claude/trimtab`, { recursive: true });
      Deno.chownSync(`${folder}/a/.claude/trimtab`, 12345, 12345);
      assertEquals(findProjectDir({ cwd, env }), folder);
      Deno.chownSync(cwd, 12345, 12345);
      assertEquals(findProjectDir({ cwd, env }), `${folder}/a`);
    }),
});

Deno.test("absolutePath() resolves a relative path against the working folder, and keeps an absolute path", () => {
  assertEquals(absolutePath("./a/../b.jsonl"), resolvePath("b.jsonl", Deno.cwd()));
  assertEquals(absolutePath("/home/ann/../bob.jsonl"), "/home/ann/../bob.jsonl");
});

Deno.test("usesTrimtab() is true only for a project with a trimtab folder", () =>
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/own/.claude/trimtab`, { recursive: true });
    writeFile(`${folder}/file/.claude/trimtab`);
    const used = ["own", "file", "none"].map((name) => usesTrimtab(`${folder}/${name}`));
    assertEquals(used, [true, false, false]);
  }));
