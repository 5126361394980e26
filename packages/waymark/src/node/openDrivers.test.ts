import { expect, test } from 'vitest'
import { createMemoryDriver } from '../cache/memoryCacheDriver.ts'
import { createMemoryJournal } from '../journal/storedJournal.ts'
import { temporaryFolder } from '../shared/testing/temporaryFolder.ts'
import { namesSharedCache, openCacheDriver, openJournalDriver } from './openDrivers.ts'
import type { RuntimePackages } from './runtimePackages.ts'
import { unsetStoreVariables } from './storePackages.ts'

const none: RuntimePackages = { stores: {}, operations: null, isBuilt: false }
const log = () => {}

test('a variable selects the store of the package that defines it', async () => {
  const cache = createMemoryDriver()
  const journal = createMemoryJournal()
  const store = { openCache: async () => cache, openJournal: async () => journal }
  const load = async () => store
  const packages = { ...none, stores: { BLUE_URL: load } }
  const location = { env: { BLUE_URL: 'blue://a' }, packages, folder: temporaryFolder(), log }
  expect(await openCacheDriver(location)).toBe(cache)
  expect(await openJournalDriver(location)).toBe(journal)
  expect(namesSharedCache(location.env, packages)).toBe(true)
  expect(namesSharedCache({ BLUE_URL: ' ' }, packages)).toBe(false)
})

test('a store that is set to none is not opened, and not missing', async () => {
  const load = async () => Promise.reject(new Error('must not be opened'))
  const packages = { ...none, stores: { BLUE_URL: load } }
  const env = { BLUE_URL: 'none' }
  await openCacheDriver({ env, packages, folder: temporaryFolder(), log })
  expect(namesSharedCache(env, packages)).toBe(false)
  expect(unsetStoreVariables(env, packages)).toEqual([])
  expect(unsetStoreVariables({}, packages)).toEqual(['BLUE_URL'])
  expect(unsetStoreVariables({}, none)).toEqual([])
})

const listing =
  "WAYMARK_REDIS_URL needs the package @waymark/redis. Run npm install @waymark/redis, and add to vite.config.ts: import { redis } from '@waymark/redis/vite', then plugins: [waymark(), redis()]."

test.each([
  [false, `${listing} (PACKAGE_NOT_LISTED)`],
  [true, `${listing} Then build the app again. (PACKAGE_NOT_LISTED)`],
])('a variable of an unlisted package is an error, in a build: %s', async (isBuilt, text) => {
  const env = { WAYMARK_REDIS_URL: 'redis://a' }
  const packages = { ...none, isBuilt }
  const opening = openCacheDriver({ env, packages, folder: temporaryFolder(), log })
  await expect(opening).rejects.toThrow(text)
})
