import { expect, test } from 'vitest'
import { mayReload } from './reload.ts'

function createStorage(): Storage {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
  // The tested code uses only `getItem` and `setItem`.
  return storage as Storage
}

test('allows one reload for each reason', () => {
  const storage = createStorage()
  const may = (reason: string) => mayReload(reason, () => storage)
  expect([may('b'), may('b'), may('c'), may('b')]).toEqual([true, false, true, false])
})

test('allows no reload without storage', () => {
  const blocked = () => {
    throw new DOMException('', 'SecurityError')
  }
  expect(mayReload('b', blocked)).toBe(false)
})
