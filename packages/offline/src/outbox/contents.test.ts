import { IDBFactory } from 'fake-indexeddb'
import { expect, test, vi } from 'vitest'
import { createContents } from './contents.ts'
import { createEntryStore } from './entryStore.ts'
import { maxAgeMs, maxBytes, maxEntries } from './limits.ts'
import { outboxState } from './outboxState.ts'
import { newEntry } from './testing/entries.ts'

function create() {
  const factory = new IDBFactory()
  const store = createEntryStore('', () => factory)
  const clock = { nowMs: 0, owner: 'user ada' as string | null }
  const { owner, now } = { owner: () => clock.owner, now: () => clock.nowMs }
  return { store, clock, contents: createContents({ store, owner, now, onOtherTab() {} }) }
}

const ofAda = newEntry({ owner: 'user ada' })
const signIn = { kind: 'sign-in', message: 'Sign in.' } as const

test('users see their own entries only', async () => {
  const { contents, clock } = create()
  await contents.add(ofAda)
  expect(await contents.show()).toHaveLength(1)
  for (const owner of ['user bob', null]) {
    clock.owner = owner
    expect(await contents.show()).toEqual([])
    expect(outboxState.get()).toEqual([])
  }
})

test('an entry that code awaits is hidden unless it needs attention', async () => {
  const { contents } = create()
  await contents.add({ ...ofAda, awaitedUntilMs: 1 })
  const state = { kind: 'needs-attention', problem: signIn } as const
  await contents.add({ ...ofAda, awaitedUntilMs: 1, state })
  await contents.show()
  expect(outboxState.get().map(({ state }) => state)).toEqual(['needs-attention'])
})

test('a user’s outbox is limited in entries and in bytes', async () => {
  const { contents, store } = create()
  await store.add(newEntry({ owner: 'user ada', bytes: maxBytes - 5 }))
  expect(await contents.add(ofAda)).toBe('full')
  await store.remove(1)
  for (let at = 0; at < maxEntries; at++) expect(await contents.add(ofAda)).toBe(at + 2)
  expect(await contents.add(ofAda)).toBe('full')
})

test('entries of other users take no room from a user until the browser is full', async () => {
  const { contents, store } = create()
  for (const owner of ['user bob', 'user eve']) {
    await store.add(newEntry({ owner, bytes: maxBytes - 4 }))
    expect(await contents.add(ofAda)).toBe(owner === 'user bob' ? 2 : 'full')
  }
})

test('a full browser deletes the oldest entry of another user once it is too old to be sent', async () => {
  const { contents, store, clock } = create()
  const [first, second] = ['user bob', 'user eve'].map((owner, at) =>
    newEntry({ owner, madeAtMs: at, bytes: maxBytes }),
  )
  for (const entry of [first, second]) if (entry) await store.add(entry)
  clock.nowMs = maxAgeMs
  expect(await contents.add(ofAda)).toBe('full')
  clock.nowMs = maxAgeMs + 2
  expect(await contents.add(ofAda)).toBe(3)
  expect((await store.list()).map(({ id }) => id)).toEqual([2, 3])
})

test('old entries of the user are never deleted', async () => {
  const { contents, clock } = create()
  await contents.add({ ...ofAda, bytes: maxBytes })
  clock.nowMs = maxAgeMs * 9
  expect(await contents.add(ofAda)).toBe('full')
})

test('an entry that is too old is kept, but not sent automatically', async () => {
  const { contents, clock } = create()
  await contents.add(ofAda)
  clock.nowMs = maxAgeMs
  expect((await contents.list())[0]?.state.kind).toBe('waiting')
  clock.nowMs = maxAgeMs + 1
  expect((await contents.list())[0]?.state).toMatchObject({ problem: { kind: 'too-old' } })
})

test('a sign-in resends only the entries that wait for one', async () => {
  const { contents } = create()
  const refused = { kind: 'refused', status: 403, message: 'No.' } as const
  for (const problem of [signIn, refused]) {
    await contents.add({ ...ofAda, state: { kind: 'needs-attention', problem } })
  }
  await contents.revive()
  const kinds = (await contents.list()).map(({ state }) => state.kind)
  expect(kinds).toEqual(['waiting', 'needs-attention'])
})

test('anonymous entries follow the mark of their session', async () => {
  const { contents, clock } = create()
  await contents.add(newEntry({ owner: 'session 1' }))
  await contents.add(ofAda)
  await contents.move('session 1', 'session 2')
  clock.owner = 'session 2'
  expect(await contents.list()).toHaveLength(1)
})

test('an empty outbox that stays empty renders nothing', async () => {
  const { contents, store } = create()
  const heard = vi.fn()
  const stop = outboxState.subscribe(heard)
  await contents.show()
  const before = outboxState.get()
  heard.mockClear()
  await contents.show()
  expect(heard).not.toHaveBeenCalled()
  expect(outboxState.get()).toBe(before)
  await store.add(ofAda)
  await contents.show()
  expect(heard).toHaveBeenCalledOnce()
  stop()
})
