import { assert, assertEquals, assertFalse, assertInstanceOf, assertThrows } from "@std/assert";
import { cleanEnv, runDeno } from "../../tools/child.ts";
import {
  type FindOptions,
  findSession,
  isSessionId,
  projectFolderName,
  readStartedIn,
  SessionNotFoundError,
} from "../../src/transcript/find.ts";

const POSIX = Deno.build.os !== "windows";

const ID = "11111111-2222-3333-4444-555555555555";
const OTHER = "99999999-2222-3333-4444-555555555555";
const CWD = "/work/my_project";
const FOLDER = "-work-my-project";

interface Place extends FindOptions {
  configDir: string;
  projects: string;
}

/** Runs a test with a configuration folder of its own. */
function inConfig(run: (place: Place) => void): void {
  const configDir = Deno.realPathSync(Deno.makeTempDirSync()).replaceAll("\\", "/");
  const projects = `${configDir}/projects`;
  try {
    Deno.mkdirSync(projects);
    run({ configDir, projects, cwd: CWD });
  } finally {
    Deno.removeSync(configDir, { recursive: true });
  }
}

/** Writes a session that was changed so many seconds after 1970. */
function addSession(folder: string, id: string, seconds = 1000, text = "{}\n"): string {
  Deno.mkdirSync(folder, { recursive: true });
  const path = `${folder}/${id}.jsonl`;
  Deno.writeTextFileSync(path, text);
  Deno.utimeSync(path, seconds, seconds);
  return path;
}

/** The message of the refusal. */
function refusal(name: string | undefined, options: FindOptions): string {
  return assertThrows(() => findSession(name, options), SessionNotFoundError).message;
}

Deno.test("isSessionId() takes whole ids and nothing that could lead elsewhere", () => {
  assert(isSessionId(ID));
  assert(isSessionId("ABCDEF01-2222-3333-4444-555555555555"));
  for (
    const text of [
      "",
      "11111111",
      `${ID}x`,
      ` ${ID}`,
      `${ID}\n`,
      `../${ID}`,
      `${ID}/..`,
      "g1111111-2222-3333-4444-555555555555",
      "..",
    ]
  ) {
    assertFalse(isSessionId(text), text);
  }
});

Deno.test("projectFolderName() puts a dash for every character that is no letter or digit", () => {
  assertEquals(projectFolderName("/home/ann/my_app.v2"), "-home-ann-my-app-v2");
  assertEquals(projectFolderName("C:\\Users\\Ann"), "C--Users-Ann");
  assertEquals(projectFolderName("/é😀"), "----");
});

Deno.test("findSession() finds an id in whichever project it is", () =>
  inConfig((place) => {
    const path = addSession(`${place.projects}/other`, ID);
    addSession(`${place.projects}/${FOLDER}`, OTHER);
    assertEquals(findSession(ID, place), { id: ID, path });
  }));

Deno.test("findSession() takes the newest where two projects have a session of one id", () =>
  inConfig((place) => {
    addSession(`${place.projects}/a`, ID, 1000);
    const path = addSession(`${place.projects}/b`, ID, 3000);
    addSession(`${place.projects}/c`, ID, 2000);
    assertEquals(findSession(ID, place), { id: ID, path });
    assertEquals(findSession("11111111", place).path, path);
  }));

Deno.test("findSession() finds the short form of an id, in either case", () =>
  inConfig((place) => {
    const id = "abcdef01-2222-3333-4444-555555555555";
    const path = addSession(`${place.projects}/a`, id);
    addSession(`${place.projects}/a`, OTHER);
    assertEquals(findSession("abcdef01", place), { id, path });
    assertEquals(findSession("ABCDEF01", place), { id, path });
  }));

Deno.test("findSession() finds the short form of an id that is written in capitals", () =>
  inConfig((place) => {
    const id = "ABCDEF01-2222-3333-4444-555555555555";
    const path = addSession(`${place.projects}/a`, id);
    assertEquals(findSession("abcdef01", place), { id, path });
  }));

Deno.test("findSession() does not choose between ids that start alike, and names them", () =>
  inConfig((place) => {
    const second = "11111111-ffff-3333-4444-555555555555";
    addSession(`${place.projects}/a`, second);
    addSession(`${place.projects}/b`, ID);
    assertEquals(
      refusal("11111111", place),
      `Cannot tell which session 11111111 is: it starts the ids ${ID}, ${second}`,
    );
  }));

Deno.test("findSession() says where it looked for an id in vain", () =>
  inConfig((place) => {
    addSession(`${place.projects}/a`, OTHER);
    assertEquals(
      refusal(ID, place),
      `Cannot find session ${ID}: no folder in ${place.projects} has a ${ID}.jsonl`,
    );
    assertEquals(
      refusal("11111111", place),
      `Cannot find session 11111111: no folder in ${place.projects} has a 11111111*.jsonl`,
    );
  }));

Deno.test("findSession() finds no id where there is no folder of projects, or a file in its place", () =>
  inConfig((place) => {
    Deno.removeSync(place.projects);
    assertEquals(refusal(ID, place).startsWith(`Cannot find session ${ID}`), true);
    assertEquals(refusal(undefined, place).startsWith(`Cannot find a session of ${CWD}`), true);
    Deno.writeTextFileSync(place.projects, "a file");
    assertEquals(refusal(ID, place).startsWith(`Cannot find session ${ID}`), true);
    assertEquals(refusal(undefined, place).startsWith(`Cannot find a session of ${CWD}`), true);
  }));

Deno.test("findSession() asks for a path when no configuration folder is known", () => {
  const options = { configDir: undefined, cwd: CWD };
  const expected = "Cannot find sessions by id: neither CLAUDE_CONFIG_DIR nor HOME is set. " +
    "Name the session by the path of its .jsonl file";
  assertEquals(refusal(ID, options), expected);
  assertEquals(refusal(undefined, options), expected);
});

Deno.test("findSession() says what names a session when given something else", () =>
  inConfig((place) => {
    for (const name of ["", "latest", "1111111", "111111111", `${ID}x`, ".."]) {
      assertEquals(
        refusal(name, place),
        `Cannot find session ${JSON.stringify(name)}: give a session's id, the first 8 ` +
          "characters of one, or the path of its .jsonl file",
      );
    }
  }));

Deno.test("findSession() passes over a folder that has a session's name", () =>
  inConfig((place) => {
    Deno.mkdirSync(`${place.projects}/${FOLDER}/${ID}.jsonl`, { recursive: true });
    for (const name of [ID, "11111111", undefined]) refusal(name, place);
    const path = addSession(`${place.projects}/z`, ID);
    assertEquals(findSession(ID, place).path, path);
  }));

Deno.test({
  name: "findSession() refuses a session file that is a link, unless its path is given",
  ignore: !POSIX,
  fn: () =>
    inConfig((place) => {
      const secret = `${place.configDir}/secret`;
      Deno.writeTextFileSync(secret, "{}\n");
      Deno.mkdirSync(`${place.projects}/${FOLDER}`);
      const path = `${place.projects}/${FOLDER}/${ID}.jsonl`;
      Deno.symlinkSync(secret, path);
      for (const name of [ID, "11111111", undefined]) refusal(name, place);
      assertEquals(findSession(path, place), { id: ID, path });
    }),
});

Deno.test({
  name: "findSession() follows a project folder that is a link",
  ignore: !POSIX,
  fn: () =>
    inConfig((place) => {
      addSession(`${place.configDir}/elsewhere`, ID);
      Deno.symlinkSync(`${place.configDir}/elsewhere`, `${place.projects}/${FOLDER}`);
      const expected = { id: ID, path: `${place.projects}/${FOLDER}/${ID}.jsonl` };
      for (const name of [ID, "11111111", undefined]) {
        assertEquals(findSession(name, place), expected);
      }
    }),
});

Deno.test({
  name: "findSession() is not stopped by links that lead nowhere, to a file or to themselves",
  ignore: !POSIX,
  fn: () =>
    inConfig((place) => {
      Deno.writeTextFileSync(`${place.projects}/notes.txt`, "not a folder");
      Deno.symlinkSync(`${place.projects}/notes.txt`, `${place.projects}/a-file`);
      Deno.symlinkSync(`${place.projects}/none`, `${place.projects}/b-gone`);
      Deno.symlinkSync(`${place.projects}/c-loop`, `${place.projects}/c-loop`);
      const path = addSession(`${place.projects}/d`, ID);
      assertEquals(findSession(ID, place).path, path);
      assertEquals(findSession("11111111", place).path, path);
    }),
});

Deno.test("findSession() takes a path, absolute or relative to the working folder", () =>
  inConfig((place) => {
    const path = addSession(`${place.configDir}/kept`, "any name");
    const options = { configDir: undefined, cwd: `${place.configDir}/kept` };
    const expected = { id: "any name", path };
    assertEquals(findSession(path, options), expected);
    assertEquals(findSession("any name.jsonl", options), expected);
    assertEquals(findSession("./any name.jsonl", options), expected);
    assertEquals(findSession("../kept/any name.jsonl", options), expected);
  }));

Deno.test("findSession() takes no file without the ending for a session", () =>
  inConfig((place) => {
    const path = `${place.configDir}/notes.txt`;
    Deno.writeTextFileSync(path, "");
    assertEquals(
      refusal(path, place),
      `Cannot read session: ${path} does not end in .jsonl; rename it if it is a session`,
    );
  }));

Deno.test("findSession() says that there is no file at a path, or no folder on its way", () =>
  inConfig((place) => {
    Deno.writeTextFileSync(`${place.configDir}/file`, "");
    for (const path of [`${place.configDir}/none.jsonl`, `${place.configDir}/file/x.jsonl`]) {
      assertEquals(refusal(path, place), `Cannot find session: there is no file ${path}`);
    }
    const options = { ...place, cwd: place.configDir };
    assertEquals(
      refusal("none.jsonl", options),
      `Cannot find session: there is no file ${place.configDir}/none.jsonl`,
    );
  }));

Deno.test("findSession() refuses a path that is a folder", () =>
  inConfig((place) => {
    assertEquals(
      refusal(place.projects, place),
      `Cannot read session: ${place.projects} is not a regular file`,
    );
  }));

Deno.test({
  name: "findSession() refuses a path that is a device",
  ignore: !POSIX,
  fn: () =>
    inConfig((place) => {
      assertEquals(
        refusal("/dev/null", place),
        "Cannot read session: /dev/null is not a regular file",
      );
    }),
});

Deno.test("findSession() passes on errors that do not mean that nothing is there", () =>
  inConfig((place) => {
    const error = assertThrows(() => findSession("./a\0b", place));
    assertFalse(error instanceof SessionNotFoundError);
  }));

Deno.test("findSession() goes by the session that it runs in, when nothing is named", () =>
  inConfig((place) => {
    const path = addSession(`${place.projects}/elsewhere`, ID, 1000);
    const newest = addSession(`${place.projects}/${FOLDER}`, OTHER, 2000);
    assertEquals(findSession(undefined, { ...place, currentId: ID }).path, path);
    assertEquals(findSession(undefined, { ...place, currentId: "../x" }).path, newest);
    assertEquals(findSession(undefined, { ...place, currentId: undefined }).path, newest);
    Deno.removeSync(path);
    refusal(undefined, { ...place, currentId: ID });
  }));

Deno.test("findSession() takes the newest session of the working folder by its time", () =>
  inConfig((place) => {
    const folder = `${place.projects}/${FOLDER}`;
    addSession(folder, OTHER, 1000);
    const path = addSession(folder, ID, 3000);
    addSession(folder, "77777777-2222-3333-4444-555555555555", 2000);
    addSession(`${place.projects}/another`, "88888888-2222-3333-4444-555555555555", 9000);
    assertEquals(findSession(undefined, place), { id: ID, path });
  }));

Deno.test("findSession() takes the greater id where two sessions have one time", () =>
  inConfig((place) => {
    const folder = `${place.projects}/${FOLDER}`;
    addSession(folder, ID);
    addSession(folder, OTHER);
    assertEquals(findSession(undefined, place).id, OTHER);
  }));

Deno.test("findSession() passes over other files beside the sessions", () =>
  inConfig((place) => {
    const folder = `${place.projects}/${FOLDER}`;
    addSession(folder, ID, 1000);
    for (const name of ["agent-1.jsonl", `${OTHER}.json`, `${OTHER}.jsonl.bak`]) {
      Deno.writeTextFileSync(`${folder}/${name}`, "{}\n");
    }
    Deno.mkdirSync(`${folder}/${OTHER}`);
    assertEquals(findSession(undefined, place).id, ID);
  }));

Deno.test("findSession() says which folder it looked in for the newest session", () =>
  inConfig((place) => {
    const message = `Cannot find a session of ${CWD}: looked in ${place.projects}/${FOLDER}. ` +
      "Name one by its id or its path, or run this in the project's folder";
    assertEquals(refusal(undefined, place), message);
    Deno.mkdirSync(`${place.projects}/${FOLDER}`);
    assertEquals(refusal(undefined, place), message);
  }));

for (const length of [201, 400]) {
  Deno.test(`findSession() finds the sessions of a folder of ${length} characters by what they say`, () =>
    inConfig((place) => {
      const cwd = "/" + "long/".repeat(100).slice(0, length - 1);
      const says = (folder: string): string => JSON.stringify({ type: "user", cwd: folder }) + "\n";
      const prefix = projectFolderName(cwd).slice(0, 190);
      addSession(`${place.projects}/${prefix}-hash1`, ID, 1000, says(cwd));
      const path = addSession(`${place.projects}/${prefix}-hash1`, OTHER, 2000, says(cwd));
      const third = "77777777-2222-3333-4444-555555555555";
      addSession(`${place.projects}/${prefix}-hash2`, third, 3000, says(`${cwd}/deeper`));
      addSession(`${place.projects}/unrelated`, third, 4000, says(cwd));
      assertEquals(findSession(undefined, { ...place, cwd }), { id: OTHER, path });
      Deno.removeSync(`${place.projects}/${prefix}-hash1`, { recursive: true });
      assertEquals(
        refusal(undefined, { ...place, cwd }),
        `Cannot find a session of ${cwd}: looked in ${place.projects}/${
          prefix.slice(0, 150)
        }*. Name one by its id or its path, or run this in the project's folder`,
      );
    }));
}

Deno.test("findSession() finds a folder of 200 characters by its name", () =>
  inConfig((place) => {
    const cwd = "/" + "x".repeat(199);
    const path = addSession(`${place.projects}/-${"x".repeat(199)}`, ID);
    assertEquals(findSession(undefined, { ...place, cwd }), { id: ID, path });
  }));

Deno.test("readStartedIn() reads the first folder that a session names, escapes and all", () =>
  inConfig((place) => {
    const text = '{"type":"mode"}\n' +
      JSON.stringify({ type: "user", message: { content: 'say "cwd":"/no"' }, cwd: '/a "b"/é' }) +
      '\n{"cwd": "/later"}\n';
    const path = addSession(place.configDir, ID, 1000, text);
    assertEquals(readStartedIn(path), '/a "b"/é');
    assertEquals(readStartedIn(addSession(place.configDir, OTHER, 1, '{"cwd": "/x"}')), "/x");
  }));

Deno.test("readStartedIn() is undefined where no entry says, and where there is no file", () =>
  inConfig((place) => {
    for (const text of ["", "{}\n", '{"cwd":7}\n', '{"cwd":"/torn', '{"cwd":"\\x"}\n']) {
      assertEquals(readStartedIn(addSession(place.configDir, ID, 1, text)), undefined, text);
    }
    assertEquals(readStartedIn(`${place.configDir}/none`), undefined);
    assertEquals(readStartedIn(place.configDir), undefined);
  }));

Deno.test("SessionNotFoundError is an Error with its own name", () => {
  const error = new SessionNotFoundError("Cannot find session x");
  assertInstanceOf(error, Error);
  assertEquals(error.name, "SessionNotFoundError");
});

/** Asks a process of its own, with exactly these variables, for the session that runs there. */
async function currentFile(cwd: string, env: Record<string, string>): Promise<string> {
  const module = new URL("../../src/transcript/find.ts", import.meta.url).href;
  const program = `
    import { findCurrentSessionFile } from ${JSON.stringify(module)};
    try { console.log(findCurrentSessionFile()); } catch (error) { console.log(error.name); }
  `;
  const names = "CLAUDE_CODE_SESSION_ID,CLAUDE_CONFIG_DIR,HOME,USERPROFILE";
  const result = await runDeno(
    ["run", "--no-prompt", "--no-config", "--allow-read", `--allow-env=${names}`, "-"],
    { cwd, env: cleanEnv(env), clearEnv: true, stdin: program },
  );
  assertEquals([result.code, result.stderr], [0, ""]);
  return result.stdout.trim();
}

Deno.test("findCurrentSessionFile() goes by CLAUDE_CONFIG_DIR, else the home folder, else finds none", async () => {
  const home = Deno.realPathSync(Deno.makeTempDirSync()).replaceAll("\\", "/");
  try {
    const inHome = addSession(`${home}/.claude/projects/${projectFolderName(home)}`, ID);
    const named = addSession(`${home}/named/projects/other`, OTHER);
    const config = { CLAUDE_CONFIG_DIR: `${home}/named` };
    assertEquals(await currentFile(home, { HOME: home }), inHome);
    assertEquals(await currentFile(home, { HOME: home, ...config }), "null");
    const env = { HOME: home, ...config, CLAUDE_CODE_SESSION_ID: OTHER };
    assertEquals(await currentFile(home, env), named);
    assertEquals(await currentFile(home, {}), "null");
    // A name that no system can hold is not the same as nothing being there.
    const tooLong = { CLAUDE_CONFIG_DIR: `${home}/${"x".repeat(300)}` };
    if (POSIX) assertEquals(await currentFile(home, tooLong), "Error");
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
});
