import { assertEquals } from "@std/assert";
import { findRepository } from "../../src/clean/tracked.ts";

Deno.test("findRepository() looks upwards, and follows the file of a worktree", () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    Deno.mkdirSync(`${root}/repo/.git`, { recursive: true });
    Deno.mkdirSync(`${root}/repo/packages/a`, { recursive: true });
    Deno.mkdirSync(`${root}/tree/src`, { recursive: true });
    Deno.mkdirSync(`${root}/near`);
    Deno.writeTextFileSync(`${root}/tree/.git`, `gitdir: ${root}/repo/.git/worktrees/tree\n`);
    Deno.writeTextFileSync(`${root}/near/.git`, "gitdir: ../repo/.git\n");
    const own = { root: `${root}/repo`, git: `${root}/repo/.git` };
    for (const path of ["repo", "repo/", "repo/packages/a"]) {
      assertEquals(findRepository(`${root}/${path}`), own);
    }
    const git = `${root}/repo/.git/worktrees/tree`;
    assertEquals(findRepository(`${root}/tree/src`), { root: `${root}/tree`, git });
    assertEquals(findRepository(`${root}/near`)?.git.startsWith(`${root}/near/..`), true);
    Deno.writeTextFileSync(`${root}/near/.git`, "nothing of git's");
    assertEquals(findRepository(`${root}/near`), null);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
