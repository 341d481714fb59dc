/** Lists and maps that keep only their newest items. */

/** Appends an item to a list, and removes the oldest if the list has more than `most`. */
export function pushNewest<T>(list: T[], item: T, most: number): void {
  list.push(item);
  if (list.length > most) list.shift();
}

/** Sets a key as the newest of a map, and removes the oldest if the map has more than `most`. */
export function setNewest<Key, Value>(
  known: Map<Key, Value>,
  key: Key,
  value: Value,
  most: number,
): void {
  known.delete(key);
  known.set(key, value);
  if (known.size <= most) return;
  for (const oldest of known.keys()) {
    known.delete(oldest);
    return;
  }
}
