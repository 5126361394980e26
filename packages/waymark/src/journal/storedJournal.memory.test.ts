import { describe, expect, test } from 'vitest'
import {
  digestAt,
  entryAt,
  journalDriverSuite,
} from '../../../testing/src/drivers/journalDriverSuite.ts'
import { createMemoryJournal } from './storedJournal.ts'

describe('a journal in memory', () =>
  journalDriverSuite(() => createMemoryJournal(), { test, expect }))

test('the oldest records make room, by number', async () => {
  const driver = createMemoryJournal({ maxRecords: 3 })
  for (let at = 0; at < 10; at++) driver.write(entryAt(at))
  expect((await driver.list()).map(({ digest }) => digest)).toEqual([9, 8, 7].map(digestAt))
})

test('the oldest records make room, by size', async () => {
  const driver = createMemoryJournal({ maxLength: 20_000 })
  for (let at = 0; at < 10; at++) driver.write(entryAt(at, { message: 'x'.repeat(4_000) }))
  const listed = await driver.list()
  expect(listed.length).toBeGreaterThan(0)
  expect(listed.length).toBeLessThan(5)
  expect(listed[0]?.digest).toBe(digestAt(9))
})
