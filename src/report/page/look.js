// Shared parts of a report's charts: numbers, axes, legends and tooltips. Inserts text of the session
// as text, never as markup.

"use strict";

(() => {
  function grouped(count) {
    return String(Math.round(count)).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  }

  function brief(count) {
    if (count >= 1e6) return `${Number((count / 1e6).toFixed(1))}M`;
    return count >= 1e3 ? `${Number((count / 1e3).toFixed(1))}K` : String(count);
  }

  function share(part, whole) {
    if (!(whole > 0)) return "–";
    return part > 0 && part / whole < 0.005 ? "<1%" : `${Math.round((part / whole) * 100)}%`;
  }

  function tipNode(lines) {
    const node = document.createElement("div");
    node.className = "tip";
    lines.filter((line) => line !== "").forEach((line, index) => {
      const row = document.createElement(index === 0 ? "b" : "span");
      row.textContent = line;
      node.append(row);
    });
    return node;
  }

  function linesOf(params) {
    const all = Array.isArray(params) ? params : [params];
    const found = all.map(({ data }) => data?.tip).filter((lines) => Array.isArray(lines));
    // The series of a bar have the same tip, which is shown once. Marks at the same point have separate tips.
    return [...new Map(found.map((lines) => [lines.join("\n"), lines])).values()].flat();
  }

  function base(look, trigger) {
    return {
      animation: false,
      textStyle: { fontFamily: getComputedStyle(document.body).fontFamily, color: look.text },
      tooltip: {
        trigger,
        confine: true,
        transitionDuration: 0,
        backgroundColor: look.panel,
        borderColor: look.line,
        textStyle: { color: look.text, fontSize: 13 },
        axisPointer: { type: "line", lineStyle: { color: look.muted, type: "dashed" } },
        formatter: (params) => tipNode(linesOf(params)),
      },
    };
  }

  function axis(look, { axisLabel, ...extra }) {
    return {
      axisLine: { lineStyle: { color: look.line } },
      axisTick: { show: false },
      axisLabel: { color: look.muted, hideOverlap: true, ...axisLabel },
      splitLine: { lineStyle: { color: look.grid } },
      nameTextStyle: { color: look.muted },
      ...extra,
    };
  }

  function rowAxis(look, names) {
    return axis(look, {
      type: "category",
      inverse: true,
      data: names,
      axisLabel: {
        width: look.isNarrow ? 104 : 260,
        overflow: "truncate",
        color: look.text,
        interval: 0,
        hideOverlap: false,
      },
    });
  }

  function grid(margins) {
    return { bottom: 4, outerBoundsMode: "same", outerBoundsContain: "axisLabel", ...margins };
  }

  function legend(look, names) {
    return {
      data: names,
      top: 0,
      left: 0,
      type: "plain",
      itemWidth: 14,
      itemHeight: 10,
      itemGap: look.isNarrow ? 10 : 16,
      textStyle: { color: look.text, fontSize: 13 },
      selectedMode: false,
    };
  }

  function timeAxis(look, times, lastRequest) {
    const days = new Set(times.map(([, time]) => time.slice(0, 10)));
    const timeAt = (value) =>
      times.findLast(([number]) => number <= value)?.[1] ?? times[0]?.[1] ?? "";
    return axis(look, {
      type: "value",
      min: 1,
      max: Math.max(2, lastRequest),
      minInterval: 1,
      splitNumber: look.isNarrow ? 3 : 8,
      splitLine: { show: false },
      axisLabel: {
        alignMinLabel: "left",
        alignMaxLabel: "right",
        lineHeight: 16,
        formatter(value) {
          const time = timeAt(value);
          const clock = days.size > 1 ? `${time.slice(5, 10)} ${time.slice(11)}` : time.slice(11);
          return `#${grouped(value)}\n${clock}`;
        },
      },
    });
  }

  /**
   * The charts, by name. Each is a function that takes the page's look and data, and returns the
   * chart's option, the stops of the arrow keys in order, and the height if it is not the default.
   */
  globalThis.trimtabDraw = {};

  globalThis.trimtabLook = {
    axis,
    base,
    brief,
    grid,
    grouped,
    legend,
    rowAxis,
    share,
    timeAxis,
  };
})();
