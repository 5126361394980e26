import { IDBFactory } from 'fake-indexeddb'
import { expect, test, vi } from 'vitest'
import type { StoredResponse } from '../outbox/entry.ts'
import { createEntryStore } from '../outbox/entryStore.ts'
import { maxAgeMs } from '../outbox/limits.ts'
import { newEntry } from '../outbox/testing/entries.ts'
import { sendFromWorker, type WorkerOutbox } from './sendFromWorker.ts'

const response: StoredResponse = { body: new Uint8Array([1]), changed: null }

/** Creates the outbox of a signed-in user who has no page open. */
function create(overrides: Partial<WorkerOutbox> = {}) {
  const factory = new IDBFactory()
  const store = createEntryStore('', () => factory)
  const sent: string[] = []
  const outbox: WorkerOutbox = {
    store,
    now: () => 0,
    wakePage: async () => false,
    fetchUser: async () => ({ owner: 'user ada', build: 'A' }),
    async send({ key }) {
      sent.push(key)
      return response
    },
    ...overrides,
  }
  return {
    outbox,
    store,
    sent,
    add: (fields = {}) => store.add(newEntry({ owner: 'user ada', ...fields })),
  }
}

test('sends in order and stores the responses for a page, so that nothing is sent again', async () => {
  const { outbox, store, sent, add } = create()
  for (const key of ['a', 'b']) await add({ key })
  await sendFromWorker(outbox)
  await sendFromWorker(outbox)
  expect(sent).toEqual(['a', 'b'])
  expect(await store.list()).toMatchObject([
    { key: 'a', received: response, timesSent: 1, state: { kind: 'waiting' } },
    { key: 'b', received: response, timesSent: 1, state: { kind: 'waiting' } },
  ])
})

test('sends no entry of another user, and nothing if the user is unknown', async () => {
  const { outbox, sent, add } = create()
  for (const owner of ['user bob', 'session 1', null]) await add({ owner })
  await sendFromWorker(outbox)
  await add()
  await sendFromWorker({ ...outbox, fetchUser: async () => null })
  expect(sent).toEqual([])
})

test('leaves entries to a page that are from another build, too old or need attention', async () => {
  const { outbox, sent, add } = create()
  await add({ key: 'other build', build: 'B' })
  await add({ key: 'old', madeAtMs: -maxAgeMs - 1 })
  const problem = { kind: 'edited', message: '' } as const
  await add({ key: 'problem', state: { kind: 'needs-attention', problem } })
  await add({ key: 'own build', build: 'A' })
  await sendFromWorker(outbox)
  expect(sent).toEqual(['own build'])
})

test('only wakes a page that is open, and asks to be called again', async () => {
  const wakePage = vi.fn(async () => true)
  const { outbox, sent, add } = create({ wakePage })
  await sendFromWorker(outbox)
  expect(wakePage).not.toHaveBeenCalled()
  await add()
  await expect(sendFromWorker(outbox)).rejects.toThrow()
  expect(wakePage).toHaveBeenCalledOnce()
  expect(sent).toEqual([])
})

test('stops when a page is opened meanwhile', async () => {
  const { outbox, sent, add } = create({ wakePage: async () => sent.length > 0 })
  for (const key of ['a', 'b']) await add({ key })
  await expect(sendFromWorker(outbox)).rejects.toThrow()
  expect(sent).toEqual(['a'])
})

test.each([
  ['no complete response', async () => null],
  ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
])(
  '%s: the entry keeps its key, later entries wait, and the worker is called again',
  async (_, send) => {
    const { outbox, store, add } = create({ send })
    for (const key of ['a', 'b']) await add({ key })
    await expect(sendFromWorker(outbox)).rejects.toThrow()
    expect(await store.list()).toMatchObject([
      { key: 'a', tries: 1, timesSent: 1, received: null },
      { key: 'b', tries: 0, timesSent: 0 },
    ])
  },
)

test('fetches the user again after some seconds, and when a response has changed the session', async () => {
  let nowMs = 0
  const fetchUser = vi.fn(async () => ({
    owner: nowMs < 6000 ? 'user ada' : 'user bob',
    build: 'A',
  }))
  const { outbox, sent, add } = create({ now: () => nowMs, fetchUser })
  for (const key of ['a', 'b', 'c']) await add({ key })
  const send: WorkerOutbox['send'] = async (entry) => {
    await outbox.send(entry)
    if (entry.key === 'b') nowMs = 6001
    return { ...response, changed: entry.key === 'a' ? 'session' : null }
  }
  await sendFromWorker({ ...outbox, send })
  expect(sent).toEqual(['a', 'b'])
  expect(fetchUser).toHaveBeenCalledTimes(3)
})

test('a call that its page has just begun to send is left for later', async () => {
  const { outbox, sent, add } = create()
  await add({ awaitedUntilMs: 1 })
  await expect(sendFromWorker(outbox)).rejects.toThrow()
  expect(sent).toEqual([])
})
