export function pushNewest<T>(list: T[], item: T, most: number): void {
  list.push(item);
  if (list.length > most) list.shift();
}

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
