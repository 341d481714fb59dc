/** Thins out a long series but keeps its shape: of each stretch the highest and the lowest point. */

export function thinOut<Point>(
  points: readonly Point[],
  most: number,
  valueOf: (point: Point) => number,
): Point[] {
  if (points.length <= most) return [...points];
  const stretches = Math.floor((most - 2) / 2);
  const kept = new Set<number>([0, points.length - 1]);
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * points.length) / stretches);
    const to = Math.floor(((stretch + 1) * points.length) / stretches);
    let low = from;
    let high = from;
    for (let at = from; at < to; at++) {
      const value = valueAt(points, at, valueOf);
      if (value < valueAt(points, low, valueOf)) low = at;
      if (value > valueAt(points, high, valueOf)) high = at;
    }
    kept.add(low).add(high);
  }
  return points.filter((_, index) => kept.has(index));
}

function valueAt<Point>(
  points: readonly Point[],
  index: number,
  valueOf: (point: Point) => number,
): number {
  const point = points[index];
  return point === undefined ? NaN : valueOf(point);
}
