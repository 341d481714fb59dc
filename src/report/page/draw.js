// What each chart of a report looks like, given how the page looks.

"use strict";

(() => {
  const { axis, base, brief, grouped, legend, share, timeAxis } = globalThis.trimtabLook;
  const data = JSON.parse(document.getElementById("data").textContent);
  const COST_NAMES = [
    "Cache reads",
    "Cache writes",
    "Cache misses",
    "Fresh input",
    "Output",
    "Subagents",
  ];
  const MARKS = {
    compaction: { name: "Compaction", symbol: "diamond", color: "urgent" },
    trim: { name: "Trim", symbol: "triangle", color: "freed" },
    checkpoint: { name: "Checkpoint", symbol: "rect", color: "thinking" },
  };

  /** Where the arrow keys stop: at each point of each series, from left to right. */
  function stopsOf(series) {
    return series.flatMap((one, seriesIndex) =>
      one.data.map((item, dataIndex) => ({
        seriesIndex,
        dataIndex,
        x: item.value[0],
        lines: item.tip,
      }))
    ).sort((a, b) => a.x - b.x || a.seriesIndex - b.seriesIndex);
  }

  function windowChart(look) {
    const { size, levels, points, marks } = data.window;
    const most = Math.max(points.at(-1)?.[0] ?? 1, ...marks.map(([, after]) => after));
    const kinds = Object.keys(MARKS).filter((kind) => marks.some((mark) => mark[0] === kind));
    const line = points.map(([number, tokens, time]) => ({
      value: [number, tokens],
      tip: [
        `Request ${grouped(number)}`,
        time,
        `${grouped(tokens)} tokens, ${share(tokens, size)}`,
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
        data: marks.map(([kind, after]) => ({
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
        symbolSize: marks.length > 15 ? 8 : 12,
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
        grid: {
          left: 8,
          // The names of the levels stand there, where no line passes.
          right: look.isNarrow ? 82 : 86,
          top: kinds.length > 0 ? 36 : 10,
          bottom: 4,
          outerBoundsMode: "same",
          outerBoundsContain: "axisLabel",
        },
        xAxis: timeAxis(look, points.map(([number, , time]) => [number, time]), most),
        yAxis: axis(look, { type: "value", min: 0, max: size, axisLabel: { formatter: brief } }),
        series,
      },
    };
  }

  function contentsChart(look) {
    const { total, groups } = data.contents;
    // Where it would not fit, a label says less, or nothing.
    const labelOf = ({ name, value, dataIndex }, lines) => {
      const { width = 0, height = 0 } = look.layoutOf(dataIndex) ?? {};
      const fits = (text) => text.length * 8 + 14 <= width;
      const size = `${brief(value)} · ${share(value, total)}`;
      if (lines === 1) {
        const both = `${name} · ${share(value, total)}`;
        return fits(both) ? both : fits(name) ? name : "";
      }
      if (!fits(name) || height < 20) return "";
      return fits(size) && height >= 38 ? `${name}\n${size}` : name;
    };
    const tipOf = (name, tokens) => [name, `${grouped(tokens)} tokens, ${share(tokens, total)}`];
    // A group of one needs no frame around it.
    const isAlone = ({ name, parts }) => parts.length === 1 && parts[0][0] === name;
    const nodes = groups.map((group) => ({
      id: group.kind,
      name: group.name,
      value: group.tokens,
      tip: tipOf(group.name, group.tokens),
      itemStyle: { color: look[group.kind], borderColor: look[group.kind] },
      children: isAlone(group) ? [] : group.parts.map(([name, tokens], index) => ({
        id: `${group.kind}/${index}`,
        name,
        value: tokens,
        tip: tipOf(`${group.name}: ${name}`, tokens),
        itemStyle: { color: look[group.kind] },
      })),
    }));
    return {
      // Of a group with too little room the parts are not drawn: there its own place is pointed at.
      stops: nodes.flatMap(({ id, tip, children }) =>
        children.length === 0
          ? [{ id, lines: tip }]
          : children.map((part) => ({ id: part.id, parent: id, lines: part.tip }))
      ),
      option: {
        ...base(look, "item"),
        series: [{
          type: "treemap",
          data: nodes,
          left: 0,
          right: 0,
          top: 0,
          bottom: 0,
          roam: false,
          visibleMin: 0,
          nodeClick: false,
          breadcrumb: { show: false },
          label: {
            show: true,
            color: "#ffffff",
            fontSize: 13,
            lineHeight: 17,
            overflow: "truncate",
            formatter: (params) => labelOf(params, 2),
          },
          upperLabel: {
            show: true,
            height: 22,
            color: "#ffffff",
            fontSize: 12,
            fontWeight: 600,
            overflow: "truncate",
            formatter: (params) => labelOf(params, 1),
          },
          itemStyle: { borderColor: look.panel, borderWidth: 1, gapWidth: 1 },
          levels: [
            {
              itemStyle: { borderWidth: 0, gapWidth: 4, borderColor: look.panel },
              upperLabel: { show: false },
            },
            { itemStyle: { borderWidth: 2, gapWidth: 2 } },
            { itemStyle: { borderColor: look.panel, borderWidth: 0.5 } },
          ],
          emphasis: { itemStyle: { borderColor: look.text }, upperLabel: { color: "#ffffff" } },
        }],
      },
    };
  }

  /** Bars from top to bottom, each of two parts or more. */
  function barRows(look, rows, parts, options) {
    const series = parts.map(({ name, color: fill }, part) => ({
      name,
      type: "bar",
      stack: "all",
      barMaxWidth: 22,
      itemStyle: { color: fill },
      data: rows.map(({ values, tip }) => ({ value: values[part] ?? 0, tip })),
    }));
    const width = look.isNarrow ? 104 : 260;
    return {
      height: rows.length * 26 + 84,
      stops: rows.map(({ tip }, dataIndex) => ({ seriesIndex: 0, dataIndex, lines: tip })),
      option: {
        ...base(look, "axis"),
        legend: legend(look, parts.map(({ name }) => name)),
        grid: {
          left: 0,
          right: 24,
          top: 36,
          bottom: 4,
          outerBoundsMode: "same",
          outerBoundsContain: "axisLabel",
        },
        xAxis: axis(look, {
          type: "value",
          splitNumber: look.isNarrow ? 3 : 6,
          axisLabel: { formatter: brief },
          ...options,
        }),
        yAxis: axis(look, {
          type: "category",
          inverse: true,
          data: rows.map(({ name }) => name),
          axisLabel: {
            width,
            overflow: "truncate",
            color: look.text,
            interval: 0,
            hideOverlap: false,
          },
        }),
        series,
      },
    };
  }

  function largestChart(look) {
    const rows = data.largest.map(([tool, about, stays, freed]) => {
      // The end of a path tells more than its beginning.
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
    return barRows(look, rows, [
      { name: "Stays", color: look.stays },
      { name: "A trim would free", color: look.freed },
    ]);
  }

  function sessionsChart(look) {
    const rows = data.sessions.map(([name, about, tokens, after, window]) => ({
      name,
      values: [Math.min(tokens, after), Math.max(0, tokens - after)],
      tip: [
        `${name} ${about}`,
        `${grouped(tokens)} of ${grouped(window)} tokens, ${share(tokens, window)}`,
        `a trim would leave ${grouped(after)}`,
      ],
    }));
    return barRows(look, rows, [
      { name: "Stays", color: look.stays },
      { name: "A trim would free", color: look.freed },
    ]);
  }

  function costChart(look, turns, word) {
    const parts = COST_NAMES.map((name, part) => ({ name, part, fill: look[`cost-${part}`] }))
      .filter(({ part }) => turns.some(([, , values]) => values[part] > 0));
    const items = turns.map(([name, about, values]) => ({
      name,
      values,
      tip: [
        `${word}${name}`,
        about,
        ...parts.map(({ name: of, part }) => `${of} ${grouped(values[part])}`),
        `All ${grouped(values.reduce((sum, value) => sum + value, 0))}`,
      ],
    }));
    return {
      stops: items.map(({ tip }, dataIndex) => ({ seriesIndex: 0, dataIndex, lines: tip })),
      option: {
        ...base(look, "axis"),
        legend: legend(look, parts.map(({ name }) => name)),
        grid: {
          left: 0,
          right: 12,
          top: look.isNarrow ? 84 : 40,
          bottom: 4,
          outerBoundsMode: "same",
          outerBoundsContain: "axisLabel",
        },
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

  function filesChart(look) {
    const { requests, names, reads, edits } = data.files;
    const times = data.window.points.map(([number, , time]) => [number, time]);
    const seriesOf = (name, word, uses, extra) => ({
      name,
      type: "scatter",
      symbolSize: 11,
      data: uses.map(([after, file, time]) => ({
        value: [Math.max(1, after), file],
        tip: [`${word} ${names[file]}`, time, `after request ${grouped(after)}`],
      })),
      ...extra,
    });
    const series = [
      seriesOf("Read", "Read", reads, {
        symbol: "circle",
        itemStyle: { color: "transparent", borderColor: look.accent, borderWidth: 2 },
      }),
      seriesOf("Changed", "Changed", edits, {
        symbol: "diamond",
        itemStyle: { color: look.recommend },
      }),
    ];
    const stops = stopsOf(series);
    return {
      height: names.length * 26 + 100,
      stops,
      option: {
        ...base(look, "item"),
        legend: legend(look, ["Read", "Changed"]),
        grid: {
          left: 0,
          right: 16,
          top: 36,
          bottom: 4,
          outerBoundsMode: "same",
          outerBoundsContain: "axisLabel",
        },
        xAxis: timeAxis(look, times, requests),
        yAxis: axis(look, {
          type: "category",
          inverse: true,
          data: names.map((name) => name.split("/").slice(look.isNarrow ? -1 : -2).join("/")),
          axisLabel: {
            width: look.isNarrow ? 104 : 260,
            overflow: "truncate",
            color: look.text,
            interval: 0,
            hideOverlap: false,
          },
          splitLine: { show: true, lineStyle: { color: look.grid } },
        }),
        series,
      },
    };
  }

  function familyChart(look) {
    const stops = [];
    let leaves = 0;
    let deepest = 0;
    const nodeOf = (member, path) => {
      deepest = Math.max(deepest, path.split(".").length);
      const id = `member/${path}`;
      stops.push({ id, lines: member.tip });
      if (member.children.length === 0) leaves++;
      return {
        id,
        name: member.name,
        tip: member.tip,
        symbolSize: member.is_this ? 14 : 9,
        itemStyle: {
          color: member.is_this ? look.accent : look.panel,
          borderColor: look.accent,
          borderWidth: 2,
        },
        label: { fontWeight: member.is_this ? 700 : 400 },
        children: member.children.map((child, index) => nodeOf(child, `${path}.${index}`)),
      };
    };
    const members = data.family.map((member, index) => nodeOf(member, String(index)));
    const isForest = members.length > 1;
    const root = isForest
      ? { id: "root", name: "project", tip: ["All sessions"], children: members }
      : members[0];
    // A long line of sessions goes down where it does not fit across.
    const isDown = (deepest + (isForest ? 1 : 0)) * 96 > look.width;
    const side = look.isNarrow ? 50 : 90;
    return {
      height: isDown ? (deepest + 1) * 44 + 40 : Math.max(120, leaves * 52 + 40),
      stops,
      option: {
        ...base(look, "item"),
        series: [{
          type: "tree",
          data: [root],
          top: 20,
          bottom: 20,
          left: isDown ? 16 : side,
          right: isDown ? 76 : side,
          orient: isDown ? "TB" : "LR",
          expandAndCollapse: false,
          initialTreeDepth: -1,
          symbol: "circle",
          lineStyle: { color: look.stays, width: 1.5, curveness: 0.5 },
          label: {
            color: look.text,
            fontSize: look.isNarrow ? 11 : 13,
            // Side by side there is room for the beginning of an id; the tooltip has it whole.
            formatter: ({ name }) => isDown && leaves > 2 ? name.slice(0, 4) : name,
            position: isDown ? "right" : "bottom",
            align: isDown ? "left" : "center",
            rotate: 0,
            distance: 6,
          },
          leaves: { label: { position: isDown ? "right" : "bottom", rotate: 0 } },
        }],
      },
    };
  }

  /** Each gives what to draw and, in the order of the arrow keys, the points to stop at. */
  globalThis.trimtabDraw = {
    window: windowChart,
    contents: contentsChart,
    largest: largestChart,
    turns: (look) => costChart(look, data.turns, "Turn "),
    costs: (look) => costChart(look, data.costs, ""),
    files: filesChart,
    family: familyChart,
    sessions: sessionsChart,
  };
})();
