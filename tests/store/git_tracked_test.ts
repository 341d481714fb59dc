import { assert, assertEquals, assertThrows } from "@std/assert";
import { writeFileAtomicSync } from "../../src/store/atomic.ts";
import { addToLogSync } from "../../src/store/log.ts";
import { findRepository, trackedIn } from "../../src/store/git_tracked.ts";
import { inFolder, newFolder, writeFile } from "../folder.ts";

Deno.test("findRepository() searches upwards, follows the .git file of a worktree, and ignores an invalid .git file", () =>
  inFolder((root) => {
    Deno.mkdirSync(`${root}/repo/.git`, { recursive: true });
    Deno.mkdirSync(`${root}/repo/packages/a`, { recursive: true });
    Deno.mkdirSync(`${root}/tree/src`, { recursive: true });
    Deno.mkdirSync(`${root}/near`);
    Deno.writeTextFileSync(`${root}/tree/.git`, `gitdir: ${root}/repo/.git/worktrees/tree\n`);
    Deno.writeTextFileSync(`${root}/near/.git`, "gitdir: ../repo/.git\n");
    const expected = { root: `${root}/repo`, git: `${root}/repo/.git` };
    for (const path of ["repo", "repo/", "repo/packages/a"]) {
      assertEquals(findRepository(`${root}/${path}`), expected);
    }
    const git = `${root}/repo/.git/worktrees/tree`;
    assertEquals(findRepository(`${root}/tree/src`), { root: `${root}/tree`, git });
    assertEquals(findRepository(`${root}/near`)?.git.startsWith(`${root}/near/..`), true);
    Deno.writeTextFileSync(`${root}/near/.git`, "nothing of git's");
    assertEquals(findRepository(`${root}/near`), null);
  }));

function git(cwd: string, ...args: string[]): boolean {
  const env = { HOME: cwd, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  try {
    return new Deno.Command("git", { args: [...author, ...args], cwd, env, stderr: "null" })
      .outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

const hasGit = git("/", "--version");

/** Older versions of git cannot create every kind of repository. */
function canInit(options: readonly string[]): boolean {
  if (!hasGit) return false;
  using folder = newFolder();
  return git(folder.path, "init", "-q", ...options);
}

function gitTest(name: string, run: (root: string) => void, options: readonly string[] = []): void {
  const ignore = !canInit(options);
  Deno.test({
    name: ignore ? `${name} (needs ${["git", ...options].join(" ")})` : name,
    ignore,
    fn: () =>
      inFolder((root) => {
        assert(git(root, "init", "-q", ...options));
        run(root);
      }),
  });
}

const OWN = ".claude/trimtab/sessions.json";

for (
  const [name, init, set] of [
    ["in git's default format", [], []],
    ["of version 3", [], [["add", "-N", "new.txt"]]],
    ["of version 4", [], [["update-index", "--index-version", "4"]]],
    ["with SHA-256 ids", ["--object-format=sha256"], []],
  ] as const
) {
  gitTest(`trackedIn() reads an index ${name}`, (root) => {
    const project = `${root}/packages/a`;
    writeFile(`${project}/${OWN}`);
    // Similar paths: longer, shorter, and the same file of another project.
    for (const path of [`other/${OWN}`, OWN, `packages/a/${OWN}.old`, "packages/a/x.ts"]) {
      writeFile(`${root}/${path}`);
    }
    for (let n = 0; n < 300; n++) writeFile(`${root}/src/${"deep/".repeat(n % 9)}file${n}.ts`);
    git(root, "add", "-f", ".");
    git(root, "rm", "-q", "--cached", OWN);
    writeFile(`${root}/new.txt`);
    for (const args of set) assert(git(root, ...args), args.join(" "));
    assertEquals(trackedIn(project)(`${project}/${OWN}`), true);
    assertEquals(trackedIn(project)(`${project}/.claude/trimtab/left.json`), false);
    assertEquals(trackedIn(root)(`${root}/${OWN}`), false);
    git(root, "rm", "-q", "--cached", `packages/a/${OWN}`);
    assertEquals(trackedIn(project)(`${project}/${OWN}`), false, "removed from the index");
  }, init);
}

gitTest("trackedIn() reads the index of a worktree, and follows a linked .claude", (root) => {
  writeFile(`${root}/main/config/claude/trimtab/sessions.json`);
  git(root, "init", "-q", "main");
  Deno.symlinkSync("config/claude", `${root}/main/.claude`);
  git(`${root}/main`, "add", "-f", ".");
  git(`${root}/main`, "commit", "-qm", "x");
  git(`${root}/main`, "worktree", "add", "-q", `${root}/tree`);
  for (const project of [`${root}/main`, `${root}/tree`]) {
    assertEquals(trackedIn(project)(`${project}/${OWN}`), true, project);
  }
});

gitTest("writeFileAtomicSync() refuses only private files that git tracks", (root) => {
  for (const path of [OWN, ".claude/settings.json"]) writeFile(`${root}/${path}`);
  git(root, "add", "-f", ".");
  const wanted = "git tracks it, so its content would be committed";
  assertThrows(() => writeFileAtomicSync(`${root}/${OWN}`, "secret"), TypeError, wanted);
  assertThrows(() => addToLogSync(`${root}/${OWN}`, "secret\n"), TypeError, wanted);
  assertEquals(Deno.readTextFileSync(`${root}/${OWN}`), "x");
  writeFileAtomicSync(`${root}/.claude/trimtab/left.json`, "[]");
  writeFileAtomicSync(`${root}/.claude/settings.json`, "{}");
});
