/**
 * Draws terminal screens as one animated SVG, with a frame for each screen. CSS shows the frames in turn. The
 * SVG has no script and no embedded font.
 */

export interface Frame {
  /** The screen as tmux captures it, with color escape sequences. */
  readonly screen: string;
  readonly seconds: number;
}

interface Style {
  colour: string | null;
  background: string | null;
  isBold: boolean;
  isDim: boolean;
  isInverse: boolean;
}

const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const PADDING = 14;
const PANEL = "#1c1e26";
const TEXT = "#d8dae2";
/** The 16 named colors of a terminal. The rest of xterm's palette is computed. */
const NAMED = [
  ...["#3b3f4c", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dae2"],
  ...["#6b7080", "#ef8a92", "#b0d695", "#f0d399", "#82c2f5", "#d79ae6", "#7bcbd5", "#ffffff"],
];
const SEQUENCE =
  // deno-lint-ignore no-control-regex
  /\x1b\[([0-9;]*)m|\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|[()].|\[[0-9;?]*[A-Za-ln-z])/g;

export function terminalSvg(frames: readonly Frame[], title: string): string {
  const screens = frames.map(({ screen }) => screen.replace(/\n+$/, "").split("\n"));
  const rows = Math.max(...screens.map((lines) => lines.length));
  const columns = Math.max(...screens.flat().map((line) => [...plainText(line)].length));
  const width = Math.ceil(columns * CELL_WIDTH + 2 * PADDING);
  const height = rows * LINE_HEIGHT + 2 * PADDING;
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  let start = 0;
  const rules: string[] = [];
  const groups = screens.map((lines, index) => {
    const from = 100 * start / total;
    start += frames[index]?.seconds ?? 0;
    const to = 100 * start / total;
    // Each frame is visible for its `seconds`; with reduced motion, only the last frame is visible.
    rules.push(
      `@keyframes f${index}{0%{visibility:${from === 0 ? "visible" : "hidden"}}` +
        `${percent(from)}{visibility:visible}${percent(to)}{visibility:${
          to >= 100 ? "visible" : "hidden"
        }}}` +
        `.f${index}{animation:f${index} ${total}s step-end infinite;visibility:hidden}`,
    );
    const lineElements = lines.map((line, row) => lineOf(line, row)).join("");
    return `<g class="f${index}">${lineElements}</g>`;
  });
  const still = `@media (prefers-reduced-motion:reduce){g{animation:none!important}` +
    `.f${frames.length - 1}{visibility:visible}}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">` +
    `<title>${escape(title)}</title><style>text{font:14px ui-monospace,Menlo,Consolas,monospace;` +
    `white-space:pre;fill:${TEXT}}${rules.join("")}${still}</style>` +
    `<rect width="${width}" height="${height}" rx="8" fill="${PANEL}"/>${groups.join("")}</svg>\n`;
}

function percent(value: number): string {
  return `${Number(value.toFixed(3))}%`;
}

function plainText(line: string): string {
  return line.replace(SEQUENCE, "");
}

function lineOf(line: string, row: number): string {
  const y = PADDING + (row + 1) * LINE_HEIGHT - 5;
  let column = 0;
  let backgrounds = "";
  let spans = "";
  for (const { text, style } of runsOf(line)) {
    const length = [...text].length;
    const [colour, background] = style.isInverse
      ? [style.background ?? PANEL, style.colour ?? TEXT]
      : [style.colour, style.background];
    if (background !== null) {
      backgrounds +=
        `<rect x="${xOf(column)}" y="${y - 13}" width="${round(length * CELL_WIDTH)}" ` +
        `height="${LINE_HEIGHT}" fill="${background}"/>`;
    }
    if (text.trim() !== "") {
      const attributes = `${colour === null ? "" : ` fill="${colour}"`}` +
        `${style.isBold ? ' font-weight="bold"' : ""}${style.isDim ? ' opacity=".6"' : ""}`;
      spans +=
        `<tspan x="${xOf(column)}"${attributes} textLength="${round(length * CELL_WIDTH)}">` +
        `${escape(text)}</tspan>`;
    }
    column += length;
  }
  return `${backgrounds}${spans === "" ? "" : `<text y="${y}">${spans}</text>`}`;
}

function xOf(column: number): number {
  return round(PADDING + column * CELL_WIDTH);
}

function round(value: number): number {
  return Number(value.toFixed(1));
}

function* runsOf(line: string): Iterable<{ text: string; style: Style }> {
  let style = plainStyle();
  let from = 0;
  for (const match of line.matchAll(SEQUENCE)) {
    if (match.index > from) yield { text: line.slice(from, match.index), style };
    from = match.index + match[0].length;
    if (match[1] !== undefined) style = styled(style, match[1].split(";").map(Number));
  }
  if (from < line.length) yield { text: line.slice(from), style };
}

function plainStyle(): Style {
  return { colour: null, background: null, isBold: false, isDim: false, isInverse: false };
}

/** Returns the style after an escape sequence. Source: ECMA-48, 8.3.117 (SGR), and xterm's codes 38 and 48. */
function styled(before: Style, codes: number[]): Style {
  const style = { ...before };
  while (codes.length > 0) {
    const code = codes.shift() ?? 0;
    if (code === 0) Object.assign(style, plainStyle());
    else if (code === 1) style.isBold = true;
    else if (code === 2) style.isDim = true;
    else if (code === 7) style.isInverse = true;
    else if (code === 22) style.isBold = style.isDim = false;
    else if (code === 27) style.isInverse = false;
    else if (code === 39) style.colour = null;
    else if (code === 49) style.background = null;
    else if (code === 38) style.colour = extended(codes);
    else if (code === 48) style.background = extended(codes);
    else if (code >= 30 && code <= 37) style.colour = NAMED[code - 30] ?? null;
    else if (code >= 90 && code <= 97) style.colour = NAMED[code - 82] ?? null;
    else if (code >= 40 && code <= 47) style.background = NAMED[code - 40] ?? null;
    else if (code >= 100 && code <= 107) style.background = NAMED[code - 92] ?? null;
  }
  return style;
}

function extended(codes: number[]): string | null {
  if (codes.shift() === 2) return hex(codes.splice(0, 3));
  const index = codes.shift() ?? 0;
  if (index < 16) return NAMED[index] ?? null;
  if (index >= 232) return hex(Array.from({ length: 3 }, () => 8 + 10 * (index - 232)));
  const parts = [Math.floor((index - 16) / 36), Math.floor((index - 16) / 6) % 6, (index - 16) % 6];
  return hex(parts.map((part) => part === 0 ? 0 : 55 + 40 * part));
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
