/**
 * Sets a key of a map as its newest, and drops the oldest one past a bound.
 * @returns the key that was dropped
 */
export function setBounded<Key, Value>(
  map: Map<Key, Value>,
  [key, value]: readonly [Key, Value],
  max: number,
): Key | undefined {
  map.delete(key)
  map.set(key, value)
  if (map.size <= max) return undefined
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
  return oldest
}
