import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { flushWithinMs, withJournalDeadlines } from './journalDeadlines.ts'
import type { JournalDriver } from './journalDriver.ts'
import { createMemoryJournal } from './storedJournal.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function create(methods: Partial<JournalDriver>) {
  const log = vi.fn<(line: string) => void>()
  return { log, journal: withJournalDeadlines({ ...createMemoryJournal(), ...methods }, log) }
}

const never = () => new Promise<never>(() => {})
const refuse = async (): Promise<never> => {
  throw new Error('down')
}
const throwAtOnce = (): never => {
  throw new Error('down')
}

const record = { kind: 'counts', name: 'loads', fromMs: 0, toMs: 1, data: null } as const

test.each([
  ['hangs', never],
  ['rejects', refuse],
  ['throws', throwAtOnce],
])('a journal that %s does not prevent a process from ending', async (_, fail) => {
  const { journal, log } = create({ flush: fail, close: fail })
  const settled = Promise.all([journal.flush(), journal.close()])
  await vi.advanceTimersByTimeAsync(flushWithinMs)
  expect(await settled).toEqual([undefined, undefined])
  expect(log.mock.calls).toEqual([
    [expect.stringContaining('failed in flush()')],
    [expect.stringContaining('failed in close()')],
  ])
})

test('a record that the driver refuses is lost, which is logged once', () => {
  const { journal, log } = create({ write: throwAtOnce })
  journal.write(record)
  journal.write(record)
  expect(log.mock.calls).toEqual([['The journal driver failed in write(): down']])
})

test('a reader gets the rejection', async () => {
  await expect(create({ find: throwAtOnce }).journal.find('digest')).rejects.toThrow('down')
})

test('a journal that works stores and returns records', async () => {
  const { journal, log } = create({})
  journal.write(record)
  await journal.flush()
  expect(await journal.counts({ name: 'loads' })).toEqual([record])
  await journal.close()
  expect(log).not.toHaveBeenCalled()
})
