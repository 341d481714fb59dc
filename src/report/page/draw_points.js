// Draws a report's chart of the window over time, with a point for each request.

"use strict";

(() => {
  const { axis, base, brief, grid, grouped, legend, share, timeAxis } = globalThis.trimtabLook;
  const MARKS = {
    compaction: { name: "Compaction", symbol: "diamond", color: "urgent" },
    trim: { name: "Trim", symbol: "triangle", color: "freed" },
    checkpoint: { name: "Checkpoint", symbol: "rect", color: "thinking" },
  };

  /** With more marks than this, no vertical lines are drawn, because they would hide the curve. */
  const MAX_LINES = 40;

  function stopsOf(series) {
    return series.flatMap(({ data }, seriesIndex) =>
      data.map((item, dataIndex) => ({
        seriesIndex,
        dataIndex,
        x: item.value[0],
        lines: item.tip,
      }))
    ).sort((a, b) => a.x - b.x || a.seriesIndex - b.seriesIndex);
  }

  function windowChart(look, data) {
    const { size, limit, levels, points, marks } = data.window;
    const lastRequest = Math.max(points.at(-1)?.[0] ?? 1, ...marks.map(([, after]) => after));
    const kinds = Object.keys(MARKS).filter((kind) => marks.some((mark) => mark[0] === kind));
    const line = points.map(([number, tokens, time]) => ({
      value: [number, tokens],
      tip: [
        `Request ${grouped(number)}`,
        time,
        `${grouped(tokens)} tokens, ${share(tokens, limit)}`,
      ],
    }));
    const series = [{
      name: "Tokens",
      type: "line",
      data: line,
      symbol: "circle",
      symbolSize: points.length > 80 ? 3 : 6,
      showAllSymbol: true,
      lineStyle: { width: 2, color: look.accent },
      itemStyle: { color: look.accent },
      areaStyle: { color: look.accent, opacity: 0.12 },
      markArea: {
        silent: true,
        data: levels.map(([name, from, to]) => [
          {
            yAxis: from,
            itemStyle: { color: look[name], opacity: Number(look.band) },
            label: {
              show: (to - from) / size > 0.07,
              formatter: name,
              position: "right",
              color: look[name],
              fontSize: look.isNarrow ? 11 : 12,
              fontWeight: 600,
            },
          },
          { yAxis: to },
        ]),
      },
      markLine: {
        silent: true,
        symbol: "none",
        label: { show: false },
        lineStyle: { type: "dashed", width: 1 },
        data: (marks.length > MAX_LINES ? [] : marks).map(([kind, after]) => ({
          xAxis: Math.max(1, after),
          lineStyle: { color: look[MARKS[kind].color] },
        })),
      },
    }];
    for (const kind of kinds) {
      series.push({
        name: MARKS[kind].name,
        type: "scatter",
        symbol: MARKS[kind].symbol,
        symbolSize: marks.length > MAX_LINES ? 6 : marks.length > 15 ? 8 : 12,
        z: 5,
        itemStyle: { color: look[MARKS[kind].color], borderColor: look.panel, borderWidth: 1 },
        data: marks.filter((mark) => mark[0] === kind).map(([, after, tokens, text, time]) => ({
          value: [Math.max(1, after), Math.min(size, tokens)],
          tip: [text, time],
        })),
      });
    }
    const stops = stopsOf(series);
    return {
      stops,
      option: {
        ...base(look, "item"),
        legend: {
          ...legend(look, ["Tokens", ...kinds.map((kind) => MARKS[kind].name)]),
          show: kinds.length > 0,
        },
        // The right margin has room for the names of the levels.
        grid: grid({ left: 8, right: look.isNarrow ? 82 : 86, top: kinds.length > 0 ? 36 : 10 }),
        xAxis: timeAxis(look, points.map(([number, , time]) => [number, time]), lastRequest),
        yAxis: axis(look, { type: "value", min: 0, max: size, axisLabel: { formatter: brief } }),
        series,
      },
    };
  }

  globalThis.trimtabDraw.window = windowChart;
})();
