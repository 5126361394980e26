import { describe, expect, test } from 'vitest'
import {
  alikeAt,
  digestAt,
  entryAt,
  journalDriverSuite,
} from '../../../testing/src/drivers/journalDriverSuite.ts'
import { createMemoryJournal } from './storedJournal.ts'

describe('a journal in memory', () =>
  journalDriverSuite(() => createMemoryJournal(), { test, expect }))

test('the oldest records are dropped beyond the maximum number', async () => {
  const driver = createMemoryJournal({ maxRecords: 3 })
  for (let at = 0; at < 10; at++) driver.write(entryAt(at))
  expect((await driver.list()).map(({ digest }) => digest)).toEqual([9, 8, 7].map(digestAt))
})

test('the oldest records are dropped beyond the maximum size', async () => {
  const driver = createMemoryJournal({ maxLength: 20_000 })
  for (let at = 0; at < 10; at++) driver.write(entryAt(at, { message: 'x'.repeat(4_000) }))
  const listed = await driver.list()
  expect(listed.length).toBeGreaterThan(0)
  expect(listed.length).toBeLessThan(5)
  expect(listed[0]?.digest).toBe(digestAt(9))
})

test('browser reports do not displace records of the server', async () => {
  const driver = createMemoryJournal({ maxRecords: 10 })
  for (let at = 0; at < 10; at++) driver.write(entryAt(at))
  for (let at = 10; at < 20; at++) driver.write(entryAt(at, { phase: 'browser' }))
  for (let at = 20; at < 30; at++) driver.write(alikeAt(at, 1))
  expect(await driver.list({ phase: 'document' })).toHaveLength(10)
  expect(await driver.find(digestAt(29))).toMatchObject({ kind: 'alike' })
  expect(await driver.find(digestAt(19))).toBeNull()
})

test('a record beyond the total size displaces nothing', async () => {
  const driver = createMemoryJournal({ maxLength: 20_000 })
  driver.write(entryAt(1))
  driver.write(entryAt(2, { message: 'x'.repeat(30_000) }))
  expect((await driver.list()).map(({ digest }) => digest)).toEqual([digestAt(1)])
})
