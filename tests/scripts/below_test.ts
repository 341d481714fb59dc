/**
 * Checks which project a command uses: when it runs in a folder below the project, as after a `cd` in a
 * session, or when it is given a session.
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { posixTest } from "../posix.ts";
import {
  idOf,
  jsonOf,
  type Line,
  newPlace,
  type Place,
  posixPlaceTest as test,
  type RunOptions,
  sessionOf,
  textOf,
} from "./place.ts";

const IN_SESSION = { CLAUDE_CODE_SESSION_ID: idOf(1) };

function sessionsOf(place: Place, folder: string): string {
  return `${place.config}/projects/${folder.replaceAll(/[^A-Za-z0-9]/g, "-")}`;
}

function startIn(place: Place, folder: string, id = idOf(1)): string {
  Deno.mkdirSync(folder, { recursive: true });
  place.add(id, sessionOf([["Read", "text"]], { id, cwd: folder }), sessionsOf(place, folder));
  return folder;
}

/** Makes the folder that trimtab makes when it is used in a project. */
function markAsUsed(folder: string): void {
  Deno.mkdirSync(`${folder}/.claude/trimtab`, { recursive: true });
}

function folderIn(place: Place): string {
  const cwd = `${place.cwd}/packages/a`;
  Deno.mkdirSync(cwd, { recursive: true });
  return cwd;
}

async function launch(place: Place, command: string, options: RunOptions = {}): Promise<Line> {
  return jsonOf(await place.launch([...command.split(" "), "--json"], options));
}

test("a command without a session argument uses the session of the project above its working folder", async (place) => {
  const cwd = folderIn(place);
  startIn(place, place.cwd);
  const script = "scripts/status.ts";
  const error = await place.error(script, [], { cwd });
  assertStringIncludes(error, `Cannot find a session for ${cwd}`);
  markAsUsed(place.cwd);
  assertEquals((await place.json(script, [], { cwd })).session_id, idOf(1));
  const env = { CLAUDE_CODE_SESSION_ID: idOf(2) };
  const missing = await place.error(script, [], { cwd, env });
  assertStringIncludes(missing, `Cannot find session ${idOf(2)}`);
});

test("the launcher lets hooks read the .work.toml of the repository above the project", async (place) => {
  const cwd = folderIn(place);
  Deno.mkdirSync(`${place.cwd}/.git`);
  Deno.writeTextFileSync(`${place.cwd}/.work.toml`, "[context]\nwarn_threshold = 500\n");
  const transcript_path = place.add(idOf(1), sessionOf([["Read", "text"]], { cwd }));
  const stdin = JSON.stringify({ session_id: idOf(1), transcript_path, cwd });
  const env = { CLAUDE_PROJECT_DIR: cwd };
  const result = await place.launch(["hook", "user-prompt-submit"], { cwd, env, stdin });
  const words = ".work.toml: context.warn_threshold = 500: expected a whole";
  assertStringIncludes(textOf(result), words);
});

test("commands save, and look for saves, in the folder where the session started, even if trimtab is used in a folder above", async (place) => {
  markAsUsed(place.cwd);
  const cwd = startIn(place, `${place.cwd}/packages/a`);
  const options = { cwd, env: IN_SESSION };
  const saved = await launch(place, "checkpoint", options);
  assertStringIncludes(String(saved.path), `${cwd}/.claude/checkpoints/`);
  const { file_path } = await launch(place, "snapshot", options);
  assertStringIncludes(String(file_path), `${cwd}/.claude/runtime/`);
  const stdin = "### Current Task\n\nGo on.\n";
  const { prompt_file } = await launch(place, "rollover --summary-file -", { ...options, stdin });
  assertStringIncludes(String(prompt_file), `${cwd}/.claude/trimtab/handoffs/`);
  assertEquals((await place.json("scripts/list.ts", [], options)).count, 3);
  assertEquals((await launch(place, `verify ${saved.id}`, options)).valid, true);
  assertEquals(typeof (await place.json("scripts/restore.ts", [], options)).context, "string");
});

test("a session named by its id is saved in its own project", async (place) => {
  const other = startIn(place, `${place.home}/other`);
  const { path } = await launch(place, `checkpoint ${idOf(1).slice(0, 8)}`);
  assertStringIncludes(String(path), `${other}/.claude/checkpoints/`);
});

test("the work of a transcript that was copied into a project is saved in that project", async (place) => {
  const other = startIn(place, `${place.home}/other`);
  const copy = `${place.cwd}/${idOf(2)}.jsonl`;
  Deno.copyFileSync(`${sessionsOf(place, other)}/${idOf(1)}.jsonl`, copy);
  const { path } = await place.json("scripts/checkpoint.ts", [copy]);
  assertStringIncludes(String(path), `${place.cwd}/.claude/checkpoints/`);
});

interface Layout {
  readonly cwd: string;
  readonly project: string;
  readonly env?: Record<string, string>;
}

const LAYOUTS: Readonly<Record<string, (place: Place) => Layout>> = {
  "below a used folder": ({ cwd }) => {
    markAsUsed(cwd);
    return { cwd: `${cwd}/a/b`, project: cwd };
  },
  "below a used folder within the repository": ({ cwd }) => {
    Deno.mkdirSync(`${cwd}/.git`);
    markAsUsed(`${cwd}/a`);
    return { cwd: `${cwd}/a/b`, project: `${cwd}/a` };
  },
  "in a repository below a used folder": ({ cwd }) => {
    markAsUsed(cwd);
    Deno.mkdirSync(`${cwd}/a/b`, { recursive: true });
    // In a worktree, `.git` is a file.
    Deno.writeTextFileSync(`${cwd}/a/.git`, "gitdir: elsewhere\n");
    return { cwd: `${cwd}/a/b`, project: `${cwd}/a/b` };
  },
  "below the used root of the repository": ({ cwd }) => {
    markAsUsed(cwd);
    Deno.mkdirSync(`${cwd}/.git`);
    return { cwd: `${cwd}/a`, project: cwd };
  },
  "in a folder with its own sessions": (place) => withSessions(place, "a-b"),
  "in a folder with its own sessions and letters of many scripts": (place) =>
    withSessions(place, "日本 naïve"),
  "in a session of a folder with quotes in its name": (place) => {
    const project = startIn(place, `${place.cwd}/my "odd" \\folder`);
    return { cwd: `${place.cwd}/a`, project, env: IN_SESSION };
  },
  "in a session that started in the folder above": (place) => {
    markAsUsed(`${place.cwd}/a`);
    return { cwd: `${place.cwd}/a/b`, project: startIn(place, place.cwd), env: IN_SESSION };
  },
  "in a session whose folder is gone": (place) => {
    markAsUsed(place.cwd);
    Deno.removeSync(startIn(place, `${place.cwd}/gone`));
    return { cwd: `${place.cwd}/a`, project: place.cwd, env: IN_SESSION };
  },
  "in a session that has written nothing yet": ({ cwd }) => {
    markAsUsed(cwd);
    return { cwd: `${cwd}/a`, project: `${cwd}/a`, env: IN_SESSION };
  },
};

function withSessions(place: Place, name: string): Layout {
  markAsUsed(place.cwd);
  const folder = startIn(place, `${place.cwd}/${name}`);
  return { cwd: folder, project: folder };
}

posixTest("the launcher and the command itself find the same project", async (t) => {
  for (const [name, make] of Object.entries(LAYOUTS)) {
    await t.step(name, async () => {
      using place = newPlace();
      const { project, ...options } = make(place);
      Deno.mkdirSync(options.cwd, { recursive: true });
      const launched = await launch(place, "clean", options);
      assertEquals(launched.project, project, "the launcher");
      const called = await place.json("scripts/clean.ts", [], options);
      assertEquals(called.project, project, "the command");
    });
  }
});
