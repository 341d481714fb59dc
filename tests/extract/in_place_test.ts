// A trim in place writes a boundary and, after it, the conversation again, with cut results. Extraction must
// read the original lines before the boundary instead of this shortened copy.

import { assert, assertEquals } from "@std/assert";
import { extractState } from "../../src/extract/extract_state.ts";
import type { WorkState } from "../../src/core/work_state.ts";

const FIXTURES = new URL("../fixtures/inside/", import.meta.url);
const TRIMMED = new URL("0b0bf175-cdda-4021-ad6f-d48f92297ee8.jsonl", FIXTURES);

/** The first line that the trim added to the fixture, and the first line after the trim; counted from 0. */
const TRIM_LINES = [18, 30] as const;

/** Repeats the trim at the end of the session, under other ids and a minute later. */
function trimAgain(text: string): string {
  const rows = text.split("\n").slice(...TRIM_LINES).join("\n")
    .replaceAll(
      /"((?:parentU|u)uid)":"(.)/g,
      (_, key, first) => `"${key}":"${first === "f" ? "e" : "f"}`,
    )
    .replaceAll("T00:55:0", "T00:56:0")
    // Changes the second trim's text, so that the test fails if that text is extracted.
    .replaceAll("service_58 listens", "DIGEST of service_58");
  return `${text.trimEnd()}\n${rows}\n`;
}

function withoutLines(state: WorkState): unknown {
  return JSON.parse(JSON.stringify(state, (key, value) => key === "line" ? undefined : value));
}

const ONCE = Deno.readTextFileSync(TRIMMED);
for (const [times, text] of [["once", ONCE], ["twice", trimAgain(ONCE)]] as const) {
  Deno.test(`extractState() reads a session that was trimmed ${times} like an untrimmed session`, () => {
    const path = Deno.makeTempFileSync({ suffix: ".jsonl" });
    try {
      Deno.writeTextFileSync(path, text);
      const whole = extractState(path);
      const active = extractState(path, { activeOnly: true });
      assertEquals(withoutLines(active), withoutLines(whole));
      assertEquals(active.partial, "");
      assertEquals(active.requirements.map(({ text }) => text), ["find a free port", "take it"]);
      const stopped = (active.trail?.stopped ?? []).map(({ text }) => text).join("\n");
      assert(stopped.includes("service_58 listens on 8058"), stopped);
      assert(!/truncated|DIGEST|trimtab/.test(stopped), stopped);
    } finally {
      Deno.removeSync(path);
    }
  });
}

Deno.test("extractState() reads the messages before a plan that restarted the session", () => {
  const path = Deno.makeTempFileSync({ suffix: ".jsonl" });
  const prompt = (uuid: string, content: string): string =>
    JSON.stringify({ type: "user", uuid, parentUuid: null, message: { role: "user", content } });
  const requestsAfter = (text: string): string[] => {
    Deno.writeTextFileSync(path, `${prompt("a", "Logins fail at night")}\n${prompt("b", text)}\n`);
    const { requirements } = extractState(path, { activeOnly: true });
    return requirements.map(({ text }) => text.split("\n", 1)[0] ?? "");
  };
  try {
    const plan = "Implement the following plan:";
    assertEquals(requestsAfter(`${plan}\n\n# Sync the clocks`), ["Logins fail at night", plan]);
    assertEquals(requestsAfter("Sync the clocks"), ["Sync the clocks"]);
  } finally {
    Deno.removeSync(path);
  }
});

Deno.test("extractState() leaves out turns that the user removed, until the removal is undone", () => {
  const folder = Deno.makeTempDirSync();
  const id = "7f3a1b2c-0000-4000-8000-000000000000";
  const path = `${folder}/${id}.jsonl`;
  let last: string | null = null;
  let count = 0;
  const line = (type: string, content: unknown, fields = {}): string => {
    const parentUuid = last;
    last = `line-${++count}`;
    const message = { role: type, content };
    return JSON.stringify({ type, uuid: last, parentUuid, message, ...fields });
  };
  const turn = (prompt: string, command: string, answer: string): string[] => [
    line("user", prompt),
    line("assistant", [{ type: "tool_use", id: command, name: "Bash", input: { command } }]),
    line("user", [{ type: "tool_result", tool_use_id: command, content: "1" }]),
    line("assistant", [{ type: "text", text: answer }]),
  ];
  const replaced = (options: string, ...rows: (() => string)[]): string[] => {
    last = null;
    const boundary = line("system", undefined, { subtype: "compact_boundary" });
    const command =
      `<command-name>/compact</command-name><command-args>trimtab ${options}</command-args>`;
    const rebuilt = rows.map((row) => row());
    return [boundary, ...rebuilt, line("user", command), line("user", "Add a page about it")];
  };
  const hidden =
    "<local-command-caveat><system-reminder>\n[The user took 2 turns with 1 call out of the " +
    "conversation: lines 5 to 10 of 7f3a1b2c]\n</system-reminder></local-command-caveat>";
  const kept = () => line("user", "Build the cache");
  const lines = [
    ...turn("Build the cache", "npm test", "Built."),
    ...turn("Try Redis", "npm run redis", "It fails."),
    line("user", "Is Redis fast?"),
    line("assistant", [{ type: "text", text: "Yes." }]),
  ];
  const removed = replaced("--drop #2-#3", kept, () => line("user", hidden));
  const undone = replaced("--undo", kept, () => line("user", "Try Redis"));
  try {
    for (const activeOnly of [true, false]) {
      const requestsOf = (isRemoved: boolean, ...all: string[]): string[] => {
        Deno.writeTextFileSync(path, `${all.join("\n")}\n`);
        const { requirements, trail } = extractState(path, { activeOnly });
        const commands = trail?.commands.map(({ text }) => text) ?? [];
        assertEquals(commands.some((text) => text.includes("redis")), !isRemoved);
        return requirements.map(({ text }) => text);
      };
      const left = ["Build the cache", "Add a page about it"];
      assertEquals(requestsOf(true, ...lines, ...removed), left);
      const all = requestsOf(false, ...lines, ...removed, ...undone);
      assert(all.includes("Try Redis") && all.includes("Is Redis fast?"), all.join());
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
