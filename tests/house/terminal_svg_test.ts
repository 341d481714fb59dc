import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { terminalSvg } from "../../tools/terminal_svg.ts";

const ESC = "\x1b";

Deno.test("terminalSvg() draws text, colours and weight, and escapes markup", () => {
  const screen =
    `${ESC}[1;32mok${ESC}[0m <a> & ${ESC}[38;2;1;2;3mx${ESC}[39m${ESC}[48;5;196my${ESC}[49m\n\n`;
  const svg = terminalSvg([{ screen, seconds: 1 }], "A <title>");
  assertStringIncludes(svg, "<title>A &lt;title&gt;</title>");
  assertStringIncludes(svg, 'fill="#98c379" font-weight="bold" textLength="16.8">ok</tspan>');
  assertStringIncludes(svg, "&lt;a&gt; &amp; </tspan>");
  assertStringIncludes(svg, 'fill="#010203"');
  assertStringIncludes(svg, 'fill="#ff0000"/>');
  assert(!svg.includes(ESC));
});

Deno.test("terminalSvg() shows each frame in its share of the time, the last without motion", () => {
  const svg = terminalSvg([{ screen: "a", seconds: 1 }, { screen: "b", seconds: 3 }], "t");
  assertStringIncludes(
    svg,
    "@keyframes f0{0%{visibility:visible}0%{visibility:visible}25%{visibility:hidden}}",
  );
  assertStringIncludes(
    svg,
    "@keyframes f1{0%{visibility:hidden}25%{visibility:visible}100%{visibility:visible}}",
  );
  assertStringIncludes(svg, "animation:none!important}.f1{visibility:visible}");
  assertEquals(svg.match(/<script|href=/g), null);
});
