import { describe, expect, test, vi } from 'vitest'
import type { HandlerResponse } from '../../http/response.ts'
import { createIdempotency, type Idempotency } from './idempotency.ts'
import { bounds, type From, from, whole } from './testing/idempotentRequests.ts'

describe('the memory for idempotent requests', () => {
  // Stop the clock, because entries expire after a second and a test may take that long on a busy machine.
  const now = () => 0
  const large = async () => whole('x'.repeat(400))
  const keyOf = (at: number) => `key-${at}`.padEnd(16, '-')

  test('includes headers and the overhead of each entry', async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (): [string, string] => ['x', 'y'.repeat(200)])
    const { once } = createIdempotency({ bounds, now })
    const run = vi.fn(async (): Promise<HandlerResponse> => ({ ...whole(''), headers: lines(20) }))
    await once(from({}, keyOf(0)), run)
    await once(from({}, keyOf(1)), run)
    // The older response was evicted, because two entries with 6,000 bytes of headers each exceed the limit of 10,000
    // bytes.
    expect(await once(from({}, keyOf(0)), run)).toBe('response-gone')
    expect(await once(from({}, keyOf(1)), run)).toMatchObject({ status: 200 })
    expect(run).toHaveBeenCalledTimes(2)
  })

  test('keeps the key of a response that is too large, so that nothing runs twice', async () => {
    const { once } = createIdempotency({ bounds, now })
    const run = vi.fn(large)
    for (const at of [0, 1, 2, 3, 4, 5, 6, 7]) await once(from({}, keyOf(at)), run)
    expect(await once(from({}, keyOf(0)), run)).toBe('response-gone')
    expect(await once(from({}, keyOf(7)), run)).toMatchObject({ status: 200 })
    expect(run).toHaveBeenCalledTimes(8)
  })

  test('of one client is safe from a client that floods it', async () => {
    const { once } = createIdempotency({ bounds, now })
    const run = vi.fn(large)
    await once(from({ network: '192.0.2.1' }, keyOf(0)), run)
    const flood = vi.fn(large)
    for (let at = 1; at < 500; at++) {
      await once(from({ network: '192.0.2.2', cookie: `a=${at}` }, keyOf(at)), flood)
    }
    const again = await once(from({ network: '192.0.2.1' }, keyOf(0)), run)
    expect(again).toMatchObject({ body: Buffer.from('x'.repeat(400)) })
    expect(run).toHaveBeenCalledOnce()
    // Only the last entries of the flood remain.
    await once(from({ network: '192.0.2.2', cookie: 'a=1' }, keyOf(1)), flood)
    expect(flood).toHaveBeenCalledTimes(500)
  })

  test('never evicts a running request', async () => {
    const { once } = createIdempotency({ bounds, now })
    const run = vi.fn(() => new Promise<HandlerResponse>(() => {}))
    void once(from({}, keyOf(0)), run)
    for (let at = 1; at < 50; at++) await once(from({}, keyOf(at)), large)
    const left = AbortSignal.abort()
    expect(await once(from({ signal: left }, keyOf(0)), run)).toBe('unfinished')
    expect(run).toHaveBeenCalledOnce()
  })

  test('is separate for marks, so that queued and ordinary calls do not evict each other', async () => {
    let nowMs = 0
    const { once } = createIdempotency({ bounds, now: () => nowMs })
    const ran: Parameters<Idempotency['once']>[1] = async (onRan) => {
      await onRan()
      return whole('')
    }
    const run = vi.fn(ran)
    const alice = { network: '192.0.2.1' }
    const mallory = { network: '192.0.2.2' }
    const queuedBy = (sent: From, at: number) => ({ ...from(sent, keyOf(at)), isQueued: true })
    await once(queuedBy(alice, 0), run)
    for (let at = 1; at < 200; at++) await once(from(mallory, keyOf(at)), large)
    await once(from(alice, keyOf(200)), large)
    for (let at = 201; at < 400; at++) await once(queuedBy(mallory, at), ran)
    expect(await once(from(alice, keyOf(200)), run)).toMatchObject({ status: 200 })
    nowMs = bounds.ttlMs
    expect(await once(queuedBy(alice, 0), run)).toBe('response-gone')
    expect(run).toHaveBeenCalledOnce()
  })

  test('limits a network with many marks: these expire sooner and are evicted first', async () => {
    const leased = new Map<string, number>()
    const { once, attach } = createIdempotency({ bounds, now })
    attach({
      async lease(key, ttlMs) {
        leased.set(key, ttlMs)
        return { kind: 'ours', complete: async () => {}, release: async () => {} }
      },
    })
    const queue = async (network: string | undefined, count: number) => {
      leased.clear()
      for (let at = 0; at < count; at++) {
        const sent = from(network === undefined ? {} : { network }, keyOf(at))
        const key = `${network}-${sent.key}`
        await once({ ...sent, key, isQueued: true }, async (onRan) => {
          await onRan()
          return whole('')
        })
      }
      return [...leased].filter(([key]) => key.startsWith('ran:')).map(([, ttlMs]) => ttlMs)
    }
    const { markTtlMs } = bounds
    const ofMallory = await queue('192.0.2.2', 10)
    expect(ofMallory.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => markTtlMs))
    expect(ofMallory.slice(6)).toEqual(Array.from({ length: 4 }, () => markTtlMs / 8))
    expect(await queue('192.0.2.1', 1)).toEqual([markTtlMs])
    // Clients can't be told apart behind a proxy that isn't trusted in the settings.
    expect(new Set(await queue(undefined, 10))).toEqual(new Set([markTtlMs]))
  })

  test('of one client is safe from all the networks of another', async () => {
    const { once } = createIdempotency({ bounds, now })
    const run = vi.fn(async () => whole(''))
    const alice = ['2001:db8:1:1', '2001:db8:1:1', '192.0.2.1']
    for (const [at, network] of alice.entries()) await once(from({ network }, keyOf(at)), run)
    // Use networks with the same first 48 bits, because a provider gives each customer 65,536 networks of 64 bits in
    // such a prefix.
    for (let at = 3; at < 300; at++) {
      await once(from({ network: `2001:db8:2:${at.toString(16)}` }, keyOf(at)), run)
    }
    for (const [at, network] of alice.entries()) {
      expect(await once(from({ network }, keyOf(at)), run)).toMatchObject({ status: 200 })
    }
    expect(run).toHaveBeenCalledTimes(300)
  })

  test('of a network is safe from a neighbour that floods their provider', async () => {
    const { once } = createIdempotency({ bounds, now })
    const run = vi.fn(large)
    await once(from({ network: '2001:db8:1:1' }, keyOf(0)), run)
    for (let at = 1; at < 100; at++) await once(from({ network: '2001:db8:1:2' }, keyOf(at)), run)
    const again = await once(from({ network: '2001:db8:1:1' }, keyOf(0)), run)
    expect(again).toMatchObject({ body: Buffer.from('x'.repeat(400)) })
  })

  test('applies to the shared store: evicted entries are deleted there, too', async () => {
    const stored = new Map<string, Uint8Array>()
    const { once, attach } = createIdempotency({ bounds, now })
    attach({
      async lease(key) {
        const result = stored.get(key)
        if (result) return { kind: 'done', result }
        return {
          kind: 'ours',
          complete: async (result) => void stored.set(key, result),
          release: async () => {},
          withdraw: async () => void stored.delete(key),
        }
      },
    })
    const alice = from({ network: '192.0.2.1' }, keyOf(0))
    const run = vi.fn<Parameters<Idempotency['once']>[1]>(async (onRan) => {
      await onRan()
      return whole('x'.repeat(400))
    })
    await once({ ...alice, isQueued: true }, run)
    for (let at = 1; at < 500; at++) {
      const mallory = from({ network: '192.0.2.2' }, keyOf(at))
      await once({ ...mallory, isQueued: true }, run)
    }
    await vi.waitFor(() => expect(stored.size).toBeLessThan(50))
    const bytes = [...stored.values()].reduce((sum, each) => sum + each.byteLength, 0)
    expect(bytes).toBeLessThan(bounds.maxBytes + bounds.maxMarkBytes)
    // Another process still has Alice's response and does not run her call again.
    const later = createIdempotency({ bounds, now })
    later.attach({
      lease: async (key) => ({ kind: 'done', result: stored.get(key) ?? null }),
    })
    expect(await later.once({ ...alice, isQueued: true }, run)).toMatchObject({ status: 200 })
    expect(run).toHaveBeenCalledTimes(500)
  })

  test('leaves a store alone that limits its records itself', async () => {
    const complete = vi.fn(async () => {})
    const { once, attach } = createIdempotency({ bounds, now })
    attach({
      lease: async () => ({ kind: 'ours', complete, release: async () => {} }),
    })
    for (let at = 0; at < 50; at++) await once(from({}, keyOf(at)), large)
    expect(complete).toHaveBeenCalledTimes(50)
  })

  test('is divided equally among many clients', async () => {
    const { once } = createIdempotency({ bounds, now })
    const run = vi.fn(large)
    const sent = (at: number) => from({ network: `192.0.2.${at}` }, keyOf(at))
    for (let at = 0; at < 8; at++) await once(sent(at), run)
    for (const at of [6, 7]) expect(await once(sent(at), run)).toMatchObject({ status: 200 })
    expect(await once(sent(0), run)).toBe('response-gone')
    expect(run).toHaveBeenCalledTimes(8)
  })
})
