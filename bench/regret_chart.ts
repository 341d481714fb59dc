/**
 * Draws a chart for the docs: the share that trims free against the share of needed lines that they lose.
 */

/** The figures are percentages. */
export interface ChartPoint {
  readonly label: string;
  readonly freed: number;
  readonly lost: number;
}

export interface ChartSeries {
  readonly name: string;
  readonly color: string;
  readonly isLine: boolean;
  /** Whether labels are placed below and to the right of their points, so that they do not overlap a line. */
  readonly isBelow?: boolean;
  readonly points: readonly ChartPoint[];
}

const WIDTH = 720;
const HEIGHT = 420;
const LEFT = 60;
const TOP = 24;
const PLOT_WIDTH = 560;
const PLOT_HEIGHT = 330;
const MAX_PERCENT = 90;
const STEP = 15;

export function regretChart(series: readonly ChartSeries[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" ` +
    'font-family="sans-serif" font-size="12">',
    "<title>Share that a trim frees, and share of needed lines that it loses</title>",
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    ...axes(),
    ...series.flatMap(drawSeries),
    ...series.map(legend),
    "</svg>",
    "",
  ].join("\n");
}

function x(freed: number): number {
  return Math.round(LEFT + (freed / MAX_PERCENT) * PLOT_WIDTH);
}

function y(lost: number): number {
  return Math.round(TOP + PLOT_HEIGHT - (lost / MAX_PERCENT) * PLOT_HEIGHT);
}

function axes(): string[] {
  const lines: string[] = [];
  for (let percent = 0; percent <= MAX_PERCENT; percent += STEP) {
    const [across, up] = [x(percent), y(percent)];
    lines.push(
      `<path d="M${LEFT} ${up}H${x(MAX_PERCENT)}M${across} ${TOP}V${y(0)}" stroke="#e5e7eb"/>`,
      `<text x="${LEFT - 8}" y="${up + 4}" text-anchor="end" fill="#4b5563">${percent}</text>`,
      `<text x="${across}" y="${y(0) + 18}" text-anchor="middle" fill="#4b5563">${percent}</text>`,
    );
  }
  const middle = TOP + PLOT_HEIGHT / 2;
  return [
    ...lines,
    `<text x="${x(MAX_PERCENT / 2)}" y="${HEIGHT - 22}" text-anchor="middle" fill="#111827">` +
    "share of the conversation freed, %</text>",
    `<text transform="translate(18 ${middle}) rotate(-90)" text-anchor="middle" fill="#111827">` +
    "share of lines quoted by later edits that are lost, %</text>",
  ];
}

function drawSeries({ color, isLine, isBelow = false, points }: ChartSeries): string[] {
  const sorted = points.toSorted((a, b) => a.freed - b.freed);
  const path = sorted.map(({ freed, lost }, index) =>
    `${index === 0 ? "M" : "L"}${x(freed)} ${y(lost)}`
  ).join("");
  return [
    ...(isLine ? [`<path d="${path}" fill="none" stroke="${color}" stroke-width="2"/>`] : []),
    ...sorted.flatMap(({ label, freed, lost }) => [
      `<circle cx="${x(freed)}" cy="${y(lost)}" r="4" fill="${color}"/>`,
      ...(label === "" ? [] : [
        `<text x="${x(freed) + (isBelow ? 8 : -7)}" y="${y(lost) + (isBelow ? 14 : -8)}" ` +
        `text-anchor="${isBelow ? "start" : "end"}" fill="#111827">` +
        `${escapeXml(label)}</text>`,
      ]),
    ]),
  ];
}

function legend({ name, color }: ChartSeries, index: number): string {
  const top = TOP + 14 + index * 20;
  return `<circle cx="${LEFT + 16}" cy="${top - 4}" r="5" fill="${color}"/>` +
    `<text x="${LEFT + 28}" y="${top}" fill="#111827">${escapeXml(name)}</text>`;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
