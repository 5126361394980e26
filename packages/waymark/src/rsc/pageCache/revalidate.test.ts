import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Cache, createCache } from '../../cache/cache.ts'
import { createMemoryDriver } from '../../cache/memoryCacheDriver.ts'
import { setAppCache } from '../request/appCache.ts'
import { revalidatePath, revalidateTag, updateTag } from './revalidate.ts'

describe('outside of a request', () => {
  afterEach(() => setAppCache(null))

  test.each([
    ['revalidateTag', () => revalidateTag('news'), ['news'], 'stale'],
    ['updateTag', () => updateTag('news'), ['news'], 'expired'],
    [
      'revalidatePath',
      () => revalidatePath('/news'),
      [expect.stringContaining('/news')],
      'expired',
    ],
  ] as const)("%s invalidates entries of the app's cache", async (_, invalidate, tags, mode) => {
    const cache = createCache({ memory: createMemoryDriver(), report() {} })
    const invalidated = vi.fn<Cache['invalidate']>(cache.invalidate)
    setAppCache({ ...cache, invalidate: invalidated })
    await invalidate()
    expect(invalidated).toHaveBeenCalledExactlyOnceWith(tags, mode)
  })

  test('throws if there is no app', async () => {
    await expect(revalidateTag('news')).rejects.toThrow('OUTSIDE_REQUEST')
  })
})
