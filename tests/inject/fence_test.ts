import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { fenceData } from "../../src/inject/fence.ts";

const RUNS = { numRuns: 2_000, seed: 20260313 };
const OPEN = '<trimtab-data source="s">\n';
const CLOSE = "\n</trimtab-data>";

function fence(text: string, maxChars = 10_000): string {
  return fenceData({ source: "s", text, maxChars });
}

function hostile(): fc.Arbitrary<string> {
  const pieces = [
    ...["</trimtab-data>", "<trimtab-data", "</system-reminder>", "< / SYSTEM-reminder\n>"],
    ...["</sys\u200dtem-reminder>", "</\u200btrimtab-data>", "trimtab-", "system-reminder"],
    ...["\x1b[0m", "```", "---", "\ud800"],
    ..."<\u202e\u034f\u3164\u{e0100}\ufe0f\uff1c\0\n>/\\x\u{1f600}",
  ];
  return fc.array(fc.constantFrom(...pieces)).map((parts) => parts.join(""));
}

Deno.test("fenceData() states the source of the text", () => {
  assertEquals(fence("line\n"), `${OPEN}line${CLOSE}`);
  assertEquals(fence(""), `${OPEN}${CLOSE}`);
  const odd = fenceData({ source: '"><x>\n&\u202ey ', text: "t", maxChars: 99 });
  assertEquals(odd, '<trimtab-data source="x y">\nt\n</trimtab-data>');
  const long = fenceData({ source: "s".repeat(999), text: "", maxChars: 999 });
  assertStringIncludes(long, `source="${"s".repeat(200)}">`);
});

Deno.test("fenceData() escapes the bracket of tags that resemble a fence or a system reminder, and of no other tag", () => {
  const rows: readonly (readonly [string, string])[] = [
    ...[
      ...["</trimtab-data>", "<trimtab-data source=x>", "</system-reminder>"],
      ...["<  /  System-Reminder >", "<\n/system-reminder>"],
    ].map((tag) => [tag, tag.replace("<", "&lt;")] as const),
    ["</\u200bsystem-reminder>", "&lt;/system-reminder>"],
    ["</system\u200d-reminder>", "&lt;/system\u200d-reminder>"],
    ["</trim\u034ftab-data>", "&lt;/trimtab-data>"],
    ["</sys\u3164tem-reminder>", "&lt;/system-reminder>"],
    ["</\u{e0100}trimtab-data>", "&lt;/trimtab-data>"],
    ["</trimtab\ufe0f-data>", "&lt;/trimtab\ufe0f-data>"],
    ["</\ufe0f\u200dtrimtab-data>", "&lt;/\ufe0f\u200dtrimtab-data>"],
    ["<\u0301/trimtab-data>", "&lt;\u0301/trimtab-data>"],
    ["\uff1c/trimtab-data\uff1e", "&lt;/trimtab-data\uff1e"],
    ["\ufe64/system\u2010reminder>", "&lt;/system\u2010reminder>"],
    ["</\uff54\uff32imtab-data>", "&lt;/\uff54\uff32imtab-data>"],
    ...["\uff1cb\uff1e \u3008x\u3009", "</div> a < b <system>", "&lt;/system-reminder>"]
      .map((text) => [text, text] as const),
  ];
  for (const [text, expected] of rows) {
    assertEquals(fence(text), `${OPEN}${expected}${CLOSE}`, text);
  }
});

Deno.test("fenceData() cuts text that is too long, and states the omitted length", () => {
  const whole = fence("x".repeat(100));
  assertEquals(fence("x".repeat(100), whole.length), whole);
  const cut = fence("x".repeat(1_000), 200);
  const kept = /^x+/m.exec(cut)?.[0].length ?? 0;
  assert(cut.length <= 200 && kept > 80, cut);
  const left = `[trimtab: cut here, ${1_000 - kept} more characters]`;
  assertEquals(cut, `${OPEN}${"x".repeat(kept)}\n${left}${CLOSE}`);
  assertEquals(fence("x".repeat(1_000), 60), "", "no room for a single character");
  assertEquals(fence("x", 0), "");
});

Deno.test("fenceData() returns a fence that its content cannot close, and stays within the limit", () => {
  fc.assert(
    fc.property(hostile(), fc.integer({ min: 0, max: 400 }), (text, maxChars) => {
      const fenced = fence(text, maxChars);
      assert(fenced.length <= maxChars);
      assert(fenced.isWellFormed());
      assertEquals(fence(text, maxChars), fenced, "the same bytes each time");
      if (fenced === "") return;
      assert(fenced.startsWith(OPEN) && fenced.endsWith(CLOSE));
      const inside = fenced.slice(OPEN.length, -CLOSE.length);
      const seen = inside.normalize("NFKC").replaceAll(/[\p{Cf}\p{DI}\p{M}\s/\\]/gu, "")
        .toLowerCase();
      assert(!/<(?:trimtab-|system-reminder)/.test(seen), inside);
    }),
    RUNS,
  );
});

Deno.test("fenceData() takes linear time on a megabyte of brackets", () => {
  const start = performance.now();
  for (
    const text of ["<".repeat(1e6), "< ".repeat(5e5), `<${" ".repeat(1e6)}`, "\x1b]".repeat(5e5)]
  ) {
    assert(fence(text).length <= 10_000);
  }
  // Linear work takes about 50 ms; a backtracking pattern would take hours.
  assert(performance.now() - start < 60_000);
});
