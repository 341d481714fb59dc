/** Shortens long lists for charts. */

/** Thins out a series but keeps its shape: the highest and the lowest point of each stretch. */
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

/** Keeps the first items of a list that is too long, and joins the rest into one. */
export function joinRest<Item>(
  items: readonly Item[],
  most: number,
  join: (rest: readonly Item[]) => Item,
): readonly Item[] {
  return items.length <= most ? items : [...items.slice(0, most - 1), join(items.slice(most - 1))];
}
