import { assertEquals } from "@std/assert";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import {
  absolutePath,
  type EnvReader,
  fileName,
  findConfigDir,
  findProjectDir,
  isAbsolutePath,
  isUsed,
  joinPath,
  parentPath,
  resolvePath,
} from "../../src/store/paths.ts";
import { POSIX } from "../posix.ts";
import { inFolder } from "../folder.ts";

function environment(values: Readonly<Record<string, string>>): EnvReader {
  return (name) => values[name];
}

Deno.test("joinPath() puts one slash between the parts and leaves out empty ones", () => {
  assertEquals(joinPath("/home/ann/", "projects"), "/home/ann/projects");
  assertEquals(joinPath("a", "", "b", "c.txt"), "a/b/c.txt");
  assertEquals(joinPath("a//", "/b"), "a/b");
  assertEquals(joinPath("a/", ""), "a/");
  assertEquals(joinPath(), "");
  assertEquals(joinPath("", ""), "");
});

Deno.test("joinPath() starts at the root with one slash, and keeps both slashes of a network path", () => {
  assertEquals(joinPath("/", "a"), "/a");
  assertEquals(joinPath("", "/", "/a"), "/a");
  assertEquals(joinPath("//server/share", "a"), "//server/share/a");
  assertEquals(joinPath("C:\\Users", "ann"), "C:\\Users/ann");
});

Deno.test("parentPath() returns the folder, `.` for a bare name, and a root for itself", () => {
  assertEquals(parentPath("/home/ann"), "/home");
  assertEquals(parentPath("/home/ann/"), "/home");
  assertEquals(parentPath("/home"), "/");
  assertEquals(parentPath("/"), "/");
  assertEquals(parentPath("a/b"), "a");
  assertEquals(parentPath("a"), ".");
  assertEquals(parentPath(""), ".");
});

Deno.test("fileName() returns the part after the last slash", () => {
  assertEquals(fileName("/home/ann/x.jsonl"), "x.jsonl");
  assertEquals(fileName("x.jsonl"), "x.jsonl");
  assertEquals(fileName("/home/"), "");
  assertEquals(fileName("C:\\a\\x.jsonl"), !POSIX ? "x.jsonl" : "C:\\a\\x.jsonl");
});

Deno.test("isAbsolutePath() accepts drives and network paths only on Windows", () => {
  assertEquals(isAbsolutePath("/a"), true);
  for (const path of ["", "a", "./a", "../a", "C:", "C:a"]) {
    assertEquals(isAbsolutePath(path), false, path);
  }
  for (const path of ["C:\\a", "c:/a", "\\\\server\\share"]) {
    assertEquals(isAbsolutePath(path), !POSIX, path);
  }
});

Deno.test("resolvePath() makes a path absolute and resolves its dots", () => {
  assertEquals(resolvePath("b", "/a"), "/a/b");
  assertEquals(resolvePath("./b/../c/.", "/a"), "/a/c");
  assertEquals(resolvePath("../../../x", "/a/b"), "/x");
  assertEquals(resolvePath("/x/./y//z/", "/a"), "/x/y/z");
  assertEquals(resolvePath("", "/a"), "/a");
  assertEquals(resolvePath("..", "/"), "/");
  assertEquals(resolvePath("x", "/"), "/x");
  assertEquals(resolvePath("...", "/a"), "/a/...");
});

const MODULE = JSON.stringify(new URL("../../src/store/paths.ts", import.meta.url).href);

/** Runs code in a process with exactly these permissions and variables, and parses its output. */
async function ask(
  program: string,
  permissions: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const result = await runDeno(["run", "--no-prompt", "--no-config", ...permissions, "-"], {
    env: cleanEnv(env),
    clearEnv: true,
    stdin: program,
  });
  assertEquals([result.code, result.stderr], [0, ""]);
  return JSON.parse(result.stdout);
}

Deno.test("the functions on paths read drives and backslashes on a Windows system", async () => {
  const cases: readonly [string, unknown][] = [
    [String.raw`parentPath("C:\\Users\\ann")`, "C:\\Users"],
    [String.raw`parentPath("C:\\Users")`, "C:\\"],
    [String.raw`parentPath("C:\\")`, "C:\\"],
    [`parentPath("C:/Users")`, "C:/"],
    [`parentPath("C:/")`, "C:/"],
    [String.raw`parentPath("\\")`, "\\"],
    [String.raw`fileName("C:\\a/b\\x.jsonl")`, "x.jsonl"],
    [String.raw`isAbsolutePath("C:\\a")`, true],
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

Deno.test("findProjectDir() uses CLAUDE_PROJECT_DIR, else the folder where the session started", () => {
  const env = environment({ CLAUDE_PROJECT_DIR: "/named" });
  assertEquals(findProjectDir({ cwd: "/x/y", startedIn: "/x", env }), "/named");
  const none = environment({});
  return inFolder((folder) => {
    assertEquals(findProjectDir({ cwd: "/x/y", startedIn: folder, env: none }), folder);
    const gone = `${folder}/gone`;
    assertEquals(findProjectDir({ cwd: "/x/y", startedIn: gone, env: none }), "/x/y");
    Deno.writeTextFileSync(gone, "a file where the project was");
    assertEquals(findProjectDir({ cwd: "/x/y", startedIn: gone, env: none }), "/x/y");
  });
});

Deno.test("findProjectDir() returns the working folder itself when it is too deep", () => {
  const cwd = "/a".repeat(500);
  assertEquals(findProjectDir({ cwd, env: () => undefined }), cwd);
});

Deno.test("findProjectDir() does not take the configuration's home for a project", () =>
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/.claude/trimtab`, { recursive: true });
    Deno.mkdirSync(`${folder}/new`);
    const cwd = `${folder}/new`;
    assertEquals(findProjectDir({ cwd, env: environment({ HOME: folder }) }), cwd);
    assertEquals(findProjectDir({ cwd, env: environment({ HOME: "/elsewhere" }) }), folder);
  }));

Deno.test("findProjectDir() goes up to the nearest folder that contains .claude/trimtab", () =>
  inFolder((folder) => {
    const env = environment({});
    const cwd = `${folder}/a/b/c`;
    Deno.mkdirSync(cwd, { recursive: true });
    Deno.mkdirSync(`${folder}/.claude/trimtab`, { recursive: true });
    assertEquals(findProjectDir({ cwd, env }), folder);
    Deno.mkdirSync(`${folder}/a/.claude/trimtab`, { recursive: true });
    assertEquals(findProjectDir({ cwd, env }), `${folder}/a`);
    assertEquals(findProjectDir({ cwd: `${folder}/a`, env }), `${folder}/a`);
  }));

Deno.test("findProjectDir() ignores a file named .claude/trimtab", () =>
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/.claude/trimtab`, { recursive: true });
    Deno.mkdirSync(`${folder}/a/.claude`, { recursive: true });
    Deno.writeTextFileSync(`${folder}/a/.claude/trimtab`, "a file");
    assertEquals(findProjectDir({ cwd: `${folder}/a`, env: environment({}) }), folder);
  }));

Deno.test({
  name: "findProjectDir() skips a parent folder that another user owns",
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

Deno.test("findProjectDir() returns the working folder if no folder above is a project", () => {
  const env = environment({});
  for (const cwd of ["/none/of/these/is/there", "relative/folder", "name"]) {
    assertEquals(findProjectDir({ cwd, env }), cwd);
  }
});

Deno.test("absolutePath() starts at the working folder by default", () => {
  const cwd = Deno.cwd();
  assertEquals(absolutePath("a/b.jsonl"), resolvePath("a/b.jsonl", cwd));
  assertEquals(absolutePath("./a/../b.jsonl"), resolvePath("b.jsonl", cwd));
  assertEquals(isAbsolutePath(absolutePath("b.jsonl")), true);
  for (const path of ["/home/ann/a.jsonl", "/home/ann/../bob.jsonl"]) {
    assertEquals(absolutePath(path), path);
  }
});

Deno.test("isUsed() is true only of a project with a trimtab folder", () =>
  inFolder((folder) => {
    assertEquals(isUsed(folder), false);
    Deno.mkdirSync(`${folder}/.claude`);
    Deno.writeTextFileSync(`${folder}/.claude/trimtab`, "");
    assertEquals(isUsed(folder), false);
    Deno.removeSync(`${folder}/.claude/trimtab`);
    Deno.mkdirSync(`${folder}/.claude/trimtab`);
    assertEquals(isUsed(folder), true);
  }));
