import { describe, expect, onTestFinished, test } from 'vitest'
import { createFilesDriver } from '../../waymark/src/cache/files/fileCacheDriver.ts'
import { createMemoryDriver } from '../../waymark/src/cache/memoryCacheDriver.ts'
import { temporaryFolder } from '../../waymark/src/shared/testing/temporaryFolder.ts'
import { createCacheStore } from './cacheStore.ts'
import { rowOf, sessionStoreSuite } from './testing/sessionStoreSuite.ts'

describe('in memory', () => {
  sessionStoreSuite(async () => {
    const driver = createMemoryDriver()
    return [createCacheStore(() => driver), createCacheStore(() => driver)]
  })
})

describe('in files, with two processes', () => {
  sessionStoreSuite(async () => {
    const folder = temporaryFolder()
    const drivers = [await createFilesDriver({ folder }), await createFilesDriver({ folder })]
    onTestFinished(async () => {
      await Promise.all(drivers.map((driver) => driver.close()))
    })
    const [one, two] = drivers.map((driver) => createCacheStore(() => driver))
    if (!one || !two) throw expect.unreachable()
    return [one, two]
  })
})

describe('a cache that loses entries', () => {
  test('never has a session that nobody can end', async () => {
    const driver = createMemoryDriver()
    const store = createCacheStore(() => driver)
    await store.insert(rowOf('a'))
    for (const { key } of driver.list()) if (key.includes('-user:')) driver.delete(key)
    await store.deleteAll('ada', null)
    expect(await store.find('a')).toBeNull()
    expect(await store.replace(rowOf('a', { version: 1 }))).toBe(false)
  })

  test('ends all sessions except one, although it can not be read', async () => {
    const driver = createMemoryDriver()
    const store = createCacheStore(() => driver)
    for (const key of ['a', 'b']) await store.insert(rowOf(key))
    const silent = createCacheStore(() => ({ ...driver, get: () => null }))
    await expect(silent.deleteAll('ada', 'b')).rejects.toThrow('could not be ended')
    expect(await store.find('a')).toBeNull()
    expect(await store.find('b')).not.toBeNull()
  })

  test('refuses to end sessions if it can not store that they have ended', async () => {
    const driver = createMemoryDriver()
    const store = createCacheStore(() => driver)
    await store.insert(rowOf('a'))
    const full = createCacheStore(() => ({ ...driver, set() {}, delete() {} }))
    await expect(full.deleteAll('ada', null)).rejects.toThrow('could not be ended')
  })
})
