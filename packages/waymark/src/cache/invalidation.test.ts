import { expect, onTestFinished, test, vi } from 'vitest'
import type { InvalidationMode } from './cacheDriver.ts'
import { createInvalidationOutbox, oneAtATime } from './invalidation.ts'

const tagged = (...tags: string[]) => ({ tags })

/** Creates an outbox that can't send anything at first. */
function setUp() {
  const sent: [readonly string[], InvalidationMode][] = []
  const state = { isAway: true, tries: 0, onSent: () => {} }
  const outbox = createInvalidationOutbox(async (tags, mode) => {
    state.tries++
    if (state.isAway) return false
    sent.push([tags, mode])
    state.onSent()
    return true
  })
  return { ...outbox, sent, state }
}

test('unsent invalidations apply in this process, and expired ones stay expired', async () => {
  const { send, freshness } = setUp()
  await send(['a', 'b'], 'stale')
  await send(['a'], 'expired')
  await send(['a'], 'stale')
  const freshnesses = [tagged('a', 'b'), tagged('b'), tagged('c')].map(freshness)
  expect(freshnesses).toEqual(['expired', 'stale', 'fresh'])
})

test('unsent invalidations are sent later in batches, by mode', async () => {
  const { send, sendPending, freshness, sent, state } = setUp()
  await send(
    Array.from({ length: 2_500 }, (_, at) => `t${at}`),
    'stale',
  )
  await send(['gone'], 'expired')
  state.isAway = false
  await sendPending()
  expect(sent.map(([tags, mode]) => [tags.length, mode])).toEqual([
    [1_000, 'stale'],
    [1_000, 'stale'],
    [500, 'stale'],
    [1, 'expired'],
  ])
  expect(freshness(tagged('gone', 't0'))).toBe('fresh')
})

test('sending stops at the first failure and keeps the rest', async () => {
  const { send, sendPending, freshness, state } = setUp()
  await send(['a'], 'stale')
  await sendPending()
  expect([state.tries, freshness(tagged('a'))]).toEqual([2, 'stale'])
})

test('a tag that is added while it is being sent is sent again', async () => {
  const { send, sendPending, sent, state } = setUp()
  await send(['a'], 'stale')
  Object.assign(state, {
    isAway: false,
    onSent() {
      if (sent.length > 1) return
      state.isAway = true
      void send(['a'], 'expired')
      state.isAway = false
    },
  })
  await sendPending()
  await sendPending()
  expect(sent.map(([, mode]) => mode)).toEqual(['stale', 'expired'])
})

test('only one call sends at a time', async () => {
  const { send, sendPending, sent, state } = setUp()
  await send(['a'], 'stale')
  state.isAway = false
  await Promise.all([sendPending(), sendPending()])
  expect(sent).toHaveLength(1)
})

test('a run that never ends holds up other calls only for a limited time', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  let runs = 0
  const call = oneAtATime(async () => {
    if (++runs === 1) await new Promise(() => {})
  }, 1_000)
  void call()
  void call()
  expect(runs).toBe(1)
  vi.setSystemTime(Date.now() + 1_000)
  await call()
  await call()
  expect(runs).toBe(3)
})
