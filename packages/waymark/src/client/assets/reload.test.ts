import { expect, test } from 'vitest'
import { mayReload } from './reload.ts'

function createStorage(): Storage {
  const stored = new Map<string, string>()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
  // The two methods that are used.
  return storage as Storage
}

test('a document is loaded again once for each reason', () => {
  const storage = createStorage()
  const may = (reason: string) => mayReload(reason, () => storage)
  expect([may('b'), may('b'), may('c'), may('b')]).toEqual([true, false, true, false])
})

test('without storage, it is not loaded again', () => {
  const blocked = () => {
    throw new DOMException('', 'SecurityError')
  }
  expect(mayReload('b', blocked)).toBe(false)
})
