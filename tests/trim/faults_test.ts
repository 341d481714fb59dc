import { assert, assertEquals, assertThrows } from "@std/assert";
import { fileName, parentPath } from "../../src/store/paths.ts";
import type { StreamFile, StreamFileSystem } from "../../src/store/atomic_stream.ts";
import { type TrimOptions, trimTranscript } from "./by_length.ts";
import { canMount, mountSmallDisk } from "../small_disk.ts";
import { SessionBuilder, type TestSession } from "./build_session.ts";

const LONG = "a line of an output\n".repeat(100);

/** How many trims are killed, and how many at a time. */
const KILLS = 100;
const KILLS_AT_ONCE = 4;

/** Three writes, the wait for the disk, and just before the rename. */
const KILL_PLACES = 5;

const ROOT = decodeURIComponent(new URL("../..", import.meta.url).pathname).replace(/\/$/, "");

/** A user that owns nothing. */
const NOBODY = 65534;

function longSession(): TestSession {
  return new SessionBuilder()
    .user("please")
    .call("r", "Read", { file_path: "/a" }, LONG)
    .call("b", "Bash", { command: "ls" }, LONG)
    .write();
}

/** Runs what is to fail, and checks that it leaves the original and nothing else. */
function assertHarmless(session: TestSession, fails: () => void): void {
  const before = { bytes: Deno.readTextFileSync(session.input), ...timesOf(session.input) };
  fails();
  const after = { bytes: Deno.readTextFileSync(session.input), ...timesOf(session.input) };
  assertEquals(after, before);
}

function timesOf(path: string): { mtime: Date | null; ino: number | null } {
  const { mtime, ino } = Deno.statSync(path);
  return { mtime, ino };
}

function namesIn(path: string): string[] {
  return [...Deno.readDirSync(parentPath(path))].map(({ name }) => name);
}

type CallName = "openSync" | "writeSync" | "seekSync" | "syncSync" | "close" | "renameSync";

/** The real system, of which one call fails after it has worked a few times. */
function failing(name: CallName, worksTimes: number, error: Error): StreamFileSystem {
  let left = worksTimes;
  const fail = (call: CallName): void => {
    if (call === name && left-- <= 0) throw error;
  };
  return {
    openSync(path, options): StreamFile {
      fail("openSync");
      const file = Deno.openSync(path, options);
      return {
        writeSync(bytes): number {
          fail("writeSync");
          return file.writeSync(bytes.subarray(0, 100));
        },
        seekSync(offset, whence): number {
          fail("seekSync");
          return file.seekSync(offset, whence);
        },
        syncSync(): void {
          fail("syncSync");
          file.syncSync();
        },
        close(): void {
          // A close that fails has closed all the same.
          file.close();
          fail("close");
        },
      };
    },
    renameSync(from, to): void {
      fail("renameSync");
      Deno.renameSync(from, to);
    },
    removeSync: (path) => Deno.removeSync(path),
  };
}

const CALLS: [CallName, number][] = [
  ["openSync", 0],
  ["writeSync", 0],
  ["writeSync", 7],
  ["seekSync", 0],
  ["seekSync", 1],
  ["syncSync", 0],
  ["close", 0],
  ["renameSync", 0],
];

for (const [name, worksTimes] of CALLS) {
  Deno.test(`trimTranscript() leaves nothing behind when ${name} fails after ${worksTimes} times`, () => {
    using session = longSession();
    const options: TrimOptions = { ...session, sessionId: "copy", metadata: true };
    assertHarmless(session, () => {
      const error = new Error("No space left on device (os error 28)");
      const fs = failing(name, worksTimes, error);
      assertEquals(assertThrows(() => trimTranscript({ ...options, fs })), error);
      assertEquals(namesIn(session.input).length, 1);
    });
    // The fault once gone, the same call works.
    assertEquals(trimTranscript(options).trimmed_count, 2);
  });
}

Deno.test("trimTranscript() tells the first trouble when the clean-up fails too", () => {
  using session = longSession();
  const error = new Error("No space left on device (os error 28)");
  const fs = failing("writeSync", 3, error);
  fs.removeSync = (): void => {
    throw new Error("Read-only file system (os error 30)");
  };
  assertHarmless(session, () => {
    assertEquals(assertThrows(() => trimTranscript({ ...session, fs })), error);
    assert(!namesIn(session.input).includes("copy.jsonl"));
    // What is left is no session to the client.
    assertEquals(namesIn(session.input).filter((name) => name.endsWith(".jsonl")).length, 1);
  });
});

Deno.test("trimTranscript() stops when the system takes no bytes and says nothing", () => {
  using session = longSession();
  const fs = failing("openSync", 1, new Error());
  const { openSync } = fs;
  fs.openSync = (path, options) => ({ ...openSync(path, options), writeSync: () => 0 });
  assertHarmless(session, () => {
    assertThrows(() => trimTranscript({ ...session, fs }), Error, "Cannot write");
    assertEquals(namesIn(session.input).length, 1);
  });
});

const isRoot = Deno.build.os !== "windows" && Deno.uid() === 0;

Deno.test({
  name: "trimTranscript() into a folder that may not be written to leaves everything as it was",
  ignore: Deno.build.os === "windows",
  async fn(): Promise<void> {
    using session = longSession();
    const folder = parentPath(session.input);
    const before = { bytes: Deno.readTextFileSync(session.input), ...timesOf(session.input) };
    Deno.chmodSync(session.input, 0o444);
    Deno.chmodSync(folder, 0o555);
    // Root may write everywhere; a child without its rights may not.
    const { code, stderr } = await runChild(session, isRoot ? NOBODY : undefined);
    Deno.chmodSync(folder, 0o755);
    assertEquals(code, 1);
    assert(/denied/i.test(stderr), stderr);
    assert(stderr.includes(`${folder}/`), `it fails for another reason: ${stderr}`);
    assertEquals(namesIn(session.input).length, 1);
    const after = { bytes: Deno.readTextFileSync(session.input), ...timesOf(session.input) };
    assertEquals(after, before);
  },
});

const hasDisk = canMount();

Deno.test({
  name: "trimTranscript() on a full disk leaves nothing behind" +
    (hasDisk ? "" : " (ignored: no tmpfs can be mounted)"),
  ignore: !hasDisk,
  fn(): void {
    using disk = mountSmallDisk("1m");
    assert(disk !== undefined);
    const input = `${disk.folder}/session.jsonl`;
    const line = JSON.stringify({ type: "user", message: { content: "x".repeat(1000) } }) + "\n";
    Deno.writeTextFileSync(input, line.repeat(600));
    const before = Deno.readTextFileSync(input);
    const error = assertThrows(() =>
      trimTranscript({ input, output: `${disk.folder}/copy.jsonl` })
    );
    assert(/space/i.test(String(error)), String(error));
    assertEquals(namesIn(input), ["session.jsonl"]);
    assertEquals(Deno.readTextFileSync(input), before);
  },
});

Deno.test("trimTranscript() killed between the first write and the rename leaves no partial copy", async () => {
  using session = longSession();
  const before = { bytes: Deno.readTextFileSync(session.input), ...timesOf(session.input) };
  let started = 0;
  let kills = 0;
  const killOne = async (): Promise<void> => {
    while (started < KILLS) {
      const place = started++ % KILL_PLACES;
      if (await killAt(session, place)) kills++;
    }
  };
  await Promise.all(Array.from({ length: KILLS_AT_ONCE }, killOne));
  assertEquals(kills, KILLS);
  const names = namesIn(session.input);
  assertEquals(names.filter((name) => name.endsWith(".jsonl")), [
    fileName(session.input),
  ]);
  const after = { bytes: Deno.readTextFileSync(session.input), ...timesOf(session.input) };
  assertEquals(after, before);
  // What the dead left is in nobody's way.
  assertEquals(trimTranscript(session).trimmed_count, 2);
});

/** Starts a trim and kills it where it says that it has come to the place. */
async function killAt(session: TestSession, place: number): Promise<boolean> {
  using child = startChild(session, String(place));
  const reader = child.process.stdout.getReader();
  const { value } = await reader.read();
  const isThere = new TextDecoder().decode(value) === "ready\n";
  child.process.kill("SIGKILL");
  await reader.cancel();
  const { signal } = await child.process.status;
  return isThere && signal === "SIGKILL";
}

/** Runs the child to its end in a folder of its own, with nothing in it that another user may not read. */
async function runChild(
  session: TestSession,
  uid: number | undefined,
): Promise<{ code: number; stderr: string }> {
  const folder = Deno.makeTempDirSync();
  try {
    Deno.chmodSync(folder, 0o777);
    const args = childArgs(session, "-1", uid === undefined ? undefined : `${folder}/project`);
    let deno = Deno.execPath();
    if (uid !== undefined) {
      // Deno and the checkout may both stand below a home that only its owner may enter.
      deno = `${folder}/deno`;
      Deno.copyFileSync(Deno.execPath(), deno);
      Deno.chmodSync(deno, 0o755);
      copyProject(`${folder}/project`);
    }
    const { code, stderr } = await new Deno.Command(deno, {
      args,
      cwd: folder,
      ...(uid === undefined ? {} : { uid, gid: uid }),
      clearEnv: true,
      env: { DENO_DIR: `${folder}/cache`, NO_COLOR: "1" },
      stdin: "null",
    }).output();
    return { code, stderr: new TextDecoder().decode(stderr) };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** Copies what the child needs of the project, readable for everybody. */
function copyProject(to: string): void {
  const copyFolder = (name: string): void => {
    Deno.mkdirSync(`${to}/${name}`, { recursive: true });
    for (const entry of Deno.readDirSync(`${ROOT}/${name}`)) {
      if (entry.isDirectory) copyFolder(`${name}/${entry.name}`);
      else Deno.copyFileSync(`${ROOT}/${name}/${entry.name}`, `${to}/${name}/${entry.name}`);
    }
  };
  copyFolder("src");
  copyFolder("tests/trim");
  new Deno.Command("chmod", { args: ["-R", "a+rX", to] }).outputSync();
}

function startChild(
  session: TestSession,
  place: string,
): Disposable & { process: Deno.ChildProcess } {
  const process = new Deno.Command(Deno.execPath(), {
    args: childArgs(session, place),
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return { process, [Symbol.dispose]: () => void process.stdin.close().catch(() => {}) };
}

function childArgs(session: TestSession, place: string, project = ROOT): string[] {
  return [
    "run",
    "--no-prompt",
    "--no-check",
    "--cached-only",
    "--allow-read",
    "--allow-write",
    `${project}/tests/trim/kill_child.ts`,
    session.input,
    session.output,
    place,
  ];
}
