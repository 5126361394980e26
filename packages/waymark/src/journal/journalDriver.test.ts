import { expect, test } from 'vitest'
import { createAttachableJournal } from './journalDriver.ts'
import { createMemoryJournal } from './memoryJournalDriver.ts'
import { describeDriver } from './testing/driverSuite.ts'
import { digestAt, entryAt } from './testing/records.ts'

describeDriver('a journal without a driver of its own', () =>
  createAttachableJournal(createMemoryJournal()),
)

describeDriver('a journal with another driver', () => {
  const journal = createAttachableJournal(createMemoryJournal())
  journal.attach(createMemoryJournal())
  return journal
})

test('what was written before is handed over, once', async () => {
  const journal = createAttachableJournal(createMemoryJournal())
  journal.write(entryAt(1))
  const driver = createMemoryJournal()
  journal.attach(driver)
  journal.write(entryAt(2))
  expect((await driver.list()).map(({ digest }) => digest)).toEqual([2, 1].map(digestAt))
  expect(await journal.list()).toHaveLength(2)
})
