import { expect, test } from 'vitest'
import { checkBuild, mayReloadFor, OtherBuild } from './otherBuild.ts'

test.each([
  ['b', 'a', true],
  ['a', 'a', false],
  [null, 'a', false],
  ['a', null, false],
  [null, null, false],
])('data of %s in a document of %s is refused: %s', (answered, own, isRefused) => {
  const check = () => checkBuild(answered, own)
  if (isRefused) expect(check).toThrow(OtherBuild)
  else expect(check).not.toThrow()
})

function createStorage(): Storage {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  // The two methods that are used.
  return storage as Storage
}

test('a document is loaded again once for each build', () => {
  const storage = createStorage()
  const may = (build: string) => mayReloadFor(build, () => storage)
  expect([may('b'), may('b'), may('c'), may('b')]).toEqual([true, false, true, false])
})

test('without storage, it is not loaded again', () => {
  const blocked = () => {
    throw new DOMException('', 'SecurityError')
  }
  expect(mayReloadFor('b', blocked)).toBe(false)
})
