import { describe, expect, test } from 'vitest'
import {
  digestAt,
  entryAt,
  journalDriverSuite,
} from '../../../testing/src/drivers/journalDriverSuite.ts'
import { createAttachableJournal } from './journal.ts'
import { createMemoryJournal } from './storedJournal.ts'

describe('a journal without an attached driver', () =>
  journalDriverSuite(() => createAttachableJournal(createMemoryJournal()), { test, expect }))

describe('a journal with an attached driver', () =>
  journalDriverSuite(
    () => {
      const journal = createAttachableJournal(createMemoryJournal())
      journal.attach(createMemoryJournal())
      return journal
    },
    { test, expect },
  ))

test('earlier records are handed over once', async () => {
  const journal = createAttachableJournal(createMemoryJournal())
  journal.write(entryAt(1))
  const driver = createMemoryJournal()
  journal.attach(driver)
  journal.write(entryAt(2))
  expect((await driver.list()).map(({ digest }) => digest)).toEqual([2, 1].map(digestAt))
  expect(await journal.list()).toHaveLength(2)
})
