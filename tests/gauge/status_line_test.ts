import { assert, assertEquals } from "@std/assert";
import { drawStatusLine, type StatusLine } from "../../src/gauge/status_line.ts";

const FREED = { at_tokens: 148_000, light: 34_400, deep: 50_000, rollover: 99_000, bytes: 1 };
const FULL: StatusLine = {
  ...{ model: "Haiku 4.5", percent: 74, tokens: 148_000, limit: 200_000, level: "warn" },
  checkpointAgeMs: 300_000,
  freed: { ...FREED, cache_ttl_seconds: null, newest_at: null },
};
const EMPTY: StatusLine = {
  ...{ model: null, percent: null, tokens: null, limit: null, level: null },
  ...{ checkpointAgeMs: null, freed: null },
};

function plain(line: Partial<StatusLine>, columns = 200): string {
  return drawStatusLine({ ...EMPTY, ...line }, { columns, hasColor: false });
}

Deno.test("drawStatusLine() leaves out unknown values", () => {
  assertEquals(plain({}), "");
  assertEquals(plain({ model: "Opus" }), "Opus");
  assertEquals(plain({ model: "Opus", limit: 200_000 }), "Opus –/200k");
  assertEquals(plain({ percent: 0 }), "░░░░░░░░░░ 0%");
  // Usage is unknown after a compaction.
  assertEquals(plain({ percent: 0, tokens: 0, limit: 200_000, level: "ok" }), "–/200k");
  assertEquals(plain({ percent: 100, level: "urgent" }), "██████████ 100% urgent");
});

Deno.test("drawStatusLine() shortens counts and ages", () => {
  const counts = [0, 999, 1_000, 1_499, 148_600, 999_499, 999_500, 1_000_000, 1_250_000];
  const short = ["0", "999", "1k", "1k", "149k", "999k", "1M", "1M", "1.3M"];
  assertEquals(counts.map((limit) => plain({ limit }).slice(2)), short);
  const minute = 60_000;
  const ages = [0, 59_999, minute, 59 * minute, 60 * minute, 1_439 * minute, 1_440 * minute];
  assertEquals(
    ages.map((checkpointAgeMs) => plain({ checkpointAgeMs }).split("· saved ")[1]),
    ["just now", "just now", "1m ago", "59m ago", "1h ago", "23h ago", "1d ago"],
  );
});

Deno.test("drawStatusLine() drops the least important parts if the terminal is narrow", () => {
  const seen = new Set<string>();
  for (let columns = 80; columns >= 0; columns--) {
    const line = plain(FULL, columns);
    assert(line.length <= columns, `${line} has more than ${columns} columns`);
    seen.add(line);
  }
  assertEquals([...seen], [
    "Haiku 4.5 ███████░░░ 74% 148k/200k warn · /trim frees 34k · saved 5m ago",
    "Haiku 4.5 ███████░░░ 74% 148k/200k warn · /trim frees 34k",
    "███████░░░ 74% 148k/200k warn · /trim frees 34k",
    "███████░░░ 74% 148k/200k warn",
    "███████░░░ 74% warn",
    "███████░░░ 74%",
    "74%",
    "",
  ]);
  for (const line of seen) assertEquals(plain(FULL, line.length), line);
});

Deno.test("drawStatusLine() colors by level, and uses no color without a level", () => {
  const colored = (level: StatusLine["level"]): string =>
    drawStatusLine({ ...EMPTY, percent: 50, level }, { columns: 80, hasColor: true });
  const bar = "█████░░░░░";
  assertEquals(colored("ok"), `\x1b[32m${bar}\x1b[0m \x1b[32m50%\x1b[0m \x1b[32mok\x1b[0m`);
  assert(colored("warn").startsWith("\x1b[33m"));
  assert(colored("recommend").startsWith("\x1b[31m"));
  assert(colored("urgent").startsWith("\x1b[1;31m"));
  assertEquals(colored(null), `${bar} 50%`);
});
