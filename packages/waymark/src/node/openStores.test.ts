import { expect, test, vi } from 'vitest'
import { createMemoryDriver } from '../cache/memoryCacheDriver.ts'
import { createMemoryJournal } from '../journal/storedJournal.ts'
import { openStores } from './openStores.ts'

function serverWith(
  hooks: { openCache?: () => Promise<ReturnType<typeof createMemoryDriver>> } = {},
) {
  return {
    openCache: null,
    openJournal: null,
    attachCache: vi.fn(),
    attachJournal: vi.fn(),
    closeCache: async () => {},
    closeJournal: async () => {},
    ...hooks,
  }
}

const cache = createMemoryDriver()
const journal = createMemoryJournal()
const stores = {
  BLUE_URL: async () => ({ openCache: async () => cache, openJournal: async () => journal }),
}
const log = () => {}

test('a variable selects the stores of a listed package', async () => {
  const server = serverWith()
  const flush = vi.spyOn(journal, 'flush')
  const opened = await openStores({ server, stores, env: { BLUE_URL: 'blue://a' }, log })
  expect(server.attachCache).toHaveBeenCalledExactlyOnceWith(cache)
  expect(server.attachJournal).toHaveBeenCalledExactlyOnceWith(journal)
  await opened.flush()
  expect(flush).toHaveBeenCalledOnce()
})

test('after the host has frozen the process, the cache can catch up', async () => {
  const catchUp = vi.fn(async () => {})
  const openCache = async () => ({ ...createMemoryDriver(), catchUp })
  const opened = await openStores({ server: serverWith({ openCache }), env: {}, log })
  await opened.catchUp()
  expect(catchUp).toHaveBeenCalledOnce()
})

const never = () => new Promise<never>(() => {})
const refuse = async (): Promise<never> => {
  throw new Error('down')
}

test.each([
  ['hang', never],
  ['reject', refuse],
])('a host waits only for a limited time for stores that %s', async (_, fail) => {
  vi.useFakeTimers()
  try {
    const log = vi.fn<(line: string) => void>()
    const server = {
      ...serverWith({ openCache: async () => ({ ...createMemoryDriver(), catchUp: fail }) }),
      openJournal: async () => ({ ...createMemoryJournal(), flush: fail }),
    }
    const opened = await openStores({ server, env: {}, log })
    const waits = Promise.all([opened.catchUp(), opened.flush()])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await waits).toEqual([undefined, undefined])
    expect(log).toHaveBeenCalledTimes(2)
  } finally {
    vi.useRealTimers()
  }
})

test('the drivers of server.ts come first', async () => {
  const driver = createMemoryDriver()
  const server = serverWith({ openCache: async () => driver })
  await openStores({ server, stores, env: { BLUE_URL: 'blue://a' }, log })
  expect(server.attachCache).toHaveBeenCalledExactlyOnceWith(driver)
})

test('a listed store without its variable is an error, unless the host has stores of its own', async () => {
  const opening = openStores({ server: serverWith(), stores, env: {}, log })
  await expect(opening).rejects.toThrow("BLUE_URL isn't set")
  const server = serverWith()
  await openStores({ server, stores, env: {}, log, hasHostStores: true })
  expect(server.attachCache).not.toHaveBeenCalled()
})

test('with the value none, the stores stay in memory', async () => {
  const server = serverWith()
  const opened = await openStores({ server, stores, env: { BLUE_URL: 'none' }, log })
  expect(server.attachCache).not.toHaveBeenCalled()
  expect(server.attachJournal).not.toHaveBeenCalled()
  await opened.flush()
})

test('a variable of a package that the app does not list is an error', async () => {
  const opening = openStores({ server: serverWith(), env: { WAYMARK_REDIS_URL: 'redis://a' }, log })
  await expect(opening).rejects.toThrow('WAYMARK_REDIS_URL needs the package @waymark/redis')
})
