export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** Computes a value for each object only once, as long as the object is in memory. */
export function memoized<Key extends object, Value>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const values = new WeakMap<Key, Value>()
  return (key) => {
    if (!values.has(key)) values.set(key, compute(key))
    return values.get(key) as Value
  }
}

/**
 * Sets an entry and makes it the newest. Above `max` entries, the oldest one is deleted.
 * @returns the deleted key
 */
export function setBounded<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  max: number,
): Key | undefined {
  map.delete(key)
  map.set(key, value)
  if (map.size <= max) return undefined
  const oldest = map.keys().next().value as Key
  map.delete(oldest)
  return oldest
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
