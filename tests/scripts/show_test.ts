import { assertEquals, assertStringIncludes } from "@std/assert";
import { existsSync } from "@std/fs";
import { cleanEnv, runChild } from "../../tools/child.ts";
import {
  errorOf,
  idOf,
  jsonOf,
  LAUNCHER,
  newPlace,
  type Place,
  sessionOf,
  test,
  textOf,
} from "./place.ts";

const SCRIPT = "scripts/show.ts";

function show(place: Place, target: string): ReturnType<Place["run"]> {
  return place.call(SCRIPT, [target]);
}

test("show prints the full result that a trim notice refers to", async (place) => {
  const lines = Array.from({ length: 900 }, (_, n) => `${n}: "quoted", \\back, 日本 \u{1f600}`);
  const text = lines.join("\n");
  place.add(idOf(1), sessionOf([["Bash", "short"], ["Read", text]]));
  const args = [idOf(1), "--keep-recent", "0", "--json"];
  const trimmed = jsonOf(await place.call("scripts/trim.ts", args));
  const copy = Deno.readTextFileSync(String(trimmed.output));
  const [, line, name] = /See line (\d+) of ([0-9a-f]{8}) for full content/.exec(copy) ?? [];
  assertEquals([line, name], ["5", idOf(1).slice(0, 8)]);
  const stdout = textOf(await place.run(SCRIPT, [`${name}:${line}`]));
  assertEquals(stdout, text + "\n");
});

test("show writes raw text, including control characters, to a file or pipe", async (place) => {
  const text = "\x1b[31mred\x1b[0m\r\nbell \x07 \u202edone\ufeff";
  place.add(idOf(1), sessionOf([["Bash", text]]));
  assertEquals((await show(place, `${idOf(1)}:3`)).stdout, `${text}\n`);
});

test("show --json prints the original entry on one line", async (place) => {
  const lines = sessionOf([["Read", "text"]]);
  const path = place.add(idOf(1), lines);
  const whole = async (target: string): Promise<unknown> =>
    (await place.json(SCRIPT, [target])).entry;
  assertEquals(await whole(`${idOf(1)}:3`), lines[2]);
  Deno.writeTextFileSync(path, '{"type":"a"}{"type":"b"}\n');
  assertEquals(await whole(`${path}:1`), [{ type: "a" }, { type: "b" }]);
});

test("show prints an entry without text as JSON, and the texts of a list of blocks", async (place) => {
  const image = { type: "image", source: { type: "base64", data: "AAAA" } };
  const result = {
    type: "tool_result",
    tool_use_id: "t",
    content: [{ type: "text", text: "first" }, image, { type: "text", text: "second" }],
  };
  place.add(idOf(1), [
    { type: "summary", summary: "a title", leafUuid: "u" },
    { type: "user", uuid: "u", message: { role: "user", content: [result] } },
  ]);
  const title = (await show(place, `${idOf(1)}:1`)).stdout;
  assertEquals(JSON.parse(title), { type: "summary", summary: "a title", leafUuid: "u" });
  assertEquals((await show(place, `${idOf(1)}:2`)).stdout, "first\nsecond\n");
});

const noPty = Deno.build.os !== "linux" || !existsSync("/usr/bin/script");
if (noPty) console.warn("script is not installed: the output of show on a terminal is not tested");

Deno.test({
  name: "show prints no control sequences to a terminal or in JSON (needs the program `script`)",
  ignore: noPty,
  fn: async () => {
    using place = newPlace();
    const hostile =
      "red \x1b[31m bell \x07 title \x1b]0;x\x07 back \b c1 \x9b2J del \x7f bidi \u202e\u2066";
    const plain = "tab \t newline \n accents é 日本 \u{1f600}";
    place.add(idOf(1), [
      ...sessionOf([["Bash", `${hostile}${plain}`]]),
      { type: "summary", summary: hostile },
    ]);
    const env = { HOME: place.home, PATH: Deno.env.get("PATH") ?? "", SHELL: "/bin/sh" };
    for (const line of [3, 5]) {
      const command = `sh "${LAUNCHER}" show ${idOf(1)}:${line}`;
      const options = { cwd: place.cwd, clearEnv: true, env: cleanEnv(env) };
      const args = ["-qec", command, "/dev/null"];
      const { stdout } = await runChild("/usr/bin/script", args, options);
      const shown = stdout.replaceAll("\r\n", "\n");
      // deno-lint-ignore no-control-regex
      assertEquals(shown.match(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g), null);
      assertStringIncludes(shown, "red \\u001b[31m bell \\u0007");
      assertStringIncludes(shown, "c1 \\u009b2J");
      if (line === 3) assertStringIncludes(shown, "accents é 日本 \u{1f600}");
    }
    const json = (await place.run(SCRIPT, [`${idOf(1)}:3`, "--json"])).stdout;
    // deno-lint-ignore no-control-regex
    assertEquals(json.match(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g), null);
    const content = JSON.parse(json).entry.message.content[0].content;
    assertEquals(content, `${hostile}${plain}`, "escaped output must parse to the same values");
  },
});

test("show explains a missing entry, line, session or file, with exit code 1", async (place) => {
  const path = place.add(idOf(1), sessionOf([]));
  Deno.writeTextFileSync(path, "not an entry\n\n", { append: true });
  const cases: Record<string, string> = {
    [`${idOf(1)}:3`]: "Cannot show line 3 of ",
    [`${idOf(1)}:4`]: "Cannot show line 4 of ",
    [`${idOf(1)}:900`]: "the last line is ",
    [`${idOf(9)}:1`]: `Cannot find session ${idOf(9)}`,
    "./gone.jsonl:1": `no file ${place.cwd}/gone.jsonl`,
  };
  for (const [target, message] of Object.entries(cases)) {
    assertStringIncludes(errorOf(await show(place, target)), message);
  }
});

test("show accepts the digits that a checkpoint uses to identify an entry", async (place) => {
  const uuid = "d10964ce-0000-4000-8000-000000000000";
  const digits = "20260301-0000-4000-8000-000000000000";
  const entryOf = (uuid: string, content: string) => {
    return { type: "user", uuid, message: { role: "user", content } };
  };
  place.add(idOf(1), [entryOf(uuid, "about 20260301"), entryOf(digits, "the second")]);
  assertEquals((await show(place, `${idOf(1)}:d10964ce`)).stdout, "about 20260301\n");
  assertEquals((await show(place, `${idOf(1)}:${uuid}`)).stdout, "about 20260301\n");
  assertEquals((await show(place, `${idOf(1)}:20260301`)).stdout, "the second\n");
  const error = errorOf(await show(place, `${idOf(1)}:ffffffff`));
  assertStringIncludes(error, "no entry has an id that starts with these characters");
});
