// Bar charts of a report: the largest entries, and the cost of each turn.

"use strict";

(() => {
  const { axis, base, brief, grid, grouped, legend, rowAxis } = globalThis.trimtabLook;

  function barRows(look, rows) {
    const parts = [
      { name: "Left after a trim", color: look.stays },
      { name: "A trim would free", color: look.freed },
    ];
    const series = parts.map(({ name, color: fill }, part) => ({
      name,
      type: "bar",
      stack: "all",
      barMaxWidth: 22,
      itemStyle: { color: fill },
      data: rows.map(({ values, tip }) => ({ value: values[part] ?? 0, tip })),
    }));
    return {
      height: rows.length * 26 + 84,
      stops: rows.map(({ tip }, dataIndex) => ({ seriesIndex: 0, dataIndex, lines: tip })),
      option: {
        ...base(look, "axis"),
        legend: legend(look, parts.map(({ name }) => name)),
        grid: grid({ left: 0, right: 24, top: 36 }),
        xAxis: axis(look, {
          type: "value",
          splitNumber: look.isNarrow ? 3 : 6,
          axisLabel: { formatter: brief },
        }),
        yAxis: rowAxis(look, rows.map(({ name }) => name)),
        series,
      },
    };
  }

  function largestChart(look, data) {
    const rows = data.largest.map(([tool, about, stays, freed]) => {
      // Shows the last part of a path, which is the most specific.
      const end = /^\S*\/\S*$/.test(about) ? about.split("/").at(-1) : about;
      return {
        name: [tool, end].filter((text) => text !== "").join(" "),
        values: [stays, freed],
        tip: [
          [tool, about].filter((text) => text !== "").join(": "),
          `${grouped(stays + freed)} tokens`,
          `a trim would free ${grouped(freed)}`,
        ],
      };
    });
    return barRows(look, rows);
  }

  function costChart(look, { turns, cost_parts: names }) {
    const parts = names.map((name, part) => ({ name, part, fill: look[`cost-${part}`] }))
      .filter(({ part }) => turns.some(([, , values]) => values[part] > 0));
    const items = turns.map(([name, about, values]) => ({
      name,
      values,
      tip: [
        `Turn ${name}`,
        about,
        ...parts.map(({ name: partName, part }) => `${partName} ${grouped(values[part])}`),
        `All ${grouped(values.reduce((sum, value) => sum + value, 0))}`,
      ],
    }));
    return {
      stops: items.map(({ tip }, dataIndex) => ({ seriesIndex: 0, dataIndex, lines: tip })),
      option: {
        ...base(look, "axis"),
        legend: legend(look, parts.map(({ name }) => name)),
        grid: grid({ left: 0, right: 12, top: look.isNarrow ? 84 : 40 }),
        xAxis: axis(look, {
          type: "category",
          data: items.map(({ name }) => name),
          splitLine: { show: false },
        }),
        yAxis: axis(look, { type: "value", splitNumber: 4, axisLabel: { formatter: brief } }),
        series: parts.map(({ name, part, fill }) => ({
          name,
          type: "bar",
          stack: "all",
          barMaxWidth: 36,
          itemStyle: { color: fill },
          data: items.map(({ values, tip }) => ({ value: values[part], tip })),
        })),
      },
    };
  }

  Object.assign(globalThis.trimtabDraw, { largest: largestChart, turns: costChart });
})();
