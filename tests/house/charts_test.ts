// tools/charts.ts builds the chart library, which is a committed file. The tool, the library and the page
// of a report must agree.

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { CHART_PACKAGES, CHART_PARTS } from "../../tools/charts.ts";
import { projectFiles, readProject } from "./project.ts";

const LIBRARY = "src/report/page/charts.min.js";

Deno.test("the chart library has its licenses, and the version that tools/charts.ts specifies", () => {
  const head = readProject(LIBRARY).slice(0, 4_000);
  assertStringIncludes(head, `Apache ECharts ${CHART_PACKAGES.echarts}, `);
  for (const name of ["Apache License", "BSD 3-Clause License", "Baidu"]) {
    assertStringIncludes(head, name);
    assertStringIncludes(readProject("src/report/page/charts.LICENSE.txt"), name);
  }
});

Deno.test("the chart library contains exactly the parts that the page uses", () => {
  const draw = projectFiles("src/report/page", ["js"]).filter((path) => path !== LIBRARY)
    .map(readProject).join("\n");
  const types = draw.matchAll(/\btype: "(bar|line|scatter|treemap)"/g);
  const used = new Set([...types].map(([, type]) => type));
  const kept = CHART_PARTS.charts?.map((name) => name.replace("Chart", "").toLowerCase());
  assertEquals([...used].sort(), kept?.toSorted());
  for (const component of CHART_PARTS.components ?? []) {
    const option = component.replace("Component", "");
    const name = option.charAt(0).toLowerCase() + option.slice(1);
    assert(new RegExp(`\\b${name}[:,]`).test(draw), `${name} is not used`);
  }
});
