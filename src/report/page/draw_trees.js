// The tree chart of a report: the contents of the window.

"use strict";

(() => {
  const { base, brief, grouped, share } = globalThis.trimtabLook;

  function contentsChart(look, data) {
    const { total, groups } = data.contents;
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
    // A group whose only part has the group's name is drawn without parts.
    const isAlone = ({ name, parts }) => parts.length === 1 && parts[0].name === name;
    const nodes = groups.map((group) => ({
      id: group.kind,
      name: group.name,
      value: group.tokens,
      tip: tipOf(group.name, group.tokens),
      itemStyle: { color: look[group.kind], borderColor: look[group.kind] },
      children: isAlone(group) ? [] : group.parts.map(({ name, tokens }, index) => ({
        id: `${group.kind}/${index}`,
        name,
        value: tokens,
        tip: tipOf(`${group.name}: ${name}`, tokens),
        itemStyle: { color: look[group.kind] },
      })),
    }));
    return {
      // Each stop also names its group, in case a small group is drawn without its parts.
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

  globalThis.trimtabDraw.contents = contentsChart;
})();
