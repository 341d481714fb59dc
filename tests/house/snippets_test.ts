// Runs the command lines of pages and skills, so that they cannot drift from the commands.

import { assert, assertEquals } from "@std/assert";
import { existsSync, walkSync } from "@std/fs";
import { cleanEnv, runChild } from "../../tools/child.ts";
import { findSnippets, matchesOutput, type Snippet } from "../../tools/snippets.ts";
import { posixTest } from "../posix.ts";
import { newFolder } from "../folder.ts";
import { projectFiles, readProject, ROOT } from "./project.ts";

const SESSION_ID = "11111111-2222-4333-8444-555555555555";
/** Each snippet finds this session as the newest in its working directory. */
const SESSION = `${ROOT}/tests/fixtures/demo`;

const PAGES = projectFiles("", ["md"]).filter((path) =>
  /^(?:[^/]+|(?:docs|skills)\/.*)$/.test(path) && path !== "CHANGELOG.md"
);

interface Outcome {
  readonly code: number;
  readonly output: string;
}

async function runSnippet(snippet: Snippet): Promise<Outcome> {
  using temporary = newFolder();
  const folder = temporary.path;
  Deno.mkdirSync(`${folder}/project`);
  const slug = `${Deno.realPathSync(folder)}/project`.replaceAll(/[^A-Za-z0-9]/g, "-");
  copyFolder(SESSION, `${folder}/home/.claude/projects/${slug}`);
  const deno = Deno.execPath().replace(/\/[^/]*$/, "");
  const env = cleanEnv({
    HOME: `${folder}/home`,
    PATH: `${ROOT}/bin:${deno}:${Deno.env.get("PATH") ?? ""}`,
    CLAUDE_PLUGIN_ROOT: ROOT,
    // Without this variable, a `.claude` folder above the temporary folder would count as the project's.
    CLAUDE_PROJECT_DIR: `${folder}/project`,
    CLAUDE_SESSION_ID: SESSION_ID,
  });
  const options = { cwd: `${folder}/project`, env, clearEnv: true };
  const { code, stdout, stderr } = await runChild("sh", ["-euc", snippet.code], options);
  return { code, output: stdout + stderr };
}

function copyFolder(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { path, isDirectory } of walkSync(from)) {
    const target = `${to}${path.slice(from.length)}`;
    if (isDirectory) Deno.mkdirSync(target, { recursive: true });
    else Deno.copyFileSync(path, target);
  }
}

Deno.test("README.md has a snippet to run, and every page marks each snippet", () => {
  assert(PAGES.includes("README.md"), "there is no README.md yet");
  const runnable = findSnippets(readProject("README.md"), "README.md").snippets
    .filter((snippet) => snippet.exitCode !== undefined);
  assert(runnable.length > 0, "README.md has no fence with the info string `sh run`");
  assertEquals(PAGES.flatMap((path) => findSnippets(readProject(path), path).problems), []);
});

posixTest("every snippet of the pages and skills runs", async (t) => {
  for (const snippet of PAGES.flatMap((path) => findSnippets(readProject(path), path).snippets)) {
    if (snippet.exitCode === undefined) continue;
    await t.step(`${snippet.path}:${snippet.line}`, async () => {
      const { code, output } = await runSnippet(snippet);
      assertEquals(code, snippet.exitCode, output);
      if (snippet.output !== undefined && !matchesOutput(snippet.output, output)) {
        assertEquals(output, snippet.output, "the page shows another output");
      }
    });
  }
});

posixTest("a failing snippet is reported as failing", async () => {
  const page = "```sh run\nfalse\necho not reached\n```\n\n```sh run\necho $UNSET_NAME\n```\n" +
    '\n```sh run=3\ntest "$HOME" != "" && echo "$HOME"; cd "$HOME"; exit 3\n```\n';
  const outcomes = [];
  for (const snippet of findSnippets(page, "page.md").snippets) {
    outcomes.push(await runSnippet(snippet));
  }
  assertEquals(outcomes.map((one) => one.code === 0), [false, false, false]);
  assertEquals(outcomes[0]?.output, "");
  assertEquals(outcomes[2]?.code, 3);
  assert(!existsSync(outcomes[2]?.output.trim() ?? ROOT), "its home must be gone afterwards");
});

Deno.test("findSnippets() reports a fence without a mark or a reason, and raw arguments", () => {
  const page = "```sh\nx\n```\n```sh no-run\nx\n```\n!`trimtab show $ARGUMENTS`\n";
  assertEquals(findSnippets(page, "a.md").problems, [
    'a.md:1: mark the snippet "sh run", "sh run=CODE" or "sh no-run WHY"',
    'a.md:4: mark the snippet "sh run", "sh run=CODE" or "sh no-run WHY"',
    "a.md:7: $ARGUMENTS in a shell line",
  ]);
  const skill = findSnippets("```sh\nx\n```\n```sh no-run why\ny\n```\n", "skills/a/SKILL.md");
  assertEquals(skill.snippets.map(({ code, exitCode }) => [code, exitCode])[0], ["x", 0]);
  assertEquals(skill.problems, [
    "skills/a/SKILL.md:4: a skill's snippet must have no mark, because the model would read it",
  ]);
  assertEquals(findSnippets("```sh run\nnever closed", "a.md").snippets[0]?.code, "never closed");
});
