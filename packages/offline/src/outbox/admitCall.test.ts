import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { admitCall } from './admitCall.ts'
import { limitMs, storeMs } from './limits.ts'
import { call, createContext, forever } from './testing/context.ts'
import { newEntry } from './testing/entries.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const { description } = newEntry()

test('if reading the database hangs, the call is sent as without an outbox', async () => {
  const { context, send } = createContext({ list: () => forever })
  const admitted = admitCall(context, call, description)
  await vi.advanceTimersByTimeAsync(storeMs)
  expect(await (await admitted).result()).toBe('done')
  expect(send).toHaveBeenCalledOnce()
})

test('an entry that is stored too late is deleted, and has the key of the call that was sent', async () => {
  const keys: string[] = []
  let land = () => {}
  const landing = new Promise<void>((resolve) => {
    land = resolve
  })
  const { context, stored, send } = createContext({
    async add(entry) {
      await landing
      const id = await stored.add(entry)
      keys.push(entry.key)
      return id
    },
  })
  const admitted = admitCall(context, call, description)
  await vi.advanceTimersByTimeAsync(storeMs)
  await (await admitted).result()
  land()
  await vi.waitFor(() => expect(keys).toHaveLength(1))
  const encoded = { id: 'add', body: '["text"]' }
  expect(send).toHaveBeenCalledWith(call, {
    again: { encoded: expect.objectContaining(encoded), key: keys[0] },
    user: null,
  })
  await vi.waitFor(async () => expect(await stored.list()).toEqual([]))
})

test('without storage, the core chooses the key, because it recognises a repeated call', async () => {
  const add = () => Promise.reject(new Error('QuotaExceededError'))
  const { context, send } = createContext({ add })
  await (await admitCall(context, call, description)).result()
  expect(send).toHaveBeenCalledWith(call, { user: null })
})

test.each([
  ['fails', () => Promise.reject(new Error('AbortError'))],
  ['hangs', () => forever],
])('a call replaces an entry whose deletion %s', async (_name, remove) => {
  const { context, stored } = createContext({ remove })
  context.editing.replacedBy = () => 1
  const admitted = admitCall(context, call, description)
  await vi.waitFor(async () => expect(await stored.list()).toHaveLength(1))
  await vi.advanceTimersByTimeAsync(storeMs)
  expect(await admitted).toMatchObject({ result: expect.any(Function) })
})

test.each([
  ['fails', () => Promise.reject(new Error('AbortError'))],
  ['hangs', () => forever],
])('at the limit its caller continues although storage %s', async (_name, update) => {
  const { context, stored, queued } = createContext({ update })
  const { result } = await admitCall(context, call, description)
  const done = vi.fn()
  void Promise.resolve(result()).then(done)
  await vi.advanceTimersByTimeAsync(limitMs + storeMs)
  expect(done).toHaveBeenCalledOnce()
  expect(queued).toHaveBeenCalledWith(1, false)
  expect(await stored.list()).toHaveLength(1)
})

test('once the response has arrived, its caller waits until it is shown', async () => {
  const { context, stored, queued } = createContext()
  const { result } = await admitCall(context, call, description)
  const pending = result()
  const waiter = [...context.waiters.values()][0]
  waiter?.received()
  await vi.advanceTimersByTimeAsync(limitMs * 2)
  waiter?.resolve('done')
  expect(await pending).toBe('done')
  expect(queued).not.toHaveBeenCalled()
  expect((await stored.list())[0]?.awaitedUntilMs).toBeGreaterThan(0)
})
