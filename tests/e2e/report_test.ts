// Opens a report in a real browser, as its reader does.

import { assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { reportPage } from "../../src/report/page.ts";
import { sessionCharts } from "../../src/report/session_charts.ts";
import { samplePlace, sampleReport } from "../report/sessions.ts";
import { type BrowserPage, findChromium, openBrowser } from "./bed/browser.ts";

const chromium = findChromium();
const ignoredNote = chromium === null ? " (ignored: no Chromium on the PATH)" : "";
if (chromium === null) {
  console.warn("Chromium is not installed: the tests of a report's page are skipped");
}

/** A script that returns, for each chart, how many marks the browser should draw and has drawn. */
const MARKS = `JSON.stringify(trimtabCharts.map(({ name, chart }) => {
  const counts = [];
  chart.getModel().eachSeries((series) => {
    const list = series.getData();
    let drawn = 0;
    for (let index = 0; index < list.count(); index++) {
      const mark = list.getItemGraphicEl(index);
      if (mark && !mark.ignore) drawn++;
    }
    counts.push([series.subType, list.count(), drawn]);
  });
  return [name, counts, chart.getDom().querySelectorAll("svg path").length];
}))`;

function tipOf(name: string): string {
  return `(() => {
    const tips = [...document.querySelectorAll('[data-chart="${name}"] .tip')];
    const shown = tips.filter((tip) => getComputedStyle(tip.parentElement).visibility !== "hidden" &&
      Number(getComputedStyle(tip.parentElement).opacity) > 0);
    return shown.length === 0 ? null : shown[0].innerText;
  })()`;
}

/** The tree of this chart has an artificial root, which is not drawn. */
const HIDDEN_ROOT = "contents";

/** The chart draws no parts inside a group whose only part has the group's name. */
function isFramed(
  { name, parts }: { name: string; parts: readonly (readonly [string, number])[] },
): boolean {
  return parts.length > 1 || parts[0]?.[0] !== name;
}

type Counts = [
  name: string,
  series: [kind: string, count: number, drawn: number][],
  paths: number,
][];

async function marksOf(page: BrowserPage): Promise<Counts> {
  const isDrawn = (marks: unknown): boolean =>
    readMarks(marks).every(([name, series, paths]) =>
      paths > 2 && (name === HIDDEN_ROOT || series.every(([, all, shown]) => all === shown))
    );
  return readMarks(await page.waitFor(MARKS, isDrawn));
}

function readMarks(marks: unknown): Counts {
  return JSON.parse(String(marks));
}

async function waitUntilFits(page: BrowserPage, width: number): Promise<void> {
  const widths = "[innerWidth, document.documentElement.scrollWidth].join()";
  await page.waitFor(widths, (found) => found === `${width},${width}`);
}

Deno.test({
  name: `a report draws every chart, loads no resources and works with the keyboard${ignoredNote}`,
  ignore: chromium === null,
  fn: async (t) => {
    using place = samplePlace();
    const report = await sampleReport(place);
    const path = `${place.projectDir}/report page.html`;
    Deno.writeTextFileSync(path, await reportPage(report));
    const url = new URL(`file://${path}`).href;
    await using browser = await openBrowser(chromium ?? "");
    const page = await browser.newPage({ width: 1280, height: 900 });
    await page.open(url);
    const data = sessionCharts(report);

    await t.step("each number has a mark", async () => {
      const groups = data.contents.groups;
      const parts = groups.filter(isFramed).reduce((sum, group) => sum + group.parts.length, 0);
      const expected: Record<string, number> = {
        window: data.window.points.length + data.window.marks.length,
        contents: groups.length + parts,
        largest: data.largest.length * 2,
        turns: data.turns.length * 6,
      };
      const drawn = await marksOf(page);
      assertEquals(drawn.map(([name]) => name), Object.keys(expected));
      for (const [name, series, paths] of drawn) {
        const count = series.reduce((sum, [, all]) => sum + all, 0) -
          (name === HIDDEN_ROOT ? 1 : 0);
        assertEquals([name, count], [name, expected[name]]);
        const shown = series.reduce((sum, [, , drawn]) => sum + drawn, 0);
        if (name === "contents") assertGreater(shown, groups.length);
        else assertEquals([name, shown], [name, count]);
        assertGreater(paths, 2, name);
      }
    });

    await t.step(
      "the arrow keys move from point to point, and a screen reader announces each point",
      async () => {
        for (const [name] of await marksOf(page)) {
          await page.evaluate(`document.querySelector('[data-chart="${name}"]').focus()`);
          const announcement = `document.querySelector('[data-said="${name}"]').textContent`;
          await page.press("ArrowRight");
          const first = String(
            await page.waitFor(announcement, (text) => /\. 1 of /.test(String(text))),
          );
          const heading = first.split(". ")[0];
          await page.waitFor(tipOf(name), (tip) => String(tip).split("\n")[0] === heading);
          await page.press("End");
          await page.waitFor(announcement, (text) => /\b(\d+) of \1\.$/.test(String(text)));
          await page.press("Escape");
          await page.waitFor(announcement, (text) => text === "");
        }
      },
    );

    await t.step("the Tab key reaches links, charts and tables in document order", async () => {
      await page.evaluate("document.querySelector('nav a').focus()");
      const order = ["a"];
      for (let press = 0; press < 11; press++) {
        await page.press("Tab");
        const what = "document.activeElement.dataset.chart ?? document.activeElement.localName";
        order.push(String(await page.evaluate(what)));
      }
      const charts = order.filter((name) => name !== "a" && name !== "summary");
      assertEquals(charts, ["window", "contents", "largest", "turns"]);
      assertEquals(order.filter((name) => name === "a").length, 4);
    });

    await t.step("hostile text is shown as text", async () => {
      assertEquals(await page.evaluate("typeof globalThis.pwned"), "undefined");
      assertEquals(
        await page.evaluate("document.querySelectorAll('img, [onerror], iframe').length"),
        0,
      );
      const scripts = await page.evaluate("document.querySelectorAll('script').length");
      assertEquals(scripts, 7);
      assertStringIncludes(
        String(await page.evaluate("document.querySelector('.task').textContent")),
        "</script><script>globalThis.pwned=1</script>",
      );
    });

    await t.step(
      "the page fits a phone, even with open tables, and has enough contrast",
      async () => {
        for (const [width, isDark] of [[400, true], [400, false], [1280, true]] as const) {
          await page.setView({ width, height: 900, isDark });
          await waitUntilFits(page, width);
          await marksOf(page);
          await page.waitFor(LOW_CONTRAST, (pairs) => pairs === "[]");
        }
        await page.evaluate(
          "document.querySelectorAll('details').forEach((details) => details.open = true)",
        );
        await page.setView({ width: 400, height: 900 });
        await waitUntilFits(page, 400);
      },
    );

    assertEquals(page.problems, []);
    assertEquals(page.requests, [url]);
  },
});

const LOW_CONTRAST = `JSON.stringify((() => {
  const style = getComputedStyle(document.documentElement);
  const luminance = (name) => {
    const hex = style.getPropertyValue("--" + name).trim();
    const parts = [1, 3, 5].map((index) => parseInt(hex.slice(index, index + 2), 16) / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return parts[0] * 0.2126 + parts[1] * 0.7152 + parts[2] * 0.0722;
  };
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const texts = ["text", "muted", "accent", "ok", "warn", "recommend", "urgent"];
  const tiles = ["system", "prompt", "answer", "thinking", "input", "result", "image", "reminder"];
  return [
    ...texts.flatMap((text) => ["panel", "back"].map((on) => [text, on, contrast(luminance(text), luminance(on))])),
    ...tiles.map((tile) => ["white", tile, contrast(1, luminance(tile))]),
  ].filter(([, , ratio]) => ratio < 4.5);
})())`;
