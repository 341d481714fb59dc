import { assert, assertEquals, assertExists } from "@std/assert";
import { exists } from "../../src/store/exists.ts";
import { projectFiles, readProject, ROOT } from "./project.ts";

const MAX_LINES = 450;

/** The files of the project may contain only these made-up home folders. */
const EXAMPLE_HOME = /^\/(?:home|Users)\/(?:\w|me|you|user|dev|ann|bob|someone|runner)$/;
const HOME = /\/(?:home|Users)\/[A-Za-z][\w.-]*|(?<![\w.~}*-])\/root(?=\/[.\w])/g;

/** Leaves out fixtures, which are recorded sessions and may contain any path. */
const TEXT_FILES = projectFiles("").filter((path) =>
  /\.(?:ts|md|jsonc?|sh|yml|toml|html)$|^bin\/|^\.ci\//.test(path) &&
  !path.startsWith("tests/fixtures/")
);

function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

function tooLong(files: readonly (readonly [path: string, text: string])[]): string[] {
  return files.filter(([, text]) => countLines(text) > MAX_LINES)
    .map(([path, text]) => `${path} has ${countLines(text)} lines`);
}

function machinePaths(text: string, root: string): string[] {
  const homes = [...text.matchAll(HOME)].map(([path]) => path)
    .filter((path) => !EXAMPLE_HOME.test(path));
  // The path of this checkout must not appear, unless the checkout is in one of the example folders.
  const isExample = EXAMPLE_HOME.test(root.split("/").slice(0, 3).join("/"));
  const own = !isExample && text.includes(`${root}/`) ? [root] : [];
  return [...homes, ...own];
}

/** Returns the version that each file states; undefined if it states no version. */
function versions(read: (path: string) => string): Record<string, string | undefined> {
  const market = JSON.parse(read(".claude-plugin/marketplace.json"));
  return {
    "deno.json": JSON.parse(read("deno.json")).version,
    "plugin.json": JSON.parse(read(".claude-plugin/plugin.json")).version,
    "marketplace.json": market.plugins?.[0]?.version ?? market.metadata?.version,
    "bin/trimtab": /^version=(\S+)$/m.exec(read("bin/trimtab"))?.[1],
    "src/version.ts": /\bVERSION(?:: string)? = "([^"]+)"/.exec(read("src/version.ts"))?.[1],
  };
}

Deno.test(`no file of src/, cli/, scripts/ or hooks/ has over ${MAX_LINES} lines`, () => {
  const folders = ["src", "cli", "scripts", "hooks"];
  const files = folders.flatMap((folder) => projectFiles(folder, ["ts"]));
  assert(files.length > 0);
  assertEquals(tooLong(files.map((path) => [path, readProject(path)])), []);
});

Deno.test("the version is the same in all places", () => {
  const found = versions(readProject);
  assertExists(found["deno.json"]);
  const others = Object.entries(found).filter(([, version]) => version !== found["deno.json"]);
  assertEquals(others, []);
});

Deno.test("no file contains a path that exists only on one machine", () => {
  assert(TEXT_FILES.includes("deno.json"));
  const found = TEXT_FILES.flatMap((path) =>
    machinePaths(readProject(path), ROOT.replaceAll("\\", "/")).map((place) => `${path}: ${place}`)
  );
  assertEquals(found, []);
});

Deno.test("no room of src/ has more than 5,000 lines", () => {
  const lines = new Map<string, number>();
  for (const path of projectFiles("src", ["ts"])) {
    const room = path.split("/")[1] ?? "";
    lines.set(room, (lines.get(room) ?? 0) + countLines(readProject(path)));
  }
  assert((lines.get("saved") ?? 0) > 1_000, "the test must find the rooms");
  assertEquals([...lines].filter(([, count]) => count > 5_000), []);
});

Deno.test("no test of a room changes the environment, which all rooms share when they run at once", () => {
  const changes = /\bDeno\.env\.(?:set|delete)\(/;
  // These folders run in processes of their own, and own_config.ts sets the same variable for all rooms.
  const apart = /^tests\/(?:contract|e2e|fuzz|security)\/|^tests\/own_config\.ts$/;
  const files = projectFiles("tests", ["ts"]).filter((path) => !apart.test(path));
  assert(files.length > 100);
  const found = files.filter((path) => path !== "tests/house/project_test.ts")
    .filter((path) => changes.test(readProject(path)));
  assertEquals(found, []);
});

Deno.test("no folder of src/ has more than 25 files, and the launcher has at most 200 lines", () => {
  const counts = new Map<string, number>();
  for (const path of projectFiles("src", ["ts"])) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  assertEquals([...counts].filter(([, count]) => count > 25), []);
  const lines = readProject("bin/trimtab").trimEnd().split("\n").length;
  assert(lines <= 200, `${lines} lines`);
});

Deno.test("/checkpoint, the older name of /save-checkpoint, has the same instructions", () => {
  const [older, newer] = ["checkpoint", "save-checkpoint"].map((skill) =>
    readProject(`skills/${skill}/SKILL.md`).split("\n---\n").slice(1)
  );
  assertEquals(older, newer);
});

Deno.test("bin/trimtab.cmd refers to existing files, and grants neither all permissions nor the network", () => {
  const text = Deno.readTextFileSync(`${ROOT}/bin/trimtab.cmd`);
  const named = [...text.matchAll(/%~dp0([\w.\\]+)/g)].map(([, path = ""]) =>
    path.replaceAll("\\", "/")
  );
  assertEquals(named, ["trimtab", "../deno.json", "commands.lock", "../scripts/trimtab.ts"]);
  for (const path of named) assert(exists(`${ROOT}/bin/${path}`), path);
  assert(!text.includes("--allow-all") && !text.includes("--allow-net"));
});
