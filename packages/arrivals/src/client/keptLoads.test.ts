import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createKeptList } from './keptLoads.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** @param seen what a tab sees of the items, where others have written meanwhile */
function storageOf(items: Record<string, string> = {}, seen = items): Storage {
  const methods = {
    getItem: (key: string) => seen[key] ?? null,
    setItem: (key: string, value: string) => Object.assign(items, { [key]: value }),
    removeItem: (key: string) => delete items[key],
  }
  return new Proxy(seen, { get: (_, name) => Reflect.get(methods, name) }) as unknown as Storage
}

function listIn(storage: Storage) {
  const list = createKeptList<number>(() => storage, 'a:')
  const keep = (item: number) => {
    list.keep(item)
    vi.advanceTimersByTime(1)
  }
  return { keep, take: list.take }
}

test('what is kept is taken once, the oldest first', () => {
  const list = listIn(storageOf())
  for (const item of [1, 2]) list.keep(item)
  expect([list.take(), list.take(), list.take()]).toEqual([1, 2, undefined])
})

test('a tab that does not see yet what another one has kept loses none of it', () => {
  const items = {}
  const all = listIn(storageOf(items))
  all.keep(1)
  const late = listIn(storageOf(items, { ...items }))
  all.keep(2)
  expect(late.take()).toBe(1)
  late.keep(3)
  expect([all.take(), all.take(), all.take()]).toEqual([2, 3, undefined])
})

test('others with another prefix are left alone', () => {
  const storage = storageOf({ 'a-early:1': '1', b: '2' })
  expect(listIn(storage).take()).toBeUndefined()
  expect(Object.keys(storage)).toEqual(['a-early:1', 'b'])
})

test('of many, twenty are kept', () => {
  const storage = storageOf()
  const list = listIn(storage)
  for (let at = 0; at < 1000; at++) list.keep(at)
  expect(Object.keys(storage)).toHaveLength(20)
  expect(list.take()).toBe(0)
})

test.each(['{', 'null', ''])('what other code has written is nothing: %s', (text) => {
  const list = listIn(storageOf({ 'a:0': text }))
  list.keep(1)
  expect([list.take() ?? undefined, list.take()]).toEqual([undefined, 1])
})

test('without storage, nothing is kept and nothing thrown', () => {
  const list = createKeptList<number>(() => {
    throw new Error('not allowed')
  }, 'a:')
  list.keep(1)
  expect(list.take()).toBeUndefined()
})
