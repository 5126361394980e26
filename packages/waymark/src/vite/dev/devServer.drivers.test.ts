import { expect, test, vi } from 'vitest'
import { createMemoryDriver } from '../../cache/memoryCacheDriver.ts'
import { createMemoryJournal } from '../../journal/storedJournal.ts'
import type { ServerStores } from '../../node/openDrivers.ts'
import { createDriverOpener } from './devServer.ts'

test("after a failure, the next request opens the app's drivers again", async () => {
  const cache = createMemoryDriver()
  const journal = createMemoryJournal()
  const unreachable = new Error('The store is unreachable.')
  const openJournal = vi.fn(async () => journal).mockRejectedValueOnce(unreachable)
  const openCache = vi.fn(async () => cache).mockRejectedValueOnce(unreachable)
  const entry: ServerStores = {
    openCache,
    openJournal,
    attachCache: vi.fn(),
    attachJournal: vi.fn(),
    closeCache: async () => {},
    closeJournal: async () => {},
  }
  const stored = { attach: vi.fn() }
  const packages = { stores: {}, operations: null, isBuilt: false }
  const location = { env: {}, log: () => {}, folder: '', packages }
  const attach = createDriverOpener(stored, location)
  await expect(attach(entry)).rejects.toBe(unreachable)
  await expect(attach(entry)).rejects.toBe(unreachable)
  await attach(entry)
  await attach(entry)
  expect(stored.attach.mock.calls).toEqual([[journal]])
  expect(entry.attachCache).toHaveBeenCalledWith(cache)
  expect([openJournal.mock.calls.length, openCache.mock.calls.length]).toEqual([2, 2])
})
