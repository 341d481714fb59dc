// Draws the charts of a report, and handles the arrow keys.

"use strict";

(() => {
  const NARROW_PIXELS = 620;
  const data = JSON.parse(document.getElementById("data").textContent);

  function setUpChart(host) {
    const name = host.dataset.chart;
    const status = document.querySelector(`[data-said="${name}"]`);
    const canvas = host.querySelector(".canvas");
    let stops = [];
    let current = -1;
    const chart = globalThis.echarts.init(canvas, null, { renderer: "svg" });
    function draw() {
      const style = getComputedStyle(document.documentElement);
      const look = new Proxy({
        isNarrow: host.clientWidth < NARROW_PIXELS,
        layoutOf: (index) => chart.getModel().getSeriesByIndex(0).getData().getItemLayout(index),
      }, {
        get: (own, key) => key in own ? own[key] : style.getPropertyValue(`--${key}`).trim(),
      });
      const drawn = globalThis.trimtabDraw[name](look, data);
      stops = drawn.stops;
      if (drawn.height !== undefined) canvas.style.height = `${drawn.height}px`;
      chart.resize();
      chart.setOption(drawn.option, true);
    }
    function targetOf(stop) {
      if (stop.id === undefined) {
        return { seriesIndex: stop.seriesIndex, dataIndex: stop.dataIndex };
      }
      const list = chart.getModel().getSeriesByIndex(0).getData();
      let target = { seriesIndex: 0, dataIndex: 0 };
      for (let index = 0; index < list.count(); index++) {
        const id = list.getId(index);
        if (id !== stop.id && id !== stop.parent) continue;
        target = { seriesIndex: 0, dataIndex: index };
        if (id === stop.id && list.getItemGraphicEl(index)) break;
        if (id === stop.id && stop.parent !== undefined) return targetOf({ id: stop.parent });
      }
      return target;
    }
    function leave() {
      if (current >= 0) chart.dispatchAction({ type: "downplay", ...targetOf(stops[current]) });
      chart.dispatchAction({ type: "hideTip" });
      current = -1;
      status.textContent = "";
    }
    function goTo(next) {
      if (stops.length === 0) return;
      if (current >= 0) chart.dispatchAction({ type: "downplay", ...targetOf(stops[current]) });
      current = Math.max(0, Math.min(stops.length - 1, next));
      const target = targetOf(stops[current]);
      chart.dispatchAction({ type: "highlight", ...target });
      chart.dispatchAction({ type: "showTip", ...target });
      status.textContent = `${stops[current].lines.filter((line) => line !== "").join(". ")}. ${
        current + 1
      } of ${stops.length}.`;
    }
    const forward = () => goTo(current + 1);
    const back = () => goTo(current < 0 ? stops.length - 1 : current - 1);
    const steps = {
      ArrowRight: forward,
      ArrowDown: forward,
      ArrowLeft: back,
      ArrowUp: back,
      PageDown: () => goTo(current + 10),
      PageUp: () => goTo(current - 10),
      Home: () => goTo(0),
      End: () => goTo(stops.length - 1),
      Escape: leave,
    };
    host.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(steps, event.key)) {
        return;
      }
      event.preventDefault();
      steps[event.key]();
    });
    host.addEventListener("blur", leave);
    draw();
    return { name, chart, draw, points: () => stops.length };
  }

  const charts = [...document.querySelectorAll("[data-chart]")].map(setUpChart);
  let width = globalThis.innerWidth;
  globalThis.addEventListener("resize", () => {
    if (globalThis.innerWidth === width) return;
    width = globalThis.innerWidth;
    for (const { draw } of charts) draw();
  });
  globalThis.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    for (const { draw } of charts) draw();
  });
  globalThis.trimtabCharts = charts;
})();
