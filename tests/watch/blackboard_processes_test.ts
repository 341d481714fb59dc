// Many processes at one blackboard, some of them killed in the middle of what they do.

import { assert, assertEquals, assertLess } from "@std/assert";
import { claimPending, decodeLine, pendingFor } from "../../src/watch/blackboard.ts";
import { blackboardPath } from "../../src/watch/board_path.ts";
import "../own_config.ts";

/** Messages a test, so that the suite stays quick; set `TRIMTAB_BOARD_MESSAGES` for more. */
const MESSAGES = Number(Deno.env.get("TRIMTAB_BOARD_MESSAGES") ?? 1_000);

/** Small, so that the file is compacted many times. */
const MAX_BYTES = 24 * 1024;

const CHILD = new URL("board_child.ts", import.meta.url).href;

interface Worker {
  readonly name: string;
  readonly process: Deno.ChildProcess;
  /** Whether it is to be killed, and after how many signs of life. */
  readonly killAfter: number | null;
}

function start(projectDir: string, name: string, posts: number, killAfter: number | null): Worker {
  const args = ["run", "--no-prompt", "--no-check", "--cached-only", "--allow-read", "--allow-env"];
  const process = new Deno.Command(Deno.execPath(), {
    args: [
      ...args,
      "--allow-write",
      CHILD,
      projectDir,
      `${projectDir}/${name}.notes`,
      name,
      String(posts),
      String(MAX_BYTES),
      killAfter === null ? "ends" : "killed",
    ],
    stdin: killAfter === null ? "null" : "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  return { name, process, killAfter };
}

async function finish({ process, killAfter }: Worker): Promise<boolean> {
  let signs = 0;
  for await (const chunk of process.stdout) {
    signs += chunk.length;
    if (killAfter !== null && signs >= killAfter) {
      process.kill("SIGKILL");
      await process.stdin.abort();
      break;
    }
  }
  const { success, signal } = await process.status;
  assert(success || signal === "SIGKILL");
  return signal === "SIGKILL";
}

/** What all processes noted, by kind. */
function notesIn(projectDir: string, names: readonly string[]): Map<string, string[]> {
  const notes = new Map<string, string[]>();
  for (const name of names) {
    const text = Deno.readTextFileSync(`${projectDir}/${name}.notes`);
    for (const line of text.split("\n").slice(0, -1)) {
      const [what = "", id = ""] = line.split(" ");
      notes.set(what, [...notes.get(what) ?? [], id]);
    }
  }
  return notes;
}

async function crowd(size: number, victims: number): Promise<void> {
  const projectDir = Deno.makeTempDirSync();
  try {
    const posts = Math.ceil(MESSAGES / size);
    const startMs = performance.now();
    const workers = Array.from({ length: size }, (_, i) => {
      // One sign of life in ten messages: each victim dies at another place.
      const killAfter = i < victims ? Math.ceil((posts / 10) * (0.4 + i / 10)) : null;
      return start(projectDir, `w${i}`, posts, killAfter);
    });
    const killed = (await Promise.all(workers.map(finish))).filter((one) => one).length;
    const seconds = (performance.now() - startMs) / 1000;
    const notes = notesIn(projectDir, workers.map(({ name }) => name));
    const posted = notes.get("posted") ?? [];
    const claimed = notes.get("claimed") ?? [];
    console.log(
      `blackboard: ${size} processes, ${killed} killed: ${posted.length} messages posted, taken ` +
        `and acknowledged in ${seconds.toFixed(1)} s, ${Math.round(posted.length / seconds)}/s`,
    );
    assertEquals(killed, victims);
    const text = Deno.readTextFileSync(blackboardPath(projectDir));
    const torn = text.split("\n").slice(0, -1).filter((line) => decodeLine(line) === null);
    assertEquals([torn, text.at(-1)], [[], "\n"]);
    // What the dead had posted and nobody took is still there.
    const options = { projectDir, nowMs: 0 };
    const rest = pendingFor("last", options).map(({ id }) => id);
    assertEquals(claimPending("last", options).map(({ id }) => id), rest);
    const taken = [...claimed, ...rest];
    assertEquals(new Set(taken).size, taken.length, "a message was delivered twice");
    const posting = new Set(notes.get("posting"));
    assertEquals(taken.filter((id) => !posting.has(id)), [], "a message that nobody posted");
    // A process that was killed just after it took one could not tell anybody.
    const unsaid = posted.filter((id) => !taken.includes(id));
    const claiming = new Set(notes.get("claiming"));
    assertEquals(unsaid.filter((id) => !claiming.has(id)), [], "a message was lost");
    assert(unsaid.length <= killed, `${unsaid.length} messages were lost by ${killed} kills`);
    assertLess(Deno.statSync(blackboardPath(projectDir)).size, 16 * MAX_BYTES + MESSAGES * 300);
  } finally {
    Deno.removeSync(projectDir, { recursive: true });
  }
}

Deno.test("the blackboard loses, repeats and tears nothing of 3 processes, one of them killed", () =>
  crowd(3, 1));

Deno.test("the blackboard loses, repeats and tears nothing of 16 processes, five of them killed", () =>
  crowd(16, 5));
