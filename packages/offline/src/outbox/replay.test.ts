import { IDBFactory } from 'fake-indexeddb'
import { expect, test, vi } from 'vitest'
import { ActionError } from 'waymark/client'
import type { QueueableActions, ReceivedResponse, ServerCall } from 'waymark/plugin/client'
import { isOpen } from './contents.ts'
import { isInline } from './entry.ts'
import { createEntryStore } from './entryStore.ts'
import { leaseMs, maxTries } from './limits.ts'
import { type ReplayOptions, replay, type Waiter } from './replay.ts'
import { newEntry } from './testing/entries.ts'

type Response = ReceivedResponse['response']
type Sent = { readonly key: string; readonly call: ServerCall }

const failure = (code: 'unanswered' | 'other-credentials') => new ActionError(code, async () => {})

/** Creates an outbox whose server sends these responses one after another, and then succeeds. */
function create(
  responses: readonly (Response | Error)[] = [],
  overrides: Partial<ReplayOptions> = {},
) {
  const left = [...responses]
  const sent: Sent[] = []
  const factory = new IDBFactory()
  const store = createEntryStore('', () => factory)
  const waiters = new Map<number, Waiter>()
  const renew = vi.fn(async () => true)
  const rendered: boolean[] = []
  const send: QueueableActions['send'] = async (call, { again, isQueued, onResponse } = {}) => {
    sent.push({ key: again?.key ?? '', call })
    const response = left.shift() ?? { kind: 'returned', value: 'done' }
    if (response instanceof Error) throw response
    const received = { response, changed: 'data', whole: Promise.resolve() }
    rendered.push(onResponse?.(received as never) ?? Boolean(isQueued))
    return 'value' in response ? response.value : undefined
  }
  const decode: QueueableActions['decode'] = async (body) =>
    JSON.parse(await new Response(body).text())
  const current = () => ({ route: { pathname: '/now', search: '' }, from: '/now' })
  const options: ReplayOptions = {
    host: {
      router: { current, renew, build: 'B' } as never,
      actions: { send, decode } as never,
      startRouter() {},
    },
    store,
    now: () => 0,
    hasLocks: true,
    waiters,
    release: async () => {},
    next: async () => (await store.list()).find(isOpen) ?? null,
    isPageCurrent: async () => true,
    onSettled: async () => {},
    onSession: async () => {},
    ...overrides,
  }
  return { options, store, waiters, sent, rendered, renew }
}

test('waiting entries are sent in order, for the page they were made on, and show no result', async () => {
  const { options, store, sent, rendered, renew } = create()
  for (const key of ['a', 'b', 'c']) {
    const page = { pathname: `/${key}`, search: '?x', from: '/', beside: [] }
    await store.add(newEntry({ key, page }))
  }
  expect(await replay(options)).toBe(true)
  expect(sent.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
  expect(sent[0]?.call.page).toMatchObject({ route: { pathname: '/a', search: '?x' }, from: '/' })
  expect(rendered).toEqual([false, false, false])
  expect(await store.list()).toEqual([])
  // The visible page is fetched only once, after all entries have been sent.
  expect(renew).toHaveBeenCalledOnce()
})

test('an entry without a response keeps its key, and later entries wait', async () => {
  const { options, store, sent } = create([failure('unanswered')])
  await store.add(newEntry({ key: 'a' }))
  await store.add(newEntry({ key: 'b' }))
  expect(await replay(options)).toBe(false)
  expect((await store.list()).map(({ key, state }) => [key, state.kind])).toEqual([
    ['a', 'waiting'],
    ['b', 'waiting'],
  ])
  expect(await replay(options)).toBe(true)
  expect(sent.map(({ key }) => key)).toEqual(['a', 'a', 'b'])
})

test('an entry that needs attention blocks no others, and gets a new key for its next try', async () => {
  const { options, store, sent } = create([{ kind: 'failed', digest: 'abc' }])
  await store.add(newEntry({ key: 'a' }))
  await store.add(newEntry({ key: 'b' }))
  expect(await replay(options)).toBe(true)
  expect(sent.map(({ key }) => key)).toEqual(['a', 'b'])
  const [entry] = await store.list()
  expect(entry?.state).toMatchObject({ problem: { kind: 'failed', digest: 'abc' } })
  expect(entry?.key).toMatch(/^[0-9a-f]{32}$/)
})

test('an inline action is called in its own build only', async () => {
  const { options, store, sent } = create()
  const action = 'f00d#$$hoist_0_save'
  expect([isInline(action), isInline('f00d#save')]).toEqual([true, false])
  await store.add(newEntry({ key: 'a', action, build: 'A' }))
  await store.add(newEntry({ key: 'b', action, build: 'B' }))
  expect(await replay(options)).toBe(true)
  expect(sent.map(({ key }) => key)).toEqual(['b'])
  expect((await store.list()).map(({ state }) => state)).toMatchObject([
    { problem: { kind: 'updated' } },
  ])
})

test('nothing is sent before a page has named the user', async () => {
  const { options, store, sent } = create([], { isPageCurrent: async () => false })
  await store.add(newEntry())
  expect(await replay(options)).toBe(false)
  expect(sent).toEqual([])
})

test('an entry that was withdrawn while it was being sent does not come back', async () => {
  const { options, store } = create([failure('unanswered')])
  const id = await store.add(newEntry())
  const { send } = options.host.actions
  const withdrawn = {
    ...options.host.actions,
    send: async (...call: Parameters<typeof send>) => {
      await store.remove(id)
      return send(...call)
    },
  }
  await replay({ ...options, host: { ...options.host, actions: withdrawn } })
  expect(await store.list()).toEqual([])
})

test('without locks, an entry that another tab is sending is left alone until its lease ends', async () => {
  let nowMs = 0
  const { options, store, sent } = create([], { hasLocks: false, now: () => nowMs })
  await store.add(newEntry({ state: { kind: 'sending', untilMs: leaseMs } }))
  expect(await replay(options)).toBe(false)
  expect(sent).toEqual([])
  nowMs = leaseMs
  expect(await replay(options)).toBe(true)
  expect(sent).toHaveLength(1)
})

test('with locks, an entry of a closed tab is sent again with its key', async () => {
  const { options, store, sent } = create()
  await store.add(newEntry({ key: 'a', state: { kind: 'sending', untilMs: leaseMs } }))
  expect(await replay(options)).toBe(true)
  expect(sent.map(({ key }) => key)).toEqual(['a'])
})

test('an entry that never gets a response while pages do stops blocking the others', async () => {
  const { options, store, sent } = create(
    Array.from({ length: maxTries }, () => failure('unanswered')),
  )
  await store.add(newEntry({ key: 'a' }))
  await store.add(newEntry({ key: 'b' }))
  for (let at = 0; at < maxTries; at++) expect(await replay(options)).toBe(false)
  expect(await replay(options)).toBe(true)
  const [entry] = await store.list()
  // Expect the same key when the entry is sent again, because the action may have run.
  expect(entry).toMatchObject({ key: 'a', state: { problem: { kind: 'unanswered' } } })
  expect(sent.at(-1)?.key).toBe('b')
})

test('after renewed cookies, an entry counts as sent if it was tried before; otherwise its user decides', async () => {
  const otherCookies = { kind: 'refused', code: 'other-credentials' } as const
  const tried = create([failure('unanswered'), otherCookies])
  await tried.store.add(newEntry())
  expect(await replay(tried.options)).toBe(false)
  expect(await replay(tried.options)).toBe(true)
  expect(await tried.store.list()).toEqual([])
  const { options, store } = create([otherCookies])
  await store.add(newEntry())
  expect(await replay(options)).toBe(true)
  const [entry] = await store.list()
  expect(entry).toMatchObject({ timesSent: 0, state: { problem: { kind: 'unanswered' } } })
})

test('code that awaits the call gets its result, and no entry stays', async () => {
  const { options, store, waiters, rendered } = create([{ kind: 'failed', digest: 'abc' }])
  const id = await store.add(newEntry())
  const call = { id: 'add', args: [], submit: null } as unknown as ServerCall
  const resolve = vi.fn()
  const received = vi.fn()
  waiters.set(id, { call, unchanged: 'before', received, resolve, reject() {} })
  await replay(options)
  expect(received).toHaveBeenCalledOnce()
  expect(rendered).toEqual([true])
  expect(await store.list()).toEqual([])
})

test('a response that was cut off is requested again', async () => {
  const { options, store } = create()
  await store.add(newEntry({ key: 'a' }))
  const whole = Promise.reject(new Error('cut'))
  whole.catch(() => {})
  const response = { kind: 'returned', value: 1 } as const
  const send: QueueableActions['send'] = async (_call, { onResponse } = {}) =>
    onResponse?.({ response, changed: null, whole } as never)
  const host = { ...options.host, actions: { ...options.host.actions, send } }
  expect(await replay({ ...options, host })).toBe(false)
  expect((await store.list())[0]).toMatchObject({ key: 'a', state: { kind: 'waiting' } })
})

const got = (response: object) => ({
  received: { body: new TextEncoder().encode(JSON.stringify(response)), changed: 'data' as const },
})

test('an entry that the service worker sent is reported, and not sent again', async () => {
  const { options, store, sent, renew } = create()
  await store.add(newEntry({ key: 'a', ...got({ kind: 'returned', value: 'done' }) }))
  await store.add(newEntry({ key: 'b', ...got({ kind: 'failed', digest: 'abc' }) }))
  expect(await replay({ ...options, isPageCurrent: async () => false })).toBe(true)
  expect(sent).toEqual([])
  const [entry, ...others] = await store.list()
  expect(others).toEqual([])
  expect(entry?.state).toMatchObject({ problem: { kind: 'failed', digest: 'abc' } })
  expect([entry?.key === 'b', entry?.received]).toEqual([false, null])
  expect(renew).toHaveBeenCalledOnce()
})

test.each([
  [
    'a response that can’t be read',
    { ...got({}), received: { body: new Uint8Array(), changed: null } },
  ],
  [
    'a response that says that the action is still running',
    got({ kind: 'refused', code: 'unfinished' }),
  ],
])('%s is requested again with the same key', async (_, stored) => {
  const { options, store, sent } = create()
  await store.add(newEntry({ key: 'a', ...stored }))
  expect(await replay(options)).toBe(true)
  expect(sent.map(({ key }) => key)).toEqual(['a'])
  expect(await store.list()).toEqual([])
})
