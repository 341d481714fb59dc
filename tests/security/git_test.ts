// Repositories can contain files that could make git show saved files. The test runs commands and
// hooks, then lists what git sees.

import { assert, assertEquals } from "@std/assert";
import { ensureDirSync } from "@std/fs";
import { partOf } from "../full.ts";
import { idOf, isInstalled, newPlace, type Place, sessionOf } from "../scripts/place.ts";
import { handoffWith } from "./planted.ts";
import { type Call, runCalls } from "./processes.ts";
import { writeFile } from "../folder.ts";

/** Occurs in everything that is saved. */
const PRIVATE = "private words 7c2e";

function git(cwd: string, ...args: string[]): string {
  const env = { HOME: cwd, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  // Git warns about ignore files that are links, and ignores them.
  const command = new Deno.Command("git", { args: [...author, ...args], cwd, env, stderr: "null" });
  const { code, stdout } = command.outputSync();
  assertEquals(code, 0, args.join(" "));
  return new TextDecoder().decode(stdout);
}

const hasGit = isInstalled("git");

const FOLDERS = [".claude/trimtab", ".claude/checkpoints", ".claude/runtime/context-snapshots"];

const HOSTILE: Readonly<Record<string, (project: string) => void>> = {
  "tracked files of trimtab": (project) => {
    const files = {
      ".claude/trimtab/sessions.json": '{"version":1,"sessions":[]}\n',
      ".claude/trimtab/left.json": "[]\n",
      ".claude/trimtab/iteration": "1\n",
      ".claude/trimtab/events.jsonl": "",
      [`.claude/trimtab/state/${idOf(1)}.json`]: "{}\n",
      [`.claude/trimtab/handoffs/${idOf(1)}.md`]: "",
      [`.claude/trimtab/handoffs/${idOf(1)}.json`]: "{}\n",
    };
    for (const [path, text] of Object.entries(files)) writeFile(`${project}/${path}`, text);
  },
  "ignore files that include everything": (project) => {
    for (const folder of FOLDERS) writeFile(`${project}/${folder}/.gitignore`, "*\n!*\n!**/*\n");
  },
  "ignore files that are links": (project) => {
    writeFile(`${project}/none`, "# nothing\n");
    for (const folder of FOLDERS) {
      ensureDirSync(`${project}/${folder}`);
      Deno.symlinkSync(`${project}/none`, `${project}/${folder}/.gitignore`);
    }
  },
  "ignore files that are folders": (project) => {
    for (const folder of FOLDERS) writeFile(`${project}/${folder}/.gitignore/x`, "");
  },
  "an ignore file in a parent folder that includes everything": (project) => {
    writeFile(`${project}/.gitignore`, "!.claude/**\n!*\n");
    writeFile(`${project}/.claude/.gitignore`, "!**\n");
  },
};

async function saveAll(place: Place, project: string): Promise<void> {
  const options = { cwd: project, prompt: PRIVATE };
  const session = sessionOf([["Read", `${PRIVATE} `.repeat(90)]], options);
  const transcript = place.add(idOf(1), session);
  const summary = `${place.home}/summary.md`;
  Deno.writeTextFileSync(summary, handoffWith(PRIVATE));
  const payload = { session_id: idOf(1), transcript_path: transcript, cwd: project };
  const calls: Call[] = [
    { script: "checkpoint", args: [idOf(1)] },
    { script: "snapshot", args: [idOf(1), "--name", PRIVATE] },
    { script: "rollover", args: [idOf(1), "--summary-file", summary] },
    { script: "report", args: [idOf(1)] },
    { hook: "session_start", payload: { ...payload, source: "startup" } },
    { hook: "pre_compact", payload: { ...payload, trigger: "auto" } },
    { hook: "stop", payload },
    { hook: "session_end", payload: { ...payload, reason: "clear" } },
  ];
  await runCalls(calls, { cwd: project, env: { HOME: place.home, CLAUDE_PROJECT_DIR: project } });
}

/** A quick run takes every second case. The order of the two folders alternates, so that it covers both. */
const CASES = Object.entries(HOSTILE).flatMap(([name, plant], n) => {
  const folders = n % 2 === 0 ? ["", "packages/a"] : ["packages/a", ""];
  return folders.map((below) => ({ name, plant, below }));
});

for (const { name, plant, below } of partOf(CASES, CASES.length / 2, "layouts of a repository")) {
  Deno.test({
    name: `git sees no saved file next to ${name}${
      below === "" ? "" : ", in a project below the repository's root"
    }${hasGit ? "" : " (needs git)"}`,
    ignore: !hasGit,
    fn: async () => {
      using place = newPlace();
      const project = below === "" ? place.cwd : `${place.cwd}/${below}`;
      ensureDirSync(project);
      git(place.cwd, "init", "-q");
      plant(project);
      git(place.cwd, "add", "-f", ".");
      git(place.cwd, "commit", "-qm", "x", "--allow-empty");
      await saveAll(place, project);
      // Next to an ignore file of the repository, trimtab may refuse to save.
      if (!name.startsWith("ignore files")) {
        const saved = [...Deno.readDirSync(`${project}/.claude/checkpoints`)];
        assert(saved.length > 1, "nothing was saved, so the test proves nothing");
      }
      const listed = git(place.cwd, "status", "--porcelain", "-uall").trim().split("\n");
      // Repaired ignore files show up as changes; saved files must not.
      assertEquals(listed.filter((line) => !line.endsWith("/.gitignore") && line !== ""), []);
      git(place.cwd, "add", "-A");
      assert(!git(place.cwd, "diff", "--cached").includes(PRIVATE));
    },
  });
}
