import { expect, test } from 'vitest'
import { createStoredList } from './storedList.ts'

function storageOf(items: Map<string, string>): Storage {
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Storage
}

test('a stored item is taken once', () => {
  const storage = storageOf(new Map())
  const list = createStoredList<number>(() => storage, 'a')
  list.keep(1)
  list.keep(2)
  expect([list.take(), list.take(), list.take()]).toEqual([1, 2, undefined])
})

test('the oldest items are dropped', () => {
  const storage = storageOf(new Map())
  const list = createStoredList<number>(() => storage, 'a')
  for (let at = 0; at < 1000; at++) list.keep(at)
  expect(list.take()).toBe(980)
})

test.each(['{', '{"length":3}', 'null', '1'])(
  'what other code has written is nothing: %s',
  (text) => {
    const storage = storageOf(new Map([['a', text]]))
    const list = createStoredList<number>(() => storage, 'a')
    expect(list.take()).toBeUndefined()
    list.keep(1)
    expect(list.take()).toBe(1)
  },
)

test('without storage, nothing is stored and nothing throws', () => {
  const list = createStoredList<number>(() => {
    throw new Error('not allowed')
  }, 'a')
  list.keep(1)
  expect(list.take()).toBeUndefined()
})
