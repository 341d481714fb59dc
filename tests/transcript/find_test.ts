import { assert, assertEquals, assertFalse, assertThrows } from "@std/assert";
import {
  findCurrentSessionFile,
  type FindOptions,
  findSession,
  projectFolderName,
  projectSessions,
  readStartFolder,
  SessionNotFoundError,
} from "../../src/transcript/find.ts";
import { keptFolder } from "../../src/transcript/kept.ts";
import { POSIX, posixTest } from "../posix.ts";
import { newFolder } from "../folder.ts";
import { replaced } from "../scripts/in_process.ts";

const ID = "11111111-2222-3333-4444-555555555555";
const OTHER = "99999999-2222-3333-4444-555555555555";
const CWD = "/work/my_project";
const FOLDER = "-work-my-project";

const LINE = '{"type":"user","message":{}}\n';

interface Place extends FindOptions {
  configDir: string;
  projects: string;
}

function inConfig(run: (place: Place) => void): void {
  using temporary = newFolder();
  const configDir = temporary.path;
  const projects = `${configDir}/projects`;
  Deno.mkdirSync(projects);
  run({ configDir, projects, cwd: CWD });
}

/** @param seconds The modification time, since 1970. */
function addSession(folder: string, id: string, seconds = 1000, text = LINE): string {
  Deno.mkdirSync(folder, { recursive: true });
  const path = `${folder}/${id}.jsonl`;
  Deno.writeTextFileSync(path, text);
  Deno.utimeSync(path, seconds, seconds);
  return path;
}

function refusal(name: string | undefined, options: FindOptions): string {
  return assertThrows(() => findSession(name, options), SessionNotFoundError).message;
}

Deno.test("projectFolderName() replaces every character that is not a letter or digit with a dash", () => {
  assertEquals(projectFolderName("/home/ann/my_app.v2"), "-home-ann-my-app-v2");
  assertEquals(projectFolderName("C:\\Users\\Ann"), "C--Users-Ann");
  assertEquals(projectFolderName("/é😀"), "----");
});

Deno.test("findSession() finds an id or its short form in any project, and returns the newest file", () =>
  inConfig((place) => {
    addSession(`${place.projects}/a`, ID, 1000);
    const path = addSession(`${place.projects}/b`, ID, 3000);
    addSession(`${place.projects}/c`, ID, 2000);
    addSession(`${place.projects}/${FOLDER}`, OTHER, 4000);
    // A folder with the name of a session is not a session.
    Deno.mkdirSync(`${place.projects}/d/${ID}.jsonl`, { recursive: true });
    assertEquals(findSession(ID, place), { id: ID, path });
    assertEquals(findSession("11111111", place).path, path);
    const mixed = addSession(`${place.projects}/a`, "ABCDEF01-2222-3333-4444-55555555555a");
    for (const name of ["abcdef01", "ABCDEF01"]) assertEquals(findSession(name, place).path, mixed);
    const kept = keptFolder(place.configDir);
    addSession(kept, ID, 5000);
    assertEquals(findSession(ID, place).path, path, "the client has the session");
    const onlyKept = addSession(kept, "22222222-2222-3333-4444-555555555555");
    assertEquals(findSession("22222222", place).path, onlyKept);
  }));

Deno.test("findSession() explains why it finds no session, and includes the searched folder", () =>
  inConfig((place) => {
    const second = "11111111-ffff-3333-4444-555555555555";
    addSession(`${place.projects}/a`, second);
    addSession(`${place.projects}/b`, ID);
    assertEquals(
      refusal("11111111", place),
      `Cannot choose session 11111111: several ids start with it: ${ID}, ${second}`,
    );
    assertEquals(findSession("11111111-f", place).id, second);
    for (const [name, file] of [[OTHER, OTHER], ["99999999", "99999999*"]] as const) {
      const reason = `no folder in ${place.projects} has a ${file}.jsonl`;
      assertEquals(refusal(name, place), `Cannot find session ${name}: ${reason}`);
    }
    const advice = "give a session's id, the first 8 or more characters of its id, " +
      "or the path of its .jsonl file";
    for (const name of ["", "latest", "1111111", "111111111", `${ID}x`, ".."]) {
      const start = `Cannot find session ${JSON.stringify(name)}: `;
      assertEquals(refusal(name, place), start + advice);
    }
    const expected =
      "Cannot find sessions by id: neither CLAUDE_CONFIG_DIR nor HOME can be read. " +
      "Name the session by the path of its .jsonl file";
    for (const name of [ID, undefined]) {
      assertEquals(refusal(name, { configDir: undefined, cwd: CWD }), expected);
    }
  }));

Deno.test("findSession() throws if the projects folder is missing", () =>
  inConfig((place) => {
    Deno.removeSync(place.projects);
    assert(refusal(ID, place).startsWith(`Cannot find session ${ID}`));
    const none = `Cannot find a session for ${CWD}: looked in ${place.projects}/${FOLDER}. ` +
      "Name a session by its id or path, or run this in the project's folder";
    assertEquals(refusal(undefined, place), none);
  }));

posixTest(
  "findSession() follows links to folders, but links to sessions only if given by path, and ignores broken links",
  () =>
    inConfig((place) => {
      Deno.writeTextFileSync(`${place.projects}/notes.txt`, "not a folder");
      Deno.symlinkSync(`${place.projects}/notes.txt`, `${place.projects}/a-file`);
      Deno.symlinkSync(`${place.projects}/none`, `${place.projects}/b-gone`);
      Deno.symlinkSync(`${place.projects}/c-loop`, `${place.projects}/c-loop`);
      const secret = `${place.configDir}/secret`;
      Deno.writeTextFileSync(secret, LINE);
      Deno.mkdirSync(`${place.configDir}/elsewhere`);
      Deno.symlinkSync(`${place.configDir}/elsewhere`, `${place.projects}/${FOLDER}`);
      const path = `${place.projects}/${FOLDER}/${ID}.jsonl`;
      Deno.symlinkSync(secret, path);
      for (const name of [ID, "11111111", undefined]) refusal(name, place);
      assertEquals(findSession(path, place), { id: ID, path });
      Deno.removeSync(path);
      addSession(`${place.configDir}/elsewhere`, ID);
      for (const name of [ID, "11111111", undefined]) {
        assertEquals(findSession(name, place), { id: ID, path });
      }
    }),
);

Deno.test("findSession() accepts a path, absolute or relative to the working folder", () =>
  inConfig((place) => {
    const path = addSession(`${place.configDir}/kept`, "any name");
    const options = { configDir: undefined, cwd: `${place.configDir}/kept` };
    for (const name of [path, "any name.jsonl", "./any name.jsonl", "../kept/any name.jsonl"]) {
      assertEquals(findSession(name, options), { id: "any name", path });
    }
  }));

Deno.test("findSession() rejects a path that is not a session", () =>
  inConfig((place) => {
    const options = { ...place, cwd: place.configDir };
    const notes = `${place.configDir}/notes.txt`;
    Deno.writeTextFileSync(notes, "");
    assertEquals(
      refusal(notes, place),
      `Cannot read session: ${notes} does not end in .jsonl; rename it if it is a session`,
    );
    const none = `${place.configDir}/none.jsonl`;
    const named = { [none]: none, "none.jsonl": none, [`${notes}/x.jsonl`]: `${notes}/x.jsonl` };
    for (const [name, path] of Object.entries(named)) {
      assertEquals(refusal(name, options), `Cannot find session: there is no file ${path}`);
    }
    for (const path of [place.projects, ...(POSIX ? ["/dev/null"] : [])]) {
      assertEquals(refusal(path, place), `Cannot read session: ${path} is not a regular file`);
    }
    // Other errors do not mean that the file is missing.
    const error = assertThrows(() => findSession("./a\0b", place));
    assertFalse(error instanceof SessionNotFoundError);
  }));

Deno.test("findSession() without a name finds the session of a valid `currentId`, otherwise the newest session", () =>
  inConfig((place) => {
    const path = addSession(`${place.projects}/elsewhere`, ID, 1000);
    const newest = addSession(`${place.projects}/${FOLDER}`, OTHER, 2000);
    assertEquals(findSession(undefined, { ...place, currentId: ID }).path, path);
    assertEquals(findSession(undefined, { ...place, currentId: "../x" }).path, newest);
    assertEquals(findSession(undefined, { ...place, currentId: undefined }).path, newest);
    Deno.removeSync(path);
    refusal(undefined, { ...place, currentId: ID });
  }));

Deno.test("findSession() returns the newest session of the working folder or, if two are equally new, the one with the greater id", () =>
  inConfig((place) => {
    const folder = `${place.projects}/${FOLDER}`;
    addSession(folder, OTHER, 3000);
    addSession(folder, ID, 3000);
    addSession(folder, "aaaaaaaa-2222-3333-4444-555555555555", 2000);
    addSession(`${place.projects}/another`, "88888888-2222-3333-4444-555555555555", 9000);
    for (const name of ["agent-1.jsonl", `${ID}.json`, `${ID}.jsonl.bak`]) {
      Deno.writeTextFileSync(`${folder}/${name}`, "{}\n");
    }
    assertEquals(findSession(undefined, place).id, OTHER);
    const path = addSession(folder, ID, 4000);
    assertEquals(findSession(undefined, place), { id: ID, path });
  }));

Deno.test("findSession() and projectSessions() find the sessions of a very long path by the folder in their lines", () =>
  inConfig((place) => {
    const cwd = "/" + "long/".repeat(100).slice(0, 300);
    const entryIn = (folder: string): string =>
      JSON.stringify({ type: "user", cwd: folder }) + "\n";
    const prefix = projectFolderName(cwd).slice(0, 200);
    const path = addSession(`${place.projects}/${prefix}-hash1`, ID, 1000, entryIn(cwd));
    addSession(`${place.projects}/${prefix}-hash2`, OTHER, 2000, entryIn(`${cwd}/deeper`));
    assertEquals(findSession(undefined, { ...place, cwd }), { id: ID, path });
    const found = projectSessions({ projectDir: cwd, configDir: place.configDir });
    assertEquals(found.map((session) => session.path), [path]);
    Deno.removeSync(`${place.projects}/${prefix}-hash1`, { recursive: true });
    const message = refusal(undefined, { ...place, cwd });
    assertEquals(message?.startsWith(`Cannot find a session for ${cwd}: `), true);
  }));

Deno.test("findSession() finds the session of a path with the longest folder name that the client does not shorten", () =>
  inConfig((place) => {
    const cwd = `/${"a".repeat(199)}`;
    const path = addSession(`${place.projects}/${projectFolderName(cwd)}`, ID);
    assertEquals(findSession(undefined, { ...place, cwd }), { id: ID, path });
  }));

Deno.test("readStartFolder() returns the first folder that a session records, with its escapes decoded", () =>
  inConfig((place) => {
    const startFolder = (text: string): string | undefined =>
      readStartFolder(addSession(place.configDir, ID, 1, text));
    const entry = { type: "user", message: { content: 'say "cwd":"/no"' }, cwd: '/a "b"/é' };
    const text = `{"type":"mode"}\n${JSON.stringify(entry)}\n{"cwd": "/later"}\n`;
    assertEquals(startFolder(text), '/a "b"/é');
    assertEquals(startFolder('{"cwd": "/x"}'), "/x");
    for (const none of ["", "{}\n", '{"cwd":7}\n', '{"cwd":"/torn', '{"cwd":"\\x"}\n']) {
      assertEquals(startFolder(none), undefined, none);
    }
    assertEquals(readStartFolder(`${place.configDir}/none`), undefined);
    assertEquals(readStartFolder(place.configDir), undefined);
  }));

Deno.test("findCurrentSessionFile() searches CLAUDE_CONFIG_DIR or, if it is not set, the home folder", () => {
  using temporary = newFolder();
  const home = temporary.path;
  const currentFile = (env: Record<string, string>): string | null => {
    using _cwd = replaced(Deno, "cwd", () => home);
    using _env = replaced(Deno.env, "get", (name: string) => env[name]);
    return findCurrentSessionFile();
  };
  const inHome = addSession(`${home}/.claude/projects/${projectFolderName(home)}`, ID);
  const named = addSession(`${home}/named/projects/other`, OTHER);
  const env = { HOME: home, CLAUDE_CONFIG_DIR: `${home}/named` };
  assertEquals(currentFile({ HOME: home }), inHome);
  assertEquals(currentFile(env), null);
  assertEquals(currentFile({ ...env, CLAUDE_CODE_SESSION_ID: OTHER }), named);
  assertEquals(currentFile({}), null);
  // A name that is too long for any system is an error, not a missing file.
  const tooLong = { CLAUDE_CONFIG_DIR: `${home}/${"x".repeat(300)}` };
  if (POSIX) assertThrows(() => currentFile(tooLong));
});

Deno.test("projectSessions() lists the client's sessions for the folder, the newest first", () =>
  inConfig((place) => {
    const folder = `${place.projects}/${FOLDER}`;
    const older = { id: ID, path: addSession(folder, ID, 1), modifiedMs: 1000 };
    const newer = { id: OTHER, path: addSession(folder, OTHER, 2), modifiedMs: 2000 };
    addSession(`${folder}-sub`, "88888888-2222-3333-4444-555555555555", 3);
    addSession(folder, "notes");
    Deno.mkdirSync(`${folder}/77777777-2222-3333-4444-555555555555.jsonl`);
    const found = projectSessions({ projectDir: CWD, configDir: place.configDir });
    assertEquals(found, [newer, older].map((one) => ({ ...one, bytes: LINE.length })));
    assertEquals(projectSessions({ projectDir: CWD, configDir: undefined }), []);
  }));

posixTest(
  "projectSessions() lists the sessions of a linked project and of the link's target",
  () =>
    inConfig(({ configDir, projects }) => {
      Deno.mkdirSync(`${configDir}/real`);
      Deno.symlinkSync(`${configDir}/real`, `${configDir}/link`);
      const folderOf = (name: string): string =>
        `${projects}/${projectFolderName(`${configDir}/${name}`)}`;
      addSession(folderOf("real"), ID, 1);
      addSession(folderOf("link"), OTHER, 2);
      const found = projectSessions({ projectDir: `${configDir}/link`, configDir });
      assertEquals(found.map(({ id }) => id), [OTHER, ID]);
    }),
);
