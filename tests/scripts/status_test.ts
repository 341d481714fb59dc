import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { idOf, jsonOf, type Line, newPlace, type Place, sessionOf, test, textOf } from "./place.ts";
import { writeTrusted } from "../trusted.ts";

const SCRIPT = "scripts/status.ts";

/** The keys that the design lists, in the same order. The output has other keys after these. */
const KEYS =
  "session_id transcript tokens window percent source level recommendation last_checkpoint"
    .split(" ");

function sessionOfTokens(
  tokens: number,
  { model = "claude-sonnet-4-6", lines: length = 300 } = {},
): Line[] {
  const outputs = ["Read", ...Array(6).fill("Bash")].map((tool, i): [string, string] => [
    tool,
    "a line of an output\n".repeat(i === 0 ? length : 1),
  ]);
  const lines = sessionOf(length === 300 ? outputs.slice(0, 1) : outputs);
  const last = lines.at(-1);
  const message = Object(last?.message);
  const usage = { ...message.usage, input_tokens: 0, cache_read_input_tokens: tokens };
  return [...lines.slice(0, -1), { ...last, message: { ...message, model, usage } }];
}

/** Makes a line like those that some programs add when they run Claude Code. */
function metadataLine(contextTokens: number, maxContextTokens: number): Line {
  return { type: "metadata", contextTokens, maxContextTokens };
}

async function statusOf(place: Place, args: readonly string[] = []): Promise<Line> {
  return await place.json(SCRIPT, [...args]);
}

test("status prints one JSON object with the documented keys, and writes nothing", async (place) => {
  const path = place.add(idOf(1), sessionOfTokens(41_833));
  const before = place.files();
  const json = await statusOf(place, [idOf(1)]);
  assertEquals(Object.keys(json).slice(0, KEYS.length), KEYS);
  assertEquals(KEYS.map((key) => json[key]), [
    ...[idOf(1), path, 41_833, 200_000, 25, "api", "ok"],
    ...["Context is healthy. No action needed.", null],
  ]);
  const kept = place.files().filter((file) => !file.startsWith("project/.claude/trimtab/"));
  assertEquals(kept, before);
});

test("status shows how full the window is, and the source of the number", async (place) => {
  place.add(idOf(1), sessionOfTokens(125_250, { lines: 20_000 }));
  const stdout = textOf(await place.run(SCRIPT, []));
  const [session, usage, sources, limit, advice, worth, ...rest] = stdout.trimEnd().split("\n");
  assertEquals(session, `Session ${idOf(1)}, claude-sonnet-4-6`);
  const bar = "█".repeat(18) + "░".repeat(6);
  assertEquals(usage, `${bar} 75%  125,250 of 167,000 tokens (recommend)`);
  const window = "window: 200,000 tokens, default for the model";
  assertEquals(sources, `Usage: reported by the API; ${window}`);
  assertEquals(limit, "Limit: 167,000 tokens, where the client compacts automatically");
  assertMatch(advice ?? "", /^Context at 75%\. Recommend \/trim soon/);
  // Above the level `ok`, the output describes a light trim, unless it would free too little.
  assertMatch(worth ?? "", /^A trim would reduce usage to \d+%, [\d,]+ tokens\. /);
  assertEquals(rest, []);
});

Deno.test("status of a copy matches the trim's figures, for usage from the API and from a metadata line", async (t) => {
  using place = newPlace();
  const timestamp = "2026-03-01T10:00:00.000Z";
  const lines = sessionOfTokens(125_250).map((line) => ({ ...line, timestamp }));
  const kinds = { api: lines, metadata: [...lines, metadataLine(150_000, 250_000)] };
  for (const [source, session] of Object.entries(kinds)) {
    await t.step(source, async () => {
      place.add(idOf(1), session);
      const before = await statusOf(place, [idOf(1)]);
      const args = [idOf(1), "--keep-recent", "0", "--json"];
      const trim = jsonOf(await place.call("scripts/trim.ts", args));
      const after = await statusOf(place, [String(trim.session_id)]);
      const shown = source === "api" ? "trim" : source;
      assertEquals([before.source, after.source], [source, shown]);
      assertEquals(trim.percent, { before: before.percent, after: after.percent });
      assertEquals(trim.tokens, { before: before.tokens, after: after.tokens });
      if (source !== "api") return;
      const path = String(trim.output);
      const last = { ...lines.at(-1), uuid: "later", timestamp: "2099-01-01T00:00:00.000Z" };
      Deno.writeTextFileSync(path, JSON.stringify(last) + "\n", { append: true });
      const answered = await statusOf(place, [String(trim.session_id)]);
      assertEquals([answered.source, answered.tokens], ["api", 125_250]);
    });
  }
});

test("status reports the effect of the last trim in place while the conversation contains that trim", async (place) => {
  const at = Date.now() - 60_000;
  const later = new Date(at + 30_000).toISOString();
  const lines = sessionOfTokens(41_833).map((line) => ({ ...line, timestamp: later }));
  const [first, ...others] = lines;
  const boundary = { type: "system", subtype: "compact_boundary", uuid: "b", timestamp: later };
  const content = "<command-name>/compact</command-name><command-args>trimtab</command-args>";
  const message = { role: "user", content };
  const command = { ...first, uuid: "c", parentUuid: "b", message };
  const compacted = [{ ...boundary, parentUuid: null }, { ...first, parentUuid: "b" }, ...others];
  const trimmed = [compacted[0] ?? {}, command, { ...first, parentUuid: "c" }, ...others];
  place.add(idOf(1), trimmed);
  const folder = `${place.cwd}/.claude/trimtab/state`;
  Deno.mkdirSync(folder, { recursive: true });
  const trim = { kind: "trim", at_ms: at, tokens_before: 90_000, tokens_after: 40_000 };
  const record = `${folder}/${idOf(1)}.inside.json`;
  const writeTrim = (one: Line): void =>
    Deno.writeTextFileSync(record, JSON.stringify({ version: 1, trims: [one] }));
  writeTrim(trim);
  const { since_trim: since } = await statusOf(place);
  const requests = Number(Object(since).requests);
  assert(requests > 0);
  assertEquals(since, {
    ...{ at: new Date(at).toISOString(), requests, tokens_not_sent: 50_000 * requests },
    ...{ rereads: 0, recalls: 0, failed_edits: 0 },
  });
  const pattern = /Since the trim: \d+ requests?, [\d.]+[kM] tokens not sent; no cut content was/;
  assertMatch(await place.text(SCRIPT), pattern);
  writeTrim({ ...trim, at_ms: at + 86_400_000 });
  const beforeRequests = await place.text(SCRIPT);
  assert(!beforeRequests.includes("Since the trim"), beforeRequests);
  writeTrim(trim);
  place.add(idOf(1), compacted);
  assertEquals(
    (await statusOf(place)).since_trim,
    null,
    "the client compacted the trimmed conversation",
  );
  place.add(idOf(1), lines);
  const { since_trim: rewound } = await statusOf(place);
  assertEquals(rewound, null, "a rewind removed the trim from the conversation");
});

test("status --config shows each value and its source, as text and as JSON", async (place) => {
  Deno.writeTextFileSync(`${place.config}/trimtab.toml`, "[context]\nretention_days = 3\n");
  const work = `${place.cwd}/.work.toml`;
  const text = "[context]\nretention_days = 4\nurgent_threshold = 90\n";
  writeTrusted(work, text, { projectDir: place.cwd, configDir: place.config });
  const own = "[context]\nurgent_threshold = 95\n[live]\nenabled = true\n";
  const projectConfig = place.configure(own);
  const stdout = await place.text(SCRIPT, ["--config"]);
  const values = new Map(
    stdout.split("\n").filter((line) => line.includes(" = ")).map((line) => {
      const [key = "", value = "", from = ""] = line.split(/ = | +# /);
      return [key, [value, from]];
    }),
  );
  assertEquals(values.get("warn_threshold"), ["60", "default"]);
  assertEquals(values.get("retention_days"), ["4", work]);
  assertEquals(values.get("urgent_threshold"), ["95", projectConfig]);
  assertEquals(values.get("enabled"), ["true", projectConfig]);
  assertEquals(values.get("window_tokens"), ["(detected)", "default"]);
  const { context, live, sources } = await place.json(SCRIPT, ["--config"]);
  assertEquals([Object(context).urgent_threshold, Object(live).enabled], [95, true]);
  assertEquals(Object(sources).context.retention_days.from, work);
});

test("status reports the file, the key, the value and the expected values of each problem", async (place) => {
  place.add(idOf(1), sessionOf([["Read", "short"]]));
  const path = place.configure('[context]\nwarn_treshold = 50\nrecommend_threshold = "75"\n');
  for (const args of [[], ["--config"]]) {
    const stderr = await place.error(SCRIPT, args);
    const problem = 'context.recommend_threshold = "75": expected a whole number from 0 to 100';
    assertStringIncludes(stderr, `${path}: ${problem}`);
    assertMatch(stderr, /context\.warn_treshold = 50: .*did you mean warn_threshold\?/);
  }
});

test("status labels an estimated usage as an estimate", async (place) => {
  const [prompt = {}] = sessionOf([]);
  place.add(idOf(1), [prompt]);
  const stdout = await place.text(SCRIPT);
  assertStringIncludes(stdout, "Usage: estimated from the messages, without the client's prompt");
});
