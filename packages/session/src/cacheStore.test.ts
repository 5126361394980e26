import { describe, expect, onTestFinished } from 'vitest'
import { createFilesDriver } from '../../waymark/src/cache/files/fileCacheDriver.ts'
import { createMemoryDriver } from '../../waymark/src/cache/memoryCacheDriver.ts'
import { temporaryFolder } from '../../waymark/src/shared/testing/temporaryFolder.ts'
import { createCacheStore } from './cacheStore.ts'
import { sessionStoreSuite } from './testing/sessionStoreSuite.ts'

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
