import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMemoryDriver } from '../../cache/memory.ts'
import type { Answer } from '../../shared/answer.ts'
import { createBodyQueue } from '../../shared/bodyQueue.ts'
import type { Sender } from './sender.ts'
import { createSubmissions, type Submission } from './submissions.ts'

const bounds = { ttlMs: 1_000, maxBytes: 10_000, maxAnswerBytes: 500, maxUnread: 10 }

type From = {
  readonly cookie?: string
  readonly authorization?: string
  readonly network?: string
  readonly signal?: AbortSignal
  readonly setCookies?: readonly string[]
}

function senderOf({ cookie, authorization, network, signal, setCookies }: From = {}): Sender {
  return {
    headers: new Headers({ ...(cookie && { cookie }), ...(authorization && { authorization }) }),
    pathname: '/shop',
    network: network ?? null,
    signal: () => signal ?? new AbortController().signal,
    setCookies: () => setCookies ?? [],
  }
}

const submission: Submission = {
  key: 'k'.repeat(16),
  actionId: 'a#b',
  bodyHash: 'one',
  isPerBody: false,
  timeoutMs: 500,
  sender: senderOf(),
}
const from = (sent: From, key = submission.key) => ({ ...submission, key, sender: senderOf(sent) })
const other = { ...submission, bodyHash: 'other' }
const whole = (text: string): Answer => ({ status: 200, headers: [['x', 'y']], body: text })

describe('a submission', () => {
  test('runs once, also for those who ask while it runs', async () => {
    const { once } = createSubmissions({ bounds })
    const run = vi.fn(async () => whole('done'))
    const first = once(submission, run)
    const joined = once(submission, run)
    expect(await first).toMatchObject({ status: 200, body: 'done' })
    expect(await joined).toMatchObject({ status: 200, body: Buffer.from('done') })
    expect(await once(submission, run)).toMatchObject({
      headers: [
        ['x', 'y'],
        ['waymark-replayed', '1'],
      ],
    })
    expect(run).toHaveBeenCalledOnce()
  })

  test('with another body is refused, or is another one', async () => {
    const { once } = createSubmissions({ bounds })
    const run = vi.fn(async () => whole('done'))
    await once(submission, run)
    expect(await once(other, run)).toBe('key-reused')
    await once({ ...submission, isPerBody: true }, run)
    await once({ ...other, isPerBody: true }, run)
    expect(run).toHaveBeenCalledTimes(3)
  })

  test('of another action is another one', async () => {
    const { once } = createSubmissions({ bounds })
    const run = vi.fn(async () => whole('done'))
    await once(submission, run)
    await once({ ...submission, actionId: 'a#c' }, run)
    expect(run).toHaveBeenCalledTimes(2)
  })

  test('that did not run may be tried again', async () => {
    const { once } = createSubmissions({ bounds })
    await once(submission, async () => ({ ...whole('stale'), status: 409 }))
    await expect(once(submission, async () => Promise.reject(new Error('boom')))).rejects.toThrow()
    expect(await once(submission, async () => whole('done'))).toMatchObject({ body: 'done' })
  })

  test('is forgotten after its time', async () => {
    const now = vi.fn(() => 0)
    const { once } = createSubmissions({ bounds, now })
    const run = vi.fn(async () => whole('done'))
    await once(submission, run)
    now.mockReturnValue(1_000)
    await once(submission, run)
    expect(run).toHaveBeenCalledTimes(2)
  })

  test('too large to be kept is not run again', async () => {
    const { once } = createSubmissions({ bounds })
    const run = vi.fn(async () => whole('x'.repeat(501)))
    await once(submission, run)
    expect(await once(submission, run)).toBe('answer-gone')
    expect(run).toHaveBeenCalledOnce()
  })
})

describe('a submission of somebody with cookies', () => {
  const signedIn = (setCookies: readonly string[] = []) =>
    vi.fn(async (): Promise<Answer> => {
      const lines = setCookies.map((line): [string, string] => ['set-cookie', line])
      return { status: 200, headers: lines, body: 'of Alice' }
    })

  test.each<[string, From, From, (readonly string[])?]>([
    ['nobody', { cookie: 'session=alice' }, {}],
    ['somebody else', { cookie: 'session=alice' }, { cookie: 'session=bob' }],
    ['somebody with more', { cookie: 'session=alice' }, { cookie: 'session=alice; admin=1' }],
    ['somebody who was nobody', {}, { cookie: 'session=bob' }],
    ['another authorization', { authorization: 'Basic a' }, { authorization: 'Basic b' }],
    ['nobody after a sign-out', { cookie: 'session=alice' }, {}, ['session=; Max-Age=0']],
    ['somebody else after a sign-in', {}, { cookie: 'session=bob' }, ['session=alice']],
    ['what was set for a page elsewhere', {}, { cookie: 'a=1' }, ['a=1; Path=/elsewhere']],
  ])('is not answered to %s, and does not run', async (_, first, other, setCookies) => {
    const { once } = createSubmissions({ bounds })
    const run = signedIn(setCookies)
    const done = once(from(first), run)
    expect(await once(from(other), run)).toBe('other-credentials')
    await done
    expect(await once(from(other), run)).toBe('other-credentials')
    expect(run).toHaveBeenCalledOnce()
    expect(await once(from(first), run)).toMatchObject({ status: 200 })
  })

  test.each<[string, From, From, (readonly string[])?]>([
    ['as they were', { cookie: 'session=alice; a=1' }, { cookie: 'a=1; session=alice' }],
    ['as its answer set them', {}, { cookie: 'session=alice' }, ['session=alice; HttpOnly']],
    [
      'as its answer changed them',
      { cookie: 'session=alice; flash=1' },
      { cookie: 'session=alice-2' },
      ['session=alice-2', 'flash=; Max-Age=0'],
    ],
    [
      'with analytics that went on',
      { cookie: 'session=alice' },
      { cookie: 'session=alice; _ga=1' },
    ],
  ])('is answered again with cookies %s', async (_, first, again, setCookies) => {
    const { once } = createSubmissions({ bounds })
    const run = signedIn(setCookies)
    await once(from(first), run)
    const answer = await once(from(again), run)
    expect(answer).toMatchObject({ headers: expect.arrayContaining([['waymark-replayed', '1']]) })
    expect(run).toHaveBeenCalledOnce()
  })

  test('is answered each time, though proxy.ts renews the session with each request', async () => {
    const { once } = createSubmissions({ bounds })
    const run = signedIn(['session=s1'])
    await once(from({ cookie: 'session=s0', setCookies: ['session=s1'] }), run)
    for (const at of [1, 2, 3]) {
      const renewed = { cookie: `session=s${at}`, setCookies: [`session=s${at + 1}`] }
      expect(await once(from(renewed), run)).toMatchObject({ status: 200 })
    }
    expect(await once(from({ cookie: 'session=s5' }), run)).toBe('other-credentials')
    expect(run).toHaveBeenCalledOnce()
  })

  test('is nobody else’s on another replica, whoever asks there first', async () => {
    const store = createMemoryDriver()
    const [one, two] = [createSubmissions({ bounds }), createSubmissions({ bounds })]
    for (const each of [one, two]) each.attach(store)
    const run = signedIn(['a=1'])
    const first = one.once(from({ cookie: 'session=alice' }), async () => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      return run()
    })
    const bob = { cookie: 'session=bob' }
    const stolen = Promise.all([two.once(from(bob), run), two.once(from(bob), run)])
    await first
    expect(await stolen).toEqual(['other-credentials', 'other-credentials'])
    expect(await two.once(from({}), run)).toBe('other-credentials')
    for (const cookie of ['session=alice', 'session=alice; a=1']) {
      const answer = (await two.once(from({ cookie }), run)) as Answer
      expect(String(answer.body)).toBe('of Alice')
    }
    expect(run).toHaveBeenCalledOnce()
  })
})

describe('the room of submissions', () => {
  const large = async () => whole('x'.repeat(400))
  const keyOf = (at: number) => `key-${at}`.padEnd(16, '-')

  test('counts headers, and what each takes besides', async () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (): [string, string] => ['x', 'y'.repeat(200)])
    const { once } = createSubmissions({ bounds })
    const run = vi.fn(async (): Promise<Answer> => ({ ...whole(''), headers: lines(20) }))
    await once(from({}, keyOf(0)), run)
    await once(from({}, keyOf(1)), run)
    // Two of six thousand bytes of headers each are too much for ten thousand.
    expect(await once(from({}, keyOf(0)), run)).toBe('answer-gone')
    expect(await once(from({}, keyOf(1)), run)).toMatchObject({ status: 200 })
    expect(run).toHaveBeenCalledTimes(2)
  })

  test('keeps the key of an answer that it has no room for: nothing runs twice', async () => {
    const { once } = createSubmissions({ bounds })
    const run = vi.fn(large)
    for (const at of [0, 1, 2, 3, 4, 5, 6, 7]) await once(from({}, keyOf(at)), run)
    expect(await once(from({}, keyOf(0)), run)).toBe('answer-gone')
    expect(await once(from({}, keyOf(7)), run)).toMatchObject({ status: 200 })
    expect(run).toHaveBeenCalledTimes(8)
  })

  test('of one client is not taken by another who floods it', async () => {
    const { once } = createSubmissions({ bounds })
    const run = vi.fn(large)
    await once(from({ network: '192.0.2.1' }, keyOf(0)), run)
    const flood = vi.fn(large)
    for (let at = 1; at < 500; at++) {
      await once(from({ network: '192.0.2.2', cookie: `a=${at}` }, keyOf(at)), flood)
    }
    const again = await once(from({ network: '192.0.2.1' }, keyOf(0)), run)
    expect(again).toMatchObject({ body: Buffer.from('x'.repeat(400)) })
    expect(run).toHaveBeenCalledOnce()
    // Those of the flood are gone, but for the last of them.
    await once(from({ network: '192.0.2.2', cookie: 'a=1' }, keyOf(1)), flood)
    expect(flood).toHaveBeenCalledTimes(500)
  })

  test('never goes by what still runs', async () => {
    const { once } = createSubmissions({ bounds })
    const run = vi.fn(() => new Promise<Answer>(() => {}))
    void once(from({}, keyOf(0)), run)
    for (let at = 1; at < 50; at++) await once(from({}, keyOf(at)), large)
    const left = AbortSignal.abort()
    expect(await once(from({ signal: left }, keyOf(0)), run)).toBe('unfinished')
    expect(run).toHaveBeenCalledOnce()
  })

  test('is given to many clients alike', async () => {
    const { once } = createSubmissions({ bounds })
    const run = vi.fn(large)
    const sent = (at: number) => from({ network: `192.0.2.${at}` }, keyOf(at))
    for (let at = 0; at < 8; at++) await once(sent(at), run)
    for (const at of [6, 7]) expect(await once(sent(at), run)).toMatchObject({ status: 200 })
    expect(await once(sent(0), run)).toBe('answer-gone')
    expect(run).toHaveBeenCalledTimes(8)
  })
})

describe('a repeat', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const minute = { ...bounds, ttlMs: 600_000 }

  test.each([
    [500, 60_000],
    [90_000, 90_000],
    [900_000, 600_000],
  ])('of an action with %i ms waits for %i ms, and does not run', async (timeoutMs, waitsMs) => {
    const { once } = createSubmissions({ bounds: minute })
    const run = vi.fn(() => new Promise<Answer>(() => {}))
    const sent = { ...submission, timeoutMs }
    void once(sent, run)
    const outcome = vi.fn()
    void once(sent, run).then(outcome)
    await vi.advanceTimersByTimeAsync(waitsMs - 1)
    expect(outcome).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect(outcome).toHaveBeenCalledWith('unfinished')
    expect(run).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })

  test('waits as long on another replica', async () => {
    const store = createMemoryDriver()
    const [one, two] = [
      createSubmissions({ bounds: minute }),
      createSubmissions({ bounds: minute }),
    ]
    for (const each of [one, two]) each.attach(store)
    const run = vi.fn(() => new Promise<Answer>(() => {}))
    void one.once(submission, run)
    const outcome = vi.fn()
    void two.once(submission, run).then(outcome)
    await vi.advanceTimersByTimeAsync(61_000)
    expect(outcome).toHaveBeenCalledWith('unfinished')
    expect(run).toHaveBeenCalledOnce()
  })

  test('whose client leaves is not waited with any longer', async () => {
    const store = createMemoryDriver()
    const [one, two] = [
      createSubmissions({ bounds: minute }),
      createSubmissions({ bounds: minute }),
    ]
    for (const each of [one, two]) each.attach(store)
    const run = () => new Promise<Answer>(() => {})
    void one.once(submission, run)
    const leaving = new AbortController()
    const outcome = vi.fn()
    void one.once(from({ signal: leaving.signal }), run).then(outcome)
    void two.once(from({ signal: leaving.signal }), run).then(outcome)
    const other = vi.fn()
    void two.once(submission, run).then(other)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(outcome).not.toHaveBeenCalled()
    leaving.abort()
    await vi.advanceTimersByTimeAsync(100)
    expect(outcome.mock.calls).toEqual([['unfinished'], ['unfinished']])
    // Who came after it waits on.
    await vi.advanceTimersByTimeAsync(50_000)
    expect(other).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(11_000)
    expect(other.mock.calls).toEqual([['unfinished']])
  })
})

describe('replicas that share a store', () => {
  function twoReplicas() {
    const store = createMemoryDriver()
    const replicas = [createSubmissions({ bounds }), createSubmissions({ bounds })] as const
    for (const replica of replicas) replica.attach(store)
    return replicas
  }

  test('run a submission once, also at the same time', async () => {
    const [one, two] = twoReplicas()
    const run = vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      return whole('done')
    })
    const answers = await Promise.all([one.once(submission, run), two.once(submission, run)])
    answers.push(await two.once(submission, run))
    for (const answer of answers) {
      expect(String((answer as Answer).body)).toBe('done')
      expect(answer).toMatchObject({ status: 200, headers: expect.arrayContaining([['x', 'y']]) })
    }
    expect(run).toHaveBeenCalledOnce()
    expect(await two.once(other, run)).toBe('key-reused')
  })

  test('run nothing again whose answer was too large to be kept, or broke off', async () => {
    const [one, two] = twoReplicas()
    const run = vi.fn(async () => whole('x'.repeat(501)))
    await one.once(submission, run)
    expect(await two.once(submission, run)).toBe('answer-gone')
    expect(await two.once(other, run)).toBe('key-reused')
    const next = { ...submission, actionId: 'a#c' }
    const broken = (await one.once(next, async () => ({
      ...whole(''),
      // biome-ignore lint/correctness/useYield: it fails before.
      body: (async function* () {
        throw new Error('cut')
      })(),
    }))) as Answer
    const reading = (broken.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toThrow('cut')
    expect(await two.once(next, run)).toBe('answer-gone')
    expect(run).toHaveBeenCalledOnce()
  })

  test('give an answer that was lost as lost, and do not wait for it', async () => {
    const { once, attach } = createSubmissions({ bounds })
    attach({ claim: async () => ({ kind: 'done', result: null }) })
    const run = vi.fn(async () => whole('done'))
    expect(await once(submission, run)).toBe('answer-gone')
    expect(run).not.toHaveBeenCalled()
  })

  test('run a submission once each while the store fails', async () => {
    const { once, attach } = createSubmissions({ bounds })
    attach({ claim: () => Promise.reject(new Error('away')) })
    const run = vi.fn(async () => whole('done'))
    const answers = await Promise.all([once(submission, run), once(submission, run)])
    for (const answer of answers) expect(String((answer as Answer).body)).toBe('done')
    expect(run).toHaveBeenCalledOnce()
  })

  test('let one that did not run be tried again elsewhere', async () => {
    const [one, two] = twoReplicas()
    await one.once(submission, async () => ({ ...whole('stale'), status: 409 }))
    expect(await two.once(submission, async () => whole('done'))).toMatchObject({ body: 'done' })
  })
})

describe('an answer that still arrives', () => {
  async function* pieces() {
    yield Buffer.from('a')
    await new Promise((resolve) => setTimeout(resolve, 5))
    yield Buffer.from('b')
  }
  const streamed = async (): Promise<Answer> => ({ status: 200, headers: [], body: pieces() })

  test('is kept whole, also when its reader leaves', async () => {
    const { once } = createSubmissions({ bounds })
    const first = (await once(submission, streamed)) as Answer
    const iterator = (first.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    expect(await iterator.next()).toMatchObject({ value: Buffer.from('a') })
    await iterator.return?.()
    expect(await once(submission, streamed)).toMatchObject({ body: Buffer.from('ab') })
  })

  describe('and never ends', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    /** An answer that sends a heartbeat each second, until it is let go of. */
    function endless() {
      const queue = createBodyQueue()
      const beat = vi.fn(() => queue.push(Buffer.from('.')))
      const timer = setInterval(beat, 1_000)
      const stopHeartbeat = () => clearInterval(timer)
      const left = vi.fn(stopHeartbeat)
      const body = Object.assign(queue.body(left), { stopHeartbeat })
      return { answer: async (): Promise<Answer> => ({ ...whole(''), body }), beat, left }
    }

    async function leave(answer: unknown): Promise<void> {
      const iterator = ((answer as Answer).body as AsyncIterable<Uint8Array>)[
        Symbol.asyncIterator
      ]()
      void iterator.next()
      await iterator.return?.()
    }

    const long = { ...bounds, ttlMs: 600_000 }

    test('is given up after the time of its action', async () => {
      const { once } = createSubmissions({ bounds: long })
      const { answer, beat, left } = endless()
      const sent = { ...submission, timeoutMs: 20_000 }
      await leave(await once(sent, answer))
      await vi.advanceTimersByTimeAsync(19_999)
      expect(beat).not.toHaveBeenCalled()
      expect(left).not.toHaveBeenCalled()
      const repeated = once(sent, answer)
      await vi.advanceTimersByTimeAsync(1)
      expect(left).toHaveBeenCalledOnce()
      expect(await repeated).toBe('answer-gone')
      expect(vi.getTimerCount()).toBe(0)
    })

    test('is given up when there are many of its kind', async () => {
      const { once } = createSubmissions({ bounds: { ...long, maxUnread: 2 } })
      const all = [endless(), endless(), endless(), endless()]
      for (const [at, { answer }] of all.entries()) {
        await leave(await once(from({}, `key-${at}`), answer))
      }
      await vi.advanceTimersByTimeAsync(0)
      expect(all.map(({ left }) => left.mock.calls.length)).toEqual([1, 1, 0, 0])
      expect(await once(from({}, 'key-0'), all[0]?.answer as () => Promise<Answer>)).toBe(
        'answer-gone',
      )
    })

    test('is let go of when it is larger than what is kept', async () => {
      const { once } = createSubmissions({ bounds: long })
      const queue = createBodyQueue()
      const left = vi.fn()
      const streaming = async () => ({ ...whole(''), body: queue.body(left) })
      await leave(await once(submission, streaming))
      queue.push(Buffer.alloc(501))
      await vi.advanceTimersByTimeAsync(0)
      expect(left).toHaveBeenCalledOnce()
      expect(await once(submission, streaming)).toBe('answer-gone')
    })
  })
})
