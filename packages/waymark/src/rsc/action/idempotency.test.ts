import { describe, expect, test, vi } from 'vitest'
import { createMemoryDriver } from '../../cache/memoryCacheDriver.ts'
import type { HandlerResponse } from '../../http/response.ts'
import { createIdempotency } from './idempotency.ts'
import { bounds, other, request, whole } from './testing/idempotentRequests.ts'

describe('a request', () => {
  test('runs once, even for repeats that arrive while it runs', async () => {
    const { once } = createIdempotency({ bounds })
    const run = vi.fn(async () => whole('done'))
    const first = once(request, run)
    const joined = once(request, run)
    expect(await first).toMatchObject({ status: 200, body: 'done' })
    expect(await joined).toMatchObject({ status: 200, body: Buffer.from('done') })
    expect(await once(request, run)).toMatchObject({
      headers: [
        ['x', 'y'],
        ['waymark-replayed', '1'],
      ],
    })
    expect(run).toHaveBeenCalledOnce()
  })

  test('with another body is refused', async () => {
    const { once } = createIdempotency({ bounds })
    const run = vi.fn(async () => whole('done'))
    await once(request, run)
    expect(await once(other, run)).toBe('key-reused')
    expect(run).toHaveBeenCalledOnce()
  })

  test('of another action is another request', async () => {
    const { once } = createIdempotency({ bounds })
    const run = vi.fn(async () => whole('done'))
    await once(request, run)
    await once({ ...request, actionId: 'a#c' }, run)
    expect(run).toHaveBeenCalledTimes(2)
  })

  test('that did not run may be tried again', async () => {
    const { once } = createIdempotency({ bounds })
    await once(request, async () => ({ ...whole('stale'), status: 409 }))
    await expect(once(request, async () => Promise.reject(new Error('boom')))).rejects.toThrow()
    expect(await once(request, async () => whole('done'))).toMatchObject({ body: 'done' })
  })

  test('expires', async () => {
    const now = vi.fn(() => 0)
    const { once } = createIdempotency({ bounds, now })
    const run = vi.fn(async () => whole('done'))
    await once(request, run)
    now.mockReturnValue(1_000)
    await once(request, run)
    expect(run).toHaveBeenCalledTimes(2)
  })

  test('with a response that is too large to store does not run again', async () => {
    const { once } = createIdempotency({ bounds })
    const run = vi.fn(async () => whole('x'.repeat(501)))
    await once(request, run)
    expect(await once(request, run)).toBe('response-gone')
    expect(run).toHaveBeenCalledOnce()
  })
})

describe('replicas that share a store', () => {
  function twoReplicas() {
    const store = createMemoryDriver()
    const replicas = [createIdempotency({ bounds }), createIdempotency({ bounds })] as const
    for (const replica of replicas) replica.attach(store)
    return replicas
  }

  test('run a request once, even at the same time', async () => {
    const [one, two] = twoReplicas()
    const run = vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return whole('done')
    })
    const answers = await Promise.all([one.once(request, run), two.once(request, run)])
    answers.push(await two.once(request, run))
    for (const answer of answers) {
      expect(String((answer as HandlerResponse).body)).toBe('done')
      expect(answer).toMatchObject({ status: 200, headers: expect.arrayContaining([['x', 'y']]) })
    }
    expect(run).toHaveBeenCalledOnce()
    expect(await two.once(other, run)).toBe('key-reused')
  })

  test('keep the host running until all of them know the response', async () => {
    const driver = createMemoryDriver()
    let isStored = false
    const { once, attach } = createIdempotency({ bounds })
    attach({
      async lease(key, ttlMs) {
        const lease = await driver.lease(key, ttlMs)
        if (lease.kind !== 'ours') return lease
        const complete = async (result: Uint8Array) => {
          await new Promise((resolve) => setTimeout(resolve, 20))
          isStored = true
          return lease.complete(result)
        }
        return { ...lease, complete }
      },
    })
    const waited: Promise<unknown>[] = []
    const waitUntil = (work: Promise<unknown>) => void waited.push(work)
    await once({ ...request, waitUntil }, async () => whole('done'))
    expect([waited.length, isStored]).toEqual([1, false])
    await Promise.all(waited)
    expect(isStored).toBe(true)
  })

  test('do not run a request again if its response was too large or broke off', async () => {
    const [one, two] = twoReplicas()
    const run = vi.fn(async () => whole('x'.repeat(501)))
    await one.once(request, run)
    expect(await two.once(request, run)).toBe('response-gone')
    expect(await two.once(other, run)).toBe('key-reused')
    const next = { ...request, actionId: 'a#c' }
    const broken = (await one.once(next, async () => ({
      ...whole(''),
      // biome-ignore lint/correctness/useYield: it throws before it yields.
      body: (async function* () {
        throw new Error('cut')
      })(),
    }))) as HandlerResponse
    const reading = (broken.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toThrow('cut')
    expect(await two.once(next, run)).toBe('response-gone')
    expect(run).toHaveBeenCalledOnce()
  })

  test('report a lost response as lost, without waiting for it', async () => {
    const { once, attach } = createIdempotency({ bounds })
    attach({ lease: async () => ({ kind: 'done', result: null }) })
    const run = vi.fn(async () => whole('done'))
    expect(await once(request, run)).toBe('response-gone')
    expect(run).not.toHaveBeenCalled()
  })

  test('each run a request once while the store fails', async () => {
    const { once, attach } = createIdempotency({ bounds })
    attach({ lease: () => Promise.reject(new Error('away')) })
    const run = vi.fn(async () => whole('done'))
    const answers = await Promise.all([once(request, run), once(request, run)])
    for (const answer of answers) expect(String((answer as HandlerResponse).body)).toBe('done')
    expect(run).toHaveBeenCalledOnce()
  })

  test('let another replica try a request that did not run', async () => {
    const [one, two] = twoReplicas()
    await one.once(request, async () => ({ ...whole('stale'), status: 409 }))
    expect(await two.once(request, async () => whole('done'))).toMatchObject({ body: 'done' })
  })
})
