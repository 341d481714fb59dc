/**
 * Makes `src/report/page/charts.min.js`, a script with the parts of ECharts that a report uses.
 *
 *     deno run --allow-all tools/charts.ts
 *
 * The script is committed, so that a report needs neither the network nor a 60 MB package, and a
 * compiled executable contains only the parts in use. Rebuild it only when a version or the list of
 * parts below changes.
 */

import { runDeno } from "./child.ts";

/** Exact versions, so that each build produces the same script. */
export const CHART_PACKAGES: Readonly<Record<string, string>> = {
  echarts: "6.1.0",
  esbuild: "0.28.2",
};

/** The parts that the page's own scripts use. Other parts are not bundled. */
export const CHART_PARTS: Readonly<Record<string, readonly string[]>> = {
  charts: ["BarChart", "LineChart", "ScatterChart", "TreemapChart"],
  components: [
    "GridComponent",
    "LegendComponent",
    "MarkAreaComponent",
    "MarkLineComponent",
    "TooltipComponent",
  ],
  renderers: ["SVGRenderer"],
};

const OUTPUT = new URL("../src/report/page/charts.min.js", import.meta.url);

const LICENSES = new URL("charts.LICENSE.txt", OUTPUT);

/** The licenses require this notice in every copy of the script, including those in pages. */
function banner(zrender: string): string {
  return [
    `/*! Apache ECharts ${CHART_PACKAGES.echarts}, https://echarts.apache.org`,
    "Copyright 2017-2026 The Apache Software Foundation. This product includes software developed",
    "at The Apache Software Foundation (https://www.apache.org/). Licensed under the Apache License,",
    "Version 2.0: https://www.apache.org/licenses/LICENSE-2.0. Changed: only the parts that are used,",
    "minified. Made by tools/charts.ts. With ZRender:",
    "",
    zrender.trim(),
    "*/",
  ].join("\n");
}

function entry(): string {
  const names = Object.values(CHART_PARTS).flat();
  return [
    'import { init, use } from "echarts/core";',
    ...Object.entries(CHART_PARTS).map(([part, names]) =>
      `import { ${names.join(", ")} } from "echarts/${part}";`
    ),
    `use([${names.join(", ")}]);`,
    "globalThis.echarts = { init };",
  ].join("\n");
}

async function main(): Promise<void> {
  const cwd = Deno.makeTempDirSync({ prefix: "trimtab-charts-" });
  try {
    const imports = Object.entries(CHART_PACKAGES).map(([name, version]) =>
      [name, `npm:${name}@${version}`] as const
    );
    Deno.writeTextFileSync(
      `${cwd}/deno.json`,
      JSON.stringify({ nodeModulesDir: "auto", imports: Object.fromEntries(imports) }),
    );
    Deno.writeTextFileSync(`${cwd}/entry.js`, entry());
    const bundle = ["run", "-A", `npm:esbuild@${CHART_PACKAGES.esbuild}`, "entry.js", "--bundle"];
    const flags = ["--minify", "--format=iife", "--legal-comments=none", "--charset=ascii"];
    for (const args of [["install"], [...bundle, ...flags, "--outfile=charts.js"]]) {
      const { code, stderr } = await runDeno(args, { cwd });
      if (code !== 0) throw new Error(`Cannot make the script: ${stderr}`);
    }
    const script = Deno.readTextFileSync(`${cwd}/charts.js`);
    if (/<\/script|<!--/i.test(script)) {
      throw new Error("Cannot use the script: it contains </script> or <!--");
    }
    // ZRender is a dependency of ECharts, so it has no link at the top of node_modules.
    const [zrender] = [...Deno.readDirSync(`${cwd}/node_modules/.deno`)]
      .filter(({ name }) => name.startsWith("zrender@"))
      .map(({ name }) => `${cwd}/node_modules/.deno/${name}/node_modules/zrender/LICENSE`);
    if (zrender === undefined) throw new Error("Cannot find the license of ZRender");
    const licence = Deno.readTextFileSync(zrender);
    Deno.writeTextFileSync(OUTPUT, `${banner(licence)}\n${script}`);
    const texts = ["LICENSE", "licenses/LICENSE-d3"].map((name) =>
      Deno.readTextFileSync(`${cwd}/node_modules/echarts/${name}`)
    );
    const parts = [
      "charts.min.js contains parts of Apache ECharts and of ZRender.\n",
      ...texts,
      licence,
    ];
    Deno.writeTextFileSync(LICENSES, parts.join("\n----------\n\n"));
    console.log(`${decodeURIComponent(OUTPUT.pathname)}: ${script.length} bytes`);
  } finally {
    Deno.removeSync(cwd, { recursive: true });
  }
}

if (import.meta.main) await main();
