// Draws a report in a real browser, in frames as wide as a desktop's window and as a phone.

import { assertEquals, assertGreater, assertStringIncludes } from "@std/assert";
import { reportPage, sessionCharts } from "../../src/report/page.ts";
import { findProgram } from "../../src/store/programs.ts";
import { runChild } from "../../tools/child.ts";
import { samplePlace, sampleReport } from "../report/sessions.ts";
import { removeWithRetries } from "./bed/home.ts";

const chromium = ["chromium", "chromium-browser", "google-chrome"]
  .map((name) => findProgram(name, Deno.env.get("PATH"))).find((path) => path !== null);
const ignoredNote = chromium === undefined ? " (ignored: no Chromium on the PATH)" : "";

const PHONE_PIXELS = 400;

/** The tree of this chart has an artificial root, which is not drawn. */
const HIDDEN_ROOT = "contents";

/** The browser writes this from each frame, with tables open. */
interface Seen {
  readonly width: number;
  readonly scrollWidth: number;
  readonly resources: number;
  readonly task: string;
  readonly foreign: number;
  readonly lowContrast: readonly unknown[];
  readonly charts: readonly {
    readonly name: string;
    readonly isFocusable: boolean;
    /** The number of marks of each series, and how many of them are drawn. */
    readonly series: readonly (readonly [count: number, drawn: number])[];
    readonly paths: number;
    /** What a screen reader announces after the keys ArrowRight, End and Escape. */
    readonly said: readonly string[];
    /** The tooltip after ArrowRight. */
    readonly tip: string;
  }[];
}

const PROBE = `function inspect(window) {
  const { document, trimtabCharts } = window;
  const style = window.getComputedStyle(document.documentElement);
  const luminance = (name) => {
    const hex = style.getPropertyValue("--" + name).trim();
    const parts = [1, 3, 5].map((index) => parseInt(hex.slice(index, index + 2), 16) / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return parts[0] * 0.2126 + parts[1] * 0.7152 + parts[2] * 0.0722;
  };
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const texts = ["text", "muted", "accent", "ok", "warn", "recommend", "urgent"];
  const tiles = ["system", "prompt", "answer", "thinking", "input", "result", "image", "reminder"];
  const charts = trimtabCharts.map(({ name, chart }) => {
    chart.getZr().flush();
    const series = [];
    chart.getModel().eachSeries((one) => {
      const list = one.getData();
      const marks = Array.from({ length: list.count() }, (_, index) => list.getItemGraphicEl(index));
      series.push([marks.length, marks.filter((mark) => mark && !mark.ignore).length]);
    });
    const host = document.querySelector('[data-chart="' + name + '"]');
    const status = document.querySelector('[data-said="' + name + '"]');
    let tip = "";
    const said = ["ArrowRight", "End", "Escape"].map((key) => {
      host.dispatchEvent(new window.KeyboardEvent("keydown", { key }));
      tip ||= host.querySelector(".tip").textContent;
      return status.textContent;
    });
    const paths = chart.getDom().querySelectorAll("svg path").length;
    return { name, isFocusable: host.tabIndex === 0, series, paths, said, tip };
  });
  for (const details of document.querySelectorAll("details")) details.open = true;
  return {
    width: window.innerWidth,
    scrollWidth: document.documentElement.scrollWidth,
    resources: window.performance.getEntriesByType("resource").length,
    task: document.querySelector(".task").textContent,
    foreign: document.querySelectorAll("img, [onerror], iframe").length + (window.pwned ?? 0),
    lowContrast: [
      ...texts.flatMap((text) =>
        ["panel", "back"].map((on) => [text, on, contrast(luminance(text), luminance(on))])
      ),
      ...tiles.map((tile) => ["white", tile, contrast(1, luminance(tile))]),
    ].filter(([, , ratio]) => ratio < 4.5),
    charts,
  };
}
onload = () => {
  const seen = Array.from(frames, inspect);
  document.body.textContent = encodeURIComponent(JSON.stringify(seen));
};`;

/** Opens the page in two frames, in light or dark colors. */
async function openPage(page: string, isDark: boolean): Promise<Seen[]> {
  const profile = Deno.makeTempDirSync({ prefix: "trimtab-chromium-" });
  try {
    const frames = [1280, PHONE_PIXELS].map((width) =>
      `<iframe width="${width}" height="900" frameborder="0" src="file://${
        encodeURI(page)
      }"></iframe>`
    );
    Deno.writeTextFileSync(`${profile}/frames.html`, `<script>${PROBE}</script>${frames.join("")}`);
    const { stdout, stderr } = await runChild(chromium ?? "", [
      ...["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
      ...[
        "--disable-background-networking",
        "--no-first-run",
        "--hide-scrollbars",
        "--allow-file-access-from-files",
      ],
      `--blink-settings=preferredColorScheme=${isDark ? 0 : 1}`,
      `--user-data-dir=${profile}`,
      "--dump-dom",
      `file://${profile}/frames.html`,
    ], { env: { HOME: profile } });
    const [, seen] = /<body>(%[^<]*)<\/body>/.exec(stdout) ?? [];
    if (seen === undefined) throw new Error(`Cannot read the page: ${stderr}\n${stdout}`);
    return JSON.parse(decodeURIComponent(seen));
  } finally {
    removeWithRetries(profile);
  }
}

Deno.test({
  name:
    `a report draws every chart, loads no resources, fits a phone, and can be read with the keyboard${ignoredNote}`,
  ignore: chromium === undefined,
  fn: async () => {
    using place = samplePlace();
    const report = await sampleReport(place);
    const path = `${place.projectDir}/report page.html`;
    Deno.writeTextFileSync(path, await reportPage(report));
    const { window, contents, largest, turns } = sessionCharts(report);
    // The chart draws no parts inside a group whose only part has the group's name.
    const parts = contents.groups.filter(({ name, parts }) =>
      parts.length > 1 || parts[0]?.name !== name
    )
      .flatMap(({ parts }) => parts);
    const marks: Record<string, number> = {
      window: window.points.length + window.marks.length,
      contents: contents.groups.length + parts.length,
      largest: largest.length * 2,
      turns: turns.length * 6,
    };
    const pages = await Promise.all([openPage(path, false), openPage(path, true)]);
    for (const seen of pages) {
      assertEquals(seen.length, 2);
      for (const { width, scrollWidth, resources, task, foreign, lowContrast, charts } of seen) {
        assertEquals([scrollWidth, resources, foreign, lowContrast], [width, 0, 0, []]);
        assertStringIncludes(task, "</script><script>globalThis.pwned=1</script>");
        assertEquals(charts.map(({ name }) => name), Object.keys(marks));
        for (const { name, isFocusable, series, paths, said, tip } of charts) {
          const [count, drawn] = [0, 1].map((at) =>
            series.reduce((sum, pair) => sum + (pair[at] ?? 0), 0)
          );
          const roots = name === HIDDEN_ROOT ? 1 : 0;
          assertEquals([name, count, isFocusable], [name, (marks[name] ?? 0) + roots, true]);
          // Tiles without enough room are not drawn.
          if (name === HIDDEN_ROOT) assertGreater(drawn ?? 0, contents.groups.length);
          else assertEquals([name, drawn], [name, count]);
          assertGreater(paths, 2, name);
          const [first = "", last = "", none] = said;
          assertEquals([/\. 1 of /.test(first), /\b(\d+) of \1\.$/.test(last), none], [
            true,
            true,
            "",
          ]);
          assertStringIncludes(tip, first.split(". ")[0] ?? "");
        }
      }
    }
  },
});
