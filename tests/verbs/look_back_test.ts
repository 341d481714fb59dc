import { assert, assertEquals, assertRejects } from "@std/assert";
import { report, rescue, search, sessions, show } from "../../mod.ts";
import { SESSION, sessionPlace } from "./session_place.ts";
import "../own_config.ts";

const REQUEST = "Rename the tiller to rudder.";
const ANSWER = "The rudder is renamed.";

Deno.test("search() finds text that was said, and show() returns each match whole", async () => {
  using place = sessionPlace(REQUEST, ANSWER);
  const found = await search({ ...place, pattern: "RUDDER", ignoreCase: true });
  assertEquals(found.matches.map(({ line, role }) => [line, role]), [[1, "user"], [
    2,
    "assistant",
  ]]);
  assertEquals([found.truncated, found.searched, found.gone], [false, [SESSION], []]);
  const [, second] = found.matches;
  assert(second !== undefined);
  const { entries, text } = await show({ ...place, entry: second.ref });
  assertEquals([entries[0]?.["uuid"], text], ["a1", "The rudder is renamed."]);
  const first = await search({ ...place, pattern: "rudder", limit: 1 });
  assertEquals([first.matches.length, first.truncated], [1, true]);
});

Deno.test("search() and show() explain invalid arguments", async () => {
  using place = sessionPlace(REQUEST, ANSWER);
  await assertRejects(() => search({ ...place, pattern: "" }), SyntaxError, "the pattern is empty");
  await assertRejects(
    () => search({ ...place, pattern: "x", limit: 0 }),
    RangeError,
    "limit must be from 1 to 10000, is 0",
  );
  await assertRejects(
    () => show({ ...place, entry: "x" }),
    RangeError,
    "give a session and a line",
  );
  await assertRejects(
    () => show({ ...place, entry: `${place.session}:9` }),
    Error,
    "the last line is 2",
  );
});

Deno.test("rescue() writes a copy that resumes, and records it in the lineage", async () => {
  using place = sessionPlace(REQUEST, ANSWER, [null]);
  const before = Deno.readTextFileSync(place.session);
  const preview = await rescue({ ...place, dryRun: true });
  assertEquals([preview.counts, preview.dry_run], [{ torn_line: 1 }, true]);
  const done = await rescue(place);
  assert(done.output !== null);
  assertEquals(Deno.readTextFileSync(done.output).includes("\nnull\n"), false);
  assertEquals(Deno.readTextFileSync(place.session), before);
  const rows = (await sessions(place)).sessions;
  assertEquals(rows.some(({ session_id: id }) => id === done.session_id), true);
  assertEquals((await rescue({ ...place, session: done.output })).output, null);
});

Deno.test("report() writes one page, and returns its figures", async () => {
  using place = sessionPlace(REQUEST, ANSWER);
  const output = "page.html";
  const { path, bytes, report: data } = await report({ ...place, output });
  assertEquals(path, `${place.cwd}/${output}`);
  const page = Deno.readTextFileSync(path);
  assertEquals(new TextEncoder().encode(page).length, bytes);
  assertEquals(page.slice(0, 15).toLowerCase(), "<!doctype html>");
  assertEquals([data["kind"], data["session_id"]], ["session", SESSION]);
});
