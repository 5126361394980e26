/**
 * Sets an entry as the newest. Beyond `max` entries the oldest is deleted.
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
