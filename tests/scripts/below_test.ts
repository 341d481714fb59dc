/** Runs commands in a folder below the project, as after a `cd` in a session. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import { PLUGIN } from "../plugin_copy.ts";
import { posixTest } from "../posix.ts";
import { idOf, jsonOf, newPlace, type Place, sessionOf } from "./place.ts";

/** Contains Deno. */
const PATH = `${Deno.execPath().replace(/\/[^/]*$/, "")}:/usr/bin:/bin`;

function sessionsOf(place: Place, folder: string): string {
  return `${place.config}/projects/${folder.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
}

function startIn(place: Place, folder: string, id: string): void {
  Deno.mkdirSync(folder, { recursive: true });
  place.add(id, sessionOf([["Read", "text"]], { id, cwd: folder }), sessionsOf(place, folder));
}

/** Creates the folder that trimtab creates when it is used in a project. */
function markAsUsed(folder: string): void {
  Deno.mkdirSync(`${folder}/.claude/trimtab`, { recursive: true });
}

posixTest("the launcher lets commands save in the project that they run below", async () => {
  using place = newPlace();
  const folder = `${place.cwd}/packages/a`;
  Deno.mkdirSync(folder, { recursive: true });
  markAsUsed(place.cwd);
  place.add(idOf(1), sessionOf([["Read", "text"]], { cwd: place.cwd }));
  const runOptions = { cwd: folder, env: { PATH } };
  const saved = jsonOf(await place.launch(["checkpoint", idOf(1), "--json"], runOptions));
  assertStringIncludes(String(saved.path), `${place.cwd}/.claude/checkpoints/`);
  const snapshot = jsonOf(await place.launch(["snapshot", idOf(1), "--json"], runOptions));
  assertStringIncludes(String(snapshot.file_path), `${place.cwd}/.claude/runtime/`);
  const listed = jsonOf(await place.launch(["list", "--json"], runOptions));
  assertEquals(listed.count, 2);
});

posixTest(
  "a command without a session argument uses the session of the project above",
  async () => {
    using place = newPlace();
    const folder = `${place.cwd}/packages/a`;
    Deno.mkdirSync(folder, { recursive: true });
    place.add(idOf(1), sessionOf([["Read", "text"]], { cwd: place.cwd }));
    const runOptions = { cwd: folder, env: { PATH } };
    const unused = await place.launch(["status", "--json"], runOptions);
    assertStringIncludes(unused.stdout + unused.stderr, `Cannot find a session for ${folder}`);
    markAsUsed(place.cwd);
    const found = await place.launch(["status", "--json"], runOptions);
    assertStringIncludes(found.stdout, idOf(1));
    const elsewhere = { ...runOptions, env: { PATH, CLAUDE_CODE_SESSION_ID: idOf(2) } };
    const missing = await place.launch(["status", "--json"], elsewhere);
    assertStringIncludes(missing.stdout + missing.stderr, `Cannot find session ${idOf(2)}`);
  },
);

posixTest("the launcher lets hooks read the shared file of the repository above", async () => {
  using place = newPlace();
  const folder = `${place.cwd}/packages/a`;
  Deno.mkdirSync(folder, { recursive: true });
  Deno.mkdirSync(`${place.cwd}/.git`);
  Deno.writeTextFileSync(`${place.cwd}/.work.toml`, "[context]\nwarn_threshold = 500\n");
  const path = place.add(idOf(1), sessionOf([["Read", "text"]], { cwd: folder }));
  const env = { PATH, CLAUDE_PROJECT_DIR: folder };
  const stdin = JSON.stringify({
    session_id: idOf(1),
    transcript_path: path,
    cwd: folder,
    hook_event_name: "UserPromptSubmit",
    prompt: "go on",
  });
  const options = { cwd: folder, env, stdin };
  const { stdout } = await place.launch(["hook", "user-prompt-submit"], options);
  assertStringIncludes(stdout, ".work.toml: context.warn_threshold = 500: expected a whole");
});

posixTest(
  "commands save and search where the session started, even below a used folder",
  async (t) => {
    for (const environment of ["in the session", "in a shell"]) {
      await t.step(environment, async () => {
        using place = newPlace();
        const folder = `${place.cwd}/packages/a`;
        markAsUsed(place.cwd);
        startIn(place, folder, idOf(1));
        const isInside = environment === "in the session";
        const env = { PATH, ...(isInside ? { CLAUDE_CODE_SESSION_ID: idOf(1) } : {}) };
        const runOptions = { cwd: folder, env };
        const own = `${folder}/.claude`;
        const saved = jsonOf(await place.launch(["checkpoint", "--json"], runOptions));
        assertStringIncludes(String(saved.path), `${own}/checkpoints/`);
        const snapshot = jsonOf(await place.launch(["snapshot", "--json"], runOptions));
        assertStringIncludes(String(snapshot.file_path), `${own}/runtime/`);
        const rollover = ["rollover", "--summary-file", "-", "--json"];
        const stdin = "### Current Task\n\nGo on.\n";
        const rolloverReport = jsonOf(await place.launch(rollover, { ...runOptions, stdin }));
        assertStringIncludes(String(rolloverReport.prompt_file), `${own}/trimtab/handoffs/`);
        assertEquals(jsonOf(await place.launch(["list", "--json"], runOptions)).count, 3);
        const verify = ["verify", String(saved.id), "--json"];
        assertEquals(jsonOf(await place.launch(verify, runOptions)).valid, true);
        const restored = jsonOf(await place.launch(["restore", "--json"], runOptions));
        assertEquals(typeof restored.context, "string");
      });
    }
  },
);

posixTest("a session named by its id is saved in its own project", async () => {
  using place = newPlace();
  const other = `${place.home}/other`;
  startIn(place, other, idOf(1));
  const runOptions = { env: { PATH } };
  for (const name of [idOf(1), idOf(1).slice(0, 8)]) {
    const saved = jsonOf(await place.launch(["checkpoint", "--json", name], runOptions));
    assertStringIncludes(String(saved.path), `${other}/.claude/checkpoints/`);
  }
});

posixTest("a transcript that was copied into a project is not saved elsewhere", async () => {
  using place = newPlace();
  const other = `${place.home}/other`;
  startIn(place, other, idOf(1));
  const path = `${place.cwd}/${idOf(2)}.jsonl`;
  Deno.copyFileSync(`${sessionsOf(place, other)}/${idOf(1)}.jsonl`, path);
  const saved = jsonOf(await place.launch(["checkpoint", "--json", path], { env: { PATH } }));
  assertStringIncludes(String(saved.path), `${place.cwd}/.claude/checkpoints/`);
});

interface Layout {
  cwd: string;
  project: string;
}

interface Case {
  name: string;
  make(place: Place): Layout;
  env?: Record<string, string>;
}

const CASES: readonly Case[] = [
  {
    name: "a used folder above",
    make({ cwd }): Layout {
      markAsUsed(cwd);
      return { cwd: `${cwd}/a/b`, project: cwd };
    },
  },
  {
    name: "a used folder above, within the repository",
    make({ cwd }): Layout {
      Deno.mkdirSync(`${cwd}/.git`);
      markAsUsed(`${cwd}/a`);
      return { cwd: `${cwd}/a/b`, project: `${cwd}/a` };
    },
  },
  {
    name: "a used folder above the repository",
    make({ cwd }): Layout {
      markAsUsed(cwd);
      Deno.mkdirSync(`${cwd}/a/b`, { recursive: true });
      // A worktree has a file in this place.
      Deno.writeTextFileSync(`${cwd}/a/.git`, "gitdir: elsewhere\n");
      return { cwd: `${cwd}/a/b`, project: `${cwd}/a/b` };
    },
  },
  {
    name: "the root of the repository itself",
    make({ cwd }): Layout {
      markAsUsed(cwd);
      Deno.mkdirSync(`${cwd}/.git`);
      return { cwd: `${cwd}/a`, project: cwd };
    },
  },
  {
    name: "a folder with its own sessions",
    make(place): Layout {
      markAsUsed(place.cwd);
      startIn(place, `${place.cwd}/a-b`, idOf(1));
      return { cwd: `${place.cwd}/a-b`, project: `${place.cwd}/a-b` };
    },
  },
  {
    name: "a folder with its own sessions and letters of many scripts",
    make(place): Layout {
      markAsUsed(place.cwd);
      startIn(place, `${place.cwd}/日本 naïve`, idOf(1));
      return { cwd: `${place.cwd}/日本 naïve`, project: `${place.cwd}/日本 naïve` };
    },
  },
  {
    name: "a session of a folder with quotes in its name",
    make(place): Layout {
      const folder = `${place.cwd}/my "odd" \\folder`;
      startIn(place, folder, idOf(1));
      return { cwd: `${place.cwd}/a`, project: folder };
    },
    env: { CLAUDE_CODE_SESSION_ID: idOf(1) },
  },
  {
    name: "a session that started above",
    make(place): Layout {
      markAsUsed(`${place.cwd}/a`);
      startIn(place, place.cwd, idOf(1));
      return { cwd: `${place.cwd}/a/b`, project: place.cwd };
    },
    env: { CLAUDE_CODE_SESSION_ID: idOf(1) },
  },
  {
    name: "a session whose folder is gone",
    make(place): Layout {
      markAsUsed(place.cwd);
      startIn(place, `${place.cwd}/gone`, idOf(1));
      Deno.removeSync(`${place.cwd}/gone`);
      return { cwd: `${place.cwd}/a`, project: place.cwd };
    },
    env: { CLAUDE_CODE_SESSION_ID: idOf(1) },
  },
  {
    name: "a session that has written nothing yet",
    make({ cwd }): Layout {
      markAsUsed(cwd);
      return { cwd: `${cwd}/a`, project: `${cwd}/a` };
    },
    env: { CLAUDE_CODE_SESSION_ID: idOf(1) },
  },
];

posixTest("the launcher and the command itself find the same project", async (t) => {
  for (const { name, make, env = {} } of CASES) {
    await t.step(name, async () => {
      using place = newPlace();
      const { cwd, project } = make(place);
      Deno.mkdirSync(cwd, { recursive: true });
      const launched = await place.launch(["doctor", "--json"], { cwd, env: { PATH, ...env } });
      assertEquals(JSON.parse(launched.stdout).project, project, "the launcher");
      const script = ["run", "--quiet", "-A", `${PLUGIN}/scripts/doctor.ts`, "--json"];
      const options = { cwd, clearEnv: true, env: cleanEnv({ HOME: place.home, ...env }) };
      assertEquals(JSON.parse((await runDeno(script, options)).stdout).project, project);
    });
  }
});
