import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  digestAt,
  entryAt,
  journalDriverSuite,
  startMs,
} from '../../testing/src/drivers/journalDriverSuite.ts'
import { createStateClient } from './stateClient.ts'
import { createStateJournal, type StateJournalOptions } from './stateJournal.ts'
import { type StateServer, startStateServer } from './testing/stateServer.ts'

let server: StateServer
beforeAll(async () => {
  server = await startStateServer()
})
afterAll(() => server.stop())

function open(options: Partial<StateJournalOptions> & { readonly name?: string } = {}) {
  const { name = randomUUID(), ...others } = options
  const call = createStateClient(server.namespace(name))
  return createStateJournal({ call, now: () => startMs, ...others })
}

describe('a journal in a Durable Object', () => journalDriverSuite(() => open(), { test, expect }))

test('all isolates share the journal', async () => {
  const name = randomUUID()
  const one = open({ name })
  const two = open({ name })
  one.write(entryAt(1))
  await one.flush()
  expect(await two.find(digestAt(1))).toMatchObject({ kind: 'whole' })
})

test('the worker is kept running until a line is stored', async () => {
  const kept: Promise<unknown>[] = []
  const journal = open({ keepAlive: (work) => kept.push(work) })
  journal.write(entryAt(1))
  expect(kept).toHaveLength(1)
  await Promise.all(kept)
  expect(await journal.list()).toHaveLength(1)
})

test('the oldest records are deleted, and those of strangers fill only half of the space', async () => {
  const journal = open({ maxRecords: 10 })
  for (let at = 0; at < 5; at++) journal.write(entryAt(at))
  await journal.flush()
  for (let at = 100; at < 150; at++) journal.write(entryAt(at, { phase: 'browser' }))
  await journal.flush()
  const phases = (await journal.list()).map(({ phase }) => phase)
  expect(phases.filter((phase) => phase === 'browser')).toHaveLength(5)
  expect(phases.filter((phase) => phase === 'document')).toHaveLength(5)
  for (let at = 200; at < 220; at++) journal.write(entryAt(at))
  await journal.flush()
  expect((await journal.list({ limit: 100 })).length).toBeLessThanOrEqual(10)
  expect((await journal.list())[0]).toMatchObject({ message: 'error 219' })
})

test('lines wait in memory while the Durable Object is unavailable', async () => {
  const lines: string[] = []
  let isBroken = true
  const working = createStateClient(server.namespace(randomUUID()))
  const journal = createStateJournal({
    call: (name, input) => (isBroken ? Promise.reject(new Error('gone')) : working(name, input)),
    log: (line) => lines.push(line),
    now: () => startMs,
  })
  journal.write(entryAt(1))
  await journal.flush()
  isBroken = false
  journal.write(entryAt(2))
  await journal.flush()
  expect(await journal.list()).toHaveLength(2)
  expect(lines).toEqual([expect.stringContaining('gone'), expect.stringContaining('again')])
})
