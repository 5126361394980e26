import { expect, test } from 'vitest'
import { heldLocks, isAwaitedInOtherDocument } from './senderLock.ts'

const locksOf = (...names: string[]): Pick<LockManager, 'query'> => ({
  query: async () => ({ held: names.map((name) => ({ name })), pending: [] }),
})

const entry = { awaitedUntilMs: 4000, senderLock: 'tab 1' }

test('an entry is awaited while its document is open, up to the limit', async () => {
  expect(isAwaitedInOtherDocument(entry, await heldLocks(locksOf('tab 1', 'tab 2')), 0)).toBe(true)
  expect(isAwaitedInOtherDocument(entry, await heldLocks(locksOf('tab 1')), 4000)).toBe(false)
})

test('an entry whose document was closed is free at once', async () => {
  expect(isAwaitedInOtherDocument(entry, await heldLocks(locksOf('tab 2')), 0)).toBe(false)
})

test('if the open documents are unknown, the limit decides', async () => {
  const failing = { query: () => Promise.reject(new Error('SecurityError')) }
  for (const locks of [undefined, failing]) {
    expect(isAwaitedInOtherDocument(entry, await heldLocks(locks), 0)).toBe(true)
  }
  expect(isAwaitedInOtherDocument({ awaitedUntilMs: 4000 }, await heldLocks(locksOf()), 0)).toBe(
    true,
  )
})
