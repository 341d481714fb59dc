import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { idOf, jsonOf, sessionOf, test } from "./place.ts";

const SCRIPT = "scripts/keep.ts";

const LONG = Array.from({ length: 900 }, (_, n) => `${n}: a line of the output\n`).join("");

test("keep stores a copy and its parent, so that show finds a deleted session", async (place) => {
  const parent = place.add(idOf(1), sessionOf([["Bash", LONG]]));
  const args = [idOf(1), "--keep-recent", "0", "--json"];
  const { output } = jsonOf(await place.call("scripts/trim.ts", args));
  const copy = String(output);
  const kept = jsonOf(await place.run(SCRIPT, [copy, "--json"]));
  const [first, second] = kept.kept as Record<string, unknown>[];
  assertEquals([first?.path, second?.session_id], [
    `${place.config}/trimtab/kept/${copy.split("/").at(-1)}`,
    idOf(1),
  ]);
  assertEquals([first?.is_link, first?.is_new, kept.cleanup_days], [true, true, 30]);
  assertEquals(Deno.statSync(String(second?.path)).ino, Deno.statSync(parent).ino);
  for (const path of [parent, copy]) Deno.removeSync(path);
  const shown = await place.call("scripts/show.ts", [`${idOf(1).slice(0, 8)}:3`]);
  assertEquals(shown.stdout, LONG);
});

test("keep stores the session that a fork's notices refer to, and stores each session once", async (place) => {
  place.add(idOf(1), sessionOf([["Bash", LONG]]));
  const short = idOf(1).slice(0, 8);
  const notice = `0: a line [... See line 3 of ${short} for full content]`;
  const own = `1: a line [... See line 9 of ${idOf(2).slice(0, 8)} for full content]`;
  place.add(idOf(2), sessionOf([["Bash", notice], ["Bash", notice], ["Bash", own]]));
  const { kept } = await place.json(SCRIPT, [idOf(2)]);
  const ids = (kept as Record<string, unknown>[]).map(({ session_id }) => session_id);
  assertEquals(ids, [idOf(2), idOf(1)]);
});

test("keep reports what it kept, the client's retention and an unknown session", async (place) => {
  place.add(idOf(1), sessionOf([["Bash", LONG]]));
  Deno.writeTextFileSync(`${place.config}/settings.json`, '{ "cleanupPeriodDays": 9 }');
  const { stdout } = await place.call(SCRIPT, []);
  assertMatch(stdout, /^Kept: session [0-9a-f-]{36} \(\d+KB, no extra space/);
  assertStringIncludes(stdout, "deletes a transcript 9 days after its last use");
  assertMatch((await place.call(SCRIPT, [])).stdout, /^Already kept: session/);
  assertStringIncludes(await place.error(SCRIPT, [idOf(2)]), "Cannot find session");
});

test("clean deletes kept transcripts that were unused for kept_days, and their old temporary files", async (place) => {
  const path = place.add(idOf(1), sessionOf([["Bash", LONG]]));
  await place.call(SCRIPT, []);
  const kept = `${place.config}/trimtab/kept/${idOf(1)}.jsonl`;
  const apply = ["--apply", "--json"];
  assertEquals(jsonOf(await place.call("scripts/clean.ts", apply)).count, 0);
  const old = Date.now() / 1000 - 366 * 86_400;
  Deno.utimeSync(kept, old, old);
  const half = `${place.config}/trimtab/kept/.trimtab-tmp-${idOf(2)}`;
  Deno.writeTextFileSync(half, "{");
  Deno.utimeSync(half, old, old);
  const { items } = jsonOf(await place.call("scripts/clean.ts", apply));
  assertEquals((items as { path: string }[]).map((item) => item.path).sort(), [half, kept]);
  assertEquals(Deno.statSync(path).isFile, true);
});
