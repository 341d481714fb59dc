import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { openFile, reportsFolder, savePage } from "../../src/report/save_page.ts";
import { reportPage, sessionCharts } from "../../src/report/page.ts";
import { escapeHtml, shareOf } from "../../src/report/words.ts";
import { canMount, mountSmallDisk } from "../small_disk.ts";
import { samplePlace, sampleReport, SECRET, SESSION } from "./sessions.ts";
import { modeOf, namesIn } from "../folder.ts";

const MAX_PAGE_BYTES = 2_000_000;

const hasDisk = canMount();

function ownMarkup(html: string): string {
  return html.replaceAll(/<script>[\s\S]*?<\/script>/g, "<script></script>");
}

Deno.test("reportPage() returns one page that loads no resources and runs only its own scripts", async () => {
  using place = samplePlace();
  const html = await reportPage(await sampleReport(place));
  assert(html.length < MAX_PAGE_BYTES);
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
  assertStringIncludes(policy, "default-src 'none'");
  assert(!/unsafe|https?:|\*/.test(policy), policy);
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = ""]) => text);
  const [style = ""] = [...html.matchAll(/<style>([\s\S]*?)<\/style>/g)].map(([, text]) => text);
  assertEquals(scripts.length, 6);
  for (const text of [...scripts, style]) {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    assertStringIncludes(policy, `'sha256-${new Uint8Array(digest).toBase64()}'`);
  }
  const markup = ownMarkup(html);
  const tags = markup.replace(/<script type="app[\s\S]*?<\/script>/, "")
    .replaceAll(/&lt;[^<]*/g, "");
  assert(!/\s(?:src|on\w+|style)\s*=/i.test(tags));
  assert(!/href="(?!#)/.test(markup));
});

Deno.test("reportPage() shows hostile text as text, without control characters, and shows no credential", async () => {
  using place = samplePlace();
  const html = await reportPage(await sampleReport(place));
  const markup = ownMarkup(html);
  assertEquals([...markup.matchAll(/<img|<script>globalThis|onerror="pwned/g)].length, 0);
  assertStringIncludes(markup, "&lt;/script&gt;&lt;script&gt;globalThis.pwned=1");
  // deno-lint-ignore no-control-regex
  assert(!/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(markup));
  assert(!html.includes(SECRET));
  const data = /<script type="application\/json" id="data">([\s\S]*?)<\/script>/.exec(html)?.[1] ??
    "";
  assert(!data.includes("<"));
  const charts = sessionCharts(await sampleReport(place));
  assertEquals(JSON.parse(data), JSON.parse(JSON.stringify(charts)));
});

Deno.test("reportPage() shows the same shares of the window in the legend and the label", async () => {
  using place = samplePlace();
  const html = await reportPage(await sampleReport(place));
  const [, label = ""] = /Shares of the window: ([^".]*)\./.exec(html) ?? [];
  const items = [...html.matchAll(/<li><span class="swatch \w+"><\/span>([^<]*)<\/li>/g)];
  assertEquals(items.map(([, text]) => text).join(", "), label);
  assert(items.length > 1, label);
});

Deno.test("escapeHtml() escapes markup and characters that reverse or hide text", () => {
  assertEquals(escapeHtml("\u202e\x1b[31m<b>\x1b[0m\0 &\r\n"), "&lt;b&gt; &amp;\n");
});

Deno.test("sessionCharts() labels a large entry with its tool, or with its kind if it has neither a tool nor a description", async () => {
  using place = samplePlace();
  const report = await sampleReport(place);
  const [first] = report.contents.largest;
  assert(first !== undefined);
  const named = (tool: string, about: string): unknown => {
    const largest = [{ ...first, kind: "thinking" as const, tool, about }];
    return sessionCharts({ ...report, contents: { ...report.contents, largest } }).largest[0]?.[0];
  };
  assertEquals([named("", ""), named("", "Look"), named("Read", "")], ["Thinking", "", "Read"]);
});

Deno.test("sessionCharts() draws the levels relative to the limit", async () => {
  using place = samplePlace();
  const { size, limit, levels } = sessionCharts(await sampleReport(place)).window;
  assertEquals([size, limit], [200_000, 167_000]);
  assertEquals(levels, [
    ["ok", 0, 100_200],
    ["warn", 100_200, 125_250],
    ["recommend", 125_250, 141_950],
    ["urgent", 141_950, 200_000],
  ]);
});

Deno.test("reportPage() puts a table with the same numbers below each chart", async () => {
  using place = samplePlace();
  const report = await sampleReport(place);
  const html = ownMarkup(await reportPage(report));
  const sections = [...html.matchAll(/<section id="(\w+)"[\s\S]*?<\/section>/g)];
  const rowsOf = (id: string): string[][] => {
    const [text = ""] = sections.find(([, name]) => name === id) ?? [];
    const [body = ""] = /<tbody>[\s\S]*?<\/tbody>/.exec(text) ?? [];
    return [...body.replaceAll(",", "").matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = ""]) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = ""]) => cell)
    );
  };
  const charts = sessionCharts(report);
  const tokensOf = (id: string): number[] => rowsOf(id).map((row) => Number(row[2]));
  assertEquals(tokensOf("window"), charts.window.points.map(([, tokens]) => tokens));
  const parts = charts.contents.groups.flatMap((group) => [...group.parts]);
  assertEquals(tokensOf("contents"), parts.map(({ tokens }) => tokens));
  assertEquals(
    rowsOf("largest").map((row) => [Number(row[2]), Number(row[3])]),
    report.contents.largest.map(({ tokens, freed }) => [tokens, freed]),
  );
  assertEquals(
    rowsOf("turns").map((row) => row.slice(3, 9).map(Number)),
    charts.turns.map(([, , parts]) => [...parts]),
  );
  for (const [text] of sections) {
    for (const part of ["<caption>", 'scope="col"', 'tabindex="0"']) {
      assertStringIncludes(text, part);
    }
  }
});

Deno.test("reportPage() shows the command for a large entry only if its line is known", async () => {
  using place = samplePlace();
  const report = await sampleReport(place);
  const html = await reportPage({ ...report, largest_lines: [7, null] });
  const commands = [...html.matchAll(/trimtab show ([^<]+:[^<]*)</g)].map(([, at]) => at);
  assertEquals(commands, [`${SESSION.slice(0, 8)}:7`]);
});

Deno.test("reportPage() puts an explanation in place of an empty chart, and labels estimated tokens", async () => {
  using place = samplePlace();
  const path = `${place.projectDir}/empty.jsonl`;
  Deno.writeTextFileSync(path, "");
  const html = ownMarkup(await reportPage(await sampleReport(place, path)));
  assertEquals([...html.matchAll(/data-chart="(\w+)"/g)].map(([, id]) => id), []);
  assertStringIncludes(html, "The session has no answered requests yet.");
  assertStringIncludes(html, "of 167,000 tokens, estimated");
  assert(!ownMarkup(await reportPage(await sampleReport(place))).includes("tokens, estimated"));
});

Deno.test("savePage() makes a private page, or writes to the requested path, but not over another file or a folder", () => {
  using place = samplePlace();
  const { projectDir } = place;
  const path = savePage("one", { projectDir, sessionId: SESSION });
  assertEquals(path, `${reportsFolder(projectDir)}/${SESSION}.html`);
  assertEquals(modeOf(path), 0o600);
  assertEquals(Deno.readTextFileSync(`${reportsFolder(projectDir)}/.gitignore`), "*\n");
  const output = `${projectDir}/page.html`;
  assertEquals(savePage("two", { projectDir, sessionId: SESSION, output }), output);
  assertEquals([Deno.readTextFileSync(output), Deno.readTextFileSync(path)], ["two", "one"]);
  const names = namesIn(reportsFolder(projectDir));
  assertEquals(names, [".gitignore", ".ignore", `${SESSION}.html`]);
  const saveAt = (path: string) => () =>
    savePage("x", { projectDir, sessionId: SESSION, output: path });
  assertThrows(saveAt(projectDir), TypeError, "not a regular file");
  const missing = `${projectDir}/no/such/page.html`;
  assertThrows(saveAt(missing), Deno.errors.NotFound, missing);
  const notes = `${projectDir}/notes.md`;
  for (const mine of ["mine", '<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>Mine</title>']) {
    Deno.writeTextFileSync(notes, mine);
    assertThrows(saveAt(notes), TypeError, "exists and is not a report");
    assertEquals(Deno.readTextFileSync(notes), mine);
  }
});

Deno.test("savePage() replaces an empty file, and a report of any version", async () => {
  using place = samplePlace();
  const output = `${place.projectDir}/page.html`;
  const start = '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n' +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-`;
  const page = await reportPage(await sampleReport(place));
  assert(page.startsWith(start));
  for (const text of ["", start]) {
    Deno.writeTextFileSync(output, text);
    savePage("new", { ...place, sessionId: SESSION, output });
    assertEquals(Deno.readTextFileSync(output), "new");
  }
});

Deno.test({
  name: "savePage() leaves no incomplete page on a full disk" +
    (hasDisk ? "" : " (ignored: no tmpfs can be mounted)"),
  ignore: !hasDisk,
  fn(): void {
    using place = samplePlace();
    const { projectDir } = place;
    using disk = mountSmallDisk("64k");
    assert(disk !== undefined);
    const page = { projectDir, sessionId: SESSION, output: `${disk.folder}/page.html` };
    savePage("small", page);
    assertEquals(Deno.readTextFileSync(page.output), "small");
    const large = { ...page, output: `${disk.folder}/large.html` };
    assertThrows(() => savePage("x".repeat(100_000), large), Error, "No space left");
    assertEquals(namesIn(disk.folder), ["page.html"]);
  },
});

Deno.test("openFile() starts the system's program, and reports why a page is not shown", () => {
  const started: string[] = [];
  const start = (program: string, args: readonly string[]): void => {
    started.push([program, ...args].join(" "));
  };
  for (const os of ["linux", "darwin", "windows"] as const) {
    assertEquals(openFile("/p.html", { os, start }), null);
  }
  assertEquals(started, ["xdg-open /p.html", "open /p.html", "explorer /p.html"]);
  const failWith = (error: Error) => () => {
    throw error;
  };
  const missing = failWith(new Deno.errors.NotFound("no such program"));
  assertEquals(openFile("/p", { os: "linux", start: missing }), "there is no xdg-open");
  const refused = failWith(new Deno.errors.PermissionDenied("not permitted"));
  assertEquals(openFile("/p", { os: "linux", start: refused }), "not permitted");
});

Deno.test("shareOf() shows <1% for a share below half a percent, and a dash if the whole is 0", () => {
  const rows = [[0, 10, "0%"], [49, 10_000, "<1%"], [50, 10_000, "1%"], [10, 10, "100%"]] as const;
  for (const [part, whole, share] of rows) assertEquals(shareOf(part, whole), share);
  assertEquals(shareOf(0, 0), "–");
});
