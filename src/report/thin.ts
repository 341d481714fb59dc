/** Shortens long lists for charts. */

/** Keeps the lowest and the highest point of each stretch, so that a chart keeps its shape. */
export function thinOut<Point>(
  points: readonly Point[],
  most: number,
  valueOf: (point: Point) => number,
): Point[] {
  if (points.length <= most) return [...points];
  const values = points.map(valueOf);
  const stretches = Math.floor((most - 2) / 2);
  const kept = new Set<number>([0, points.length - 1]);
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * points.length) / stretches);
    const to = Math.floor(((stretch + 1) * points.length) / stretches);
    const own = values.slice(from, to);
    kept.add(from + own.indexOf(Math.min(...own))).add(from + own.indexOf(Math.max(...own)));
  }
  return points.filter((_, index) => kept.has(index));
}

/** Limits a list to `most` items by joining the last ones. */
export function joinRest<Item>(
  items: readonly Item[],
  most: number,
  join: (rest: readonly Item[]) => Item,
): readonly Item[] {
  return items.length <= most ? items : [...items.slice(0, most - 1), join(items.slice(most - 1))];
}
