import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createSession } from "../../src/designs/sessions.ts";
import { idOf, type Line, newPlace, type Place, sessionOf, test, textOf } from "./place.ts";
import "../own_config.ts";

const SCRIPT = "scripts/search.ts";

interface Found {
  refs: string[];
  sessions: string[];
  truncated: unknown;
}

async function runSearch(
  place: Place,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Found> {
  const { matches, truncated, ...rest } = await place.json(SCRIPT, args, { env });
  assertEquals(rest, {});
  assert(Array.isArray(matches));
  return {
    refs: matches.map(({ ref }) => String(ref)),
    sessions: matches.map(({ session_id }) => String(session_id).slice(0, 1)),
    truncated,
  };
}

function lineageOfThree(place: Place): void {
  for (const number of [1, 2, 3]) {
    const id = idOf(number);
    const lines = sessionOf([["Bash", `needle of ${number}`]], { id, cwd: place.cwd });
    const path = place.add(id, lines);
    Deno.utimeSync(path, number * 1000, number * 1000);
    const parent = number === 1 ? {} : { parentSessionId: idOf(number - 1) };
    createSession({ projectDir: place.cwd, sessionId: id, workerId: "main", ...parent });
  }
}

test("search prints a reference for trimtab show, the role and a one-line excerpt", async (place) => {
  const output = `first\n${"x ".repeat(200)}the "needle"\n\tand${" y".repeat(200)}\nlast`;
  place.add(idOf(1), sessionOf([["Read", "short"], ["Grep", output]], { cwd: place.cwd }));
  const stdout = textOf(await place.run(SCRIPT, ['"needle"', "--context", "40"]));
  const [match = "", hint] = stdout.split("\n");
  const [, ref = "", excerpt = ""] = /^(\S+) {2}tool Grep {2}(.*)$/.exec(match) ?? [];
  assertEquals([...excerpt].length, 40);
  assertMatch(excerpt, /^….*x the "needle" and y.*…$/);
  assertEquals(hint, `trimtab show ${ref} prints the first match in full.`);
  assertEquals((await place.call("scripts/show.ts", [ref])).stdout, output + "\n");
});

test("search prints JSON of exactly the documented shape", async (place) => {
  place.add(idOf(1), sessionOf([["Read", "a needle"]], { cwd: place.cwd }));
  assertEquals(await place.json(SCRIPT, ["needle"]), {
    matches: [{
      session_id: idOf(1),
      line: 3,
      ref: `${idOf(1).slice(0, 8)}:3`,
      role: "tool",
      tool: "Read",
      excerpt: "a needle",
    }],
    truncated: false,
  });
  const none = await place.text(SCRIPT, ["nothing"]);
  assertEquals(none, `Found no match for "nothing" in session ${idOf(1)}.\n`);
});

Deno.test("search covers the parent, the lineage or the project", async (t) => {
  using place = newPlace();
  lineageOfThree(place);
  const cases: [what: string, args: string[], current: string | null, expected: string[]][] = [
    ["the parent of the current session", [], idOf(3), ["2"]],
    ["the current session if it has no parent", [], idOf(1), ["1"]],
    ["the parent of the newest session in a shell", [], null, ["2"]],
    ["the given session", [idOf(3)], idOf(3), ["3"]],
    ["the parent and its ancestors", ["--scope", "lineage"], idOf(3), ["2", "1"]],
    ["a given session and its ancestors", [idOf(2), "--scope", "lineage"], null, ["2", "1"]],
    ["the project, the newest first", ["--scope", "project"], idOf(2), ["3", "2", "1"]],
  ];
  for (const [what, args, current, expected] of cases) {
    await t.step(what, async () => {
      const env = { CLAUDE_CODE_SESSION_ID: current ?? "" };
      assertEquals((await runSearch(place, ["needle", ...args], env)).sessions, expected);
    });
  }
});

test("search reports a missing session of the lineage and continues", async (place) => {
  lineageOfThree(place);
  Deno.removeSync(`${place.sessions}/${idOf(2)}.jsonl`);
  const env = { CLAUDE_CODE_SESSION_ID: idOf(3) };
  const all = await place.call(SCRIPT, ["needle", "--scope", "lineage"], { env });
  assertEquals(all.code, 0);
  assertEquals(all.stderr, `Session ${idOf(2)} is not searched: its transcript no longer exists\n`);
  assertStringIncludes(all.stdout, "33333333:3  tool Bash  needle of 3\n");
  assertStringIncludes(all.stdout, "11111111:3  tool Bash  needle of 1\n");
  const parent = await place.call(SCRIPT, ["needle"], { env });
  assertStringIncludes(parent.stdout, "33333333:3", "the session replaces its missing parent");
  assertStringIncludes(parent.stderr, idOf(2));
});

test("search follows the lineage only to transcripts in the project", async (place) => {
  lineageOfThree(place);
  const own = `${place.sessions}/${idOf(2)}.jsonl`;
  const lineage = `${place.cwd}/.claude/trimtab/sessions.json`;
  const [inside, outside] = [place.cwd, place.home].map((folder) => `${folder}/old.jsonl`);
  const text = Deno.readTextFileSync(own);
  Deno.removeSync(own);
  for (const [path = "", expected] of [[inside, ["2"]], [outside, ["3"]]] as const) {
    Deno.writeTextFileSync(path, text);
    const known = JSON.parse(Deno.readTextFileSync(lineage));
    for (const row of known.sessions) if (row.session_id === idOf(2)) row.transcript = path;
    Deno.writeTextFileSync(lineage, JSON.stringify(known));
    const env = { CLAUDE_CODE_SESSION_ID: idOf(3) };
    const { stdout } = await place.call(SCRIPT, ["needle", "--json"], { env });
    const matches: Line[] = JSON.parse(stdout).matches;
    assertEquals(matches.map(({ session_id }) => String(session_id)[0]), [...expected], path);
  }
});

test("search stays within its limit and reports that there is more", async (place) => {
  lineageOfThree(place);
  const args = ["needle", "--scope", "project", "--limit"];
  assertEquals(await runSearch(place, [...args, "2"]), {
    refs: ["33333333:3", "22222222:3"],
    sessions: ["3", "2"],
    truncated: true,
  });
  assertEquals((await runSearch(place, [...args, "3"])).truncated, false);
  const stdout = await place.text(SCRIPT, [...args, "2"]);
  assertStringIncludes(stdout, "more matches than the 2 shown: narrow");
});

test("search can filter by role and tool, ignore case, and match a regular expression", async (place) => {
  const options = { cwd: place.cwd, prompt: "Find the needle" };
  place.add(idOf(1), sessionOf([["Read", "Needle 1"], ["Bash", "needle 22"]], options));
  const lineNumbers = async (...args: string[]): Promise<number[]> =>
    (await runSearch(place, args)).refs.map((ref) => Number(ref.split(":")[1]));
  assertEquals(await lineNumbers("needle", "--role", "tool"), [5]);
  assertEquals(await lineNumbers("needle", "--ignore-case", "--tool", "Read"), [3]);
  assertEquals(await lineNumbers("needle \\d", "--regex", "--ignore-case"), [3, 5]);
});

test("search refers to a session in another folder by its path", async (place) => {
  const lines: Line[] = sessionOf([["Read", "a needle"]], { cwd: place.cwd });
  const path = place.add(idOf(1), lines, `${place.home}/elsewhere`);
  const { refs } = await runSearch(place, ["needle", path]);
  assertEquals(refs, [`${path}:3`]);
  assertEquals((await place.call("scripts/show.ts", refs)).stdout, "a needle\n");
});

test("search lists an unchanged entry of a copy once, and a changed entry for each session", async (place) => {
  for (const number of [1, 2]) {
    const options = { id: idOf(number), cwd: place.cwd };
    const outputs = [["Bash", "needle"], ["Bash", `needle of ${number}`]] as const;
    place.add(idOf(number), sessionOf(outputs, options));
  }
  const { refs } = await runSearch(place, ["needle", "--scope", "project"]);
  assertEquals(refs.length, 3, refs.join());
});
