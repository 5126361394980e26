import { describe, expect, test } from 'vitest'
import {
  cacheDriverSuite,
  entryOf,
  entryText,
} from '../../../testing/src/drivers/cacheDriverSuite.ts'
import type { CacheDriver } from './cacheDriver.ts'
import { createMemoryDriver } from './memoryCacheDriver.ts'

describe('the memory driver', () =>
  cacheDriverSuite(() => createMemoryDriver() as CacheDriver, { test, expect }))

describe('the full memory driver', () => {
  test('removes the least recently used entries', () => {
    const driver = createMemoryDriver({ maxBytes: 5_100 })
    for (const key of 'abcdefghij') driver.set(key, entryOf(key))
    driver.get('a')
    driver.set('k', entryOf('k'))
    expect(entryText(driver.get('a'))).toBe('a')
    expect(driver.get('b')).toBeNull()
    expect(driver.size().bytes).toBeLessThanOrEqual(5_100)
  })

  test('stays within its limit with a million keys', () => {
    const driver = createMemoryDriver({ maxBytes: 2 ** 20 })
    const entry = entryOf('x'.repeat(100))
    for (let at = 0; at < 1_000_000; at++) driver.set(`?q=${at}`, entry)
    expect(driver.size().bytes).toBeLessThanOrEqual(2 ** 20)
    expect(driver.size().count).toBeGreaterThan(1_000)
    expect(driver.get('?q=999999')).not.toBeNull()
  })

  test('keeps entries that are read during a flood of unread ones', () => {
    const driver = createMemoryDriver({ maxBytes: 2 ** 20 })
    driver.set('read', entryOf('r'))
    for (let at = 0; at < 20_000; at++) {
      driver.set(`?q=${at}`, entryOf('x'))
      if (at % 500 === 0) driver.get('read')
    }
    expect(entryText(driver.get('read'))).toBe('r')
  })

  test('stores a new entry even if all others were read', () => {
    const driver = createMemoryDriver({ maxBytes: 5_100 })
    for (const key of 'abcdefghi') driver.set(key, entryOf(key))
    for (const key of 'abcdefghi') driver.get(key)
    driver.set('j', entryOf('j'))
    expect(entryText(driver.get('j'))).toBe('j')
  })

  test('does not remove everything for one large value', () => {
    const driver = createMemoryDriver({ maxBytes: 80_000 })
    driver.set('small', entryOf('s'))
    driver.set('large', entryOf('x'.repeat(20_000)))
    expect(driver.get('large')).toBeNull()
    expect(driver.get('small')).not.toBeNull()
  })

  test('forgets old tags and then treats older entries as invalidated', () => {
    const driver = createMemoryDriver({ maxTags: 10 })
    driver.set('old', entryOf('old', { tags: ['mine'] }))
    for (let at = 0; at < 11; at++) driver.invalidate([`tag ${at}`], 'stale')
    expect(driver.get('old')).toMatchObject({ revalidateAtMs: 0 })
    driver.set('new', entryOf('new', { tags: ['mine'], position: driver.position() }))
    expect(driver.get('new')).toMatchObject({ revalidateAtMs: null })
  })
})
