/**
 * Draws the plugin's icon, a rudder with its trim tab turned, into `.claude-plugin/icon.png`.
 *
 *     deno task icon
 *
 * @module
 */

import { encodePng } from "./png.ts";

const OUTPUT = new URL("../.claude-plugin/icon.png", import.meta.url);
const SIZE = 512;
/** Samples per pixel in each direction, for smooth edges. */
const SAMPLES = 4;

type Point = readonly [x: number, y: number];
type Colour = readonly [red: number, green: number, blue: number];

/** In hundredths of the side; later shapes cover earlier ones. */
const SHAPES: readonly { readonly colour: Colour; readonly corners: readonly Point[] }[] = [
  // The rudder, its stock, and the tab on its edge.
  { colour: [232, 236, 242], corners: [[30, 14], [62, 14], [58, 86], [36, 86]] },
  { colour: [160, 172, 190], corners: [[24, 10], [31, 10], [37, 90], [31, 90]] },
  { colour: [255, 140, 66], corners: [[60, 46], [82, 34], [86, 40], [80, 64], [59, 72]] },
];
const BACKGROUND: Colour = [18, 52, 86];

/** Returns rows of RGBA samples. Each row starts with a byte that names its PNG filter. */
function drawIcon(size: number): Uint8Array<ArrayBuffer> {
  const stride = 1 + size * 4;
  const rows = new Uint8Array(size * stride);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const sum = [0, 0, 0];
      for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
        const coordinate = (cell: number, part: number): number =>
          100 * (cell + (part + 0.5) / SAMPLES) / size;
        const point = [
          coordinate(x, sample % SAMPLES),
          coordinate(y, Math.floor(sample / SAMPLES)),
        ] as const;
        colourAt(point).forEach((value, part) => sum[part] = (sum[part] ?? 0) + value);
      }
      const mixed = sum.map((value) => Math.round(value / SAMPLES ** 2));
      rows.set([...mixed, 255], y * stride + 1 + x * 4);
    }
  }
  return rows;
}

function colourAt(point: Point): Colour {
  return SHAPES.findLast(({ corners }) => containsPoint(corners, point))?.colour ?? BACKGROUND;
}

/** A point is inside a polygon if a ray from it crosses the edges an odd number of times. */
function containsPoint(corners: readonly Point[], [x, y]: Point): boolean {
  let isInside = false;
  for (const [index, [toX, toY]] of corners.entries()) {
    const [fromX, fromY] = corners.at(index - 1) ?? [toX, toY];
    if (toY > y === fromY > y) continue;
    if (x < (fromX - toX) * (y - toY) / (fromY - toY) + toX) isInside = !isInside;
  }
  return isInside;
}

if (import.meta.main) {
  Deno.writeFileSync(
    OUTPUT,
    await encodePng(drawIcon(SIZE), { width: SIZE, height: SIZE, depth: 8, colourType: 6 }),
  );
}
