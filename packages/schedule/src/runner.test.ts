import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CacheDriver, createMemoryDriver, type Lease } from 'waymark/drivers'
import { createRunner, type Job, type JobContext } from './runner.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-30T00:00:01Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

function setup(
  job: Partial<Job> & Pick<Job, 'run'>,
  options: { lease?: CacheDriver['lease'] } = {},
) {
  const memory = createMemoryDriver()
  const lines: string[] = []
  const reported: unknown[] = []
  const runner = createRunner({
    jobs: [{ name: 'a', every: 60_000, ...job } as Job],
    driver: { lease: options.lease ?? memory.lease },
    report: (thrown) => `digest-${reported.push(thrown)}`,
    log: (line) => lines.push(line),
  })
  return { runner, lines, reported }
}

test('a due time is handled once, and the next one too', async () => {
  const dueAts: string[] = []
  const { runner } = setup({ run: ({ dueAt }) => dueAts.push(dueAt.toISOString()) })
  await vi.advanceTimersByTimeAsync(119_500)
  expect(dueAts).toEqual([
    '2026-11-30T00:00:00.000Z',
    '2026-11-30T00:01:00.000Z',
    '2026-11-30T00:02:00.000Z',
  ])
  const closing = runner.close()
  await vi.advanceTimersByTimeAsync(60_000)
  await closing
  expect(dueAts).toHaveLength(3)
  expect(vi.getTimerCount()).toBe(0)
})

test('a run that throws is logged with its digest, and the next one still runs', async () => {
  const run = vi.fn(() => {
    throw new Error('secret plan')
  })
  const { lines, reported } = setup({ run })
  await vi.advanceTimersByTimeAsync(62_000)
  expect(run).toHaveBeenCalledTimes(2)
  expect(lines[0]).toBe('The job a failed (digest digest-1).')
  expect(reported[0]).toEqual(new Error('secret plan'))
})

test('a run that exceeds its deadline is aborted and reported, and never overlaps the next one', async () => {
  const signals: AbortSignal[] = []
  const run = ({ signal }: JobContext) => {
    signals.push(signal)
    return new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  const { lines } = setup({ run, deadlineMs: 90_000 })
  await vi.advanceTimersByTimeAsync(80_000)
  expect(signals).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(12_000)
  expect(signals[0]?.reason).toHaveProperty('name', 'TimeoutError')
  expect(lines).toEqual(['The job a took too long (digest digest-1).'])
  expect(signals).toHaveLength(2)
})

test('at shutdown, a run is aborted after ten seconds, and another server may start it again', async () => {
  const signals: AbortSignal[] = []
  const run = ({ signal }: JobContext) => {
    signals.push(signal)
    return new Promise((resolve) => signal.addEventListener('abort', resolve))
  }
  const memory = createMemoryDriver()
  const { runner } = setup({ run }, { lease: memory.lease })
  await vi.advanceTimersByTimeAsync(1_000)
  const closing = runner.close()
  await vi.advanceTimersByTimeAsync(9_900)
  expect(signals[0]?.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  expect(signals[0]?.aborted).toBe(true)
  await closing
  setup({ run }, { lease: memory.lease })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(signals).toHaveLength(2)
})

test('a due time that has passed for an hour is left out', async () => {
  const run = vi.fn()
  setup({ every: undefined, at: '22:00', run } as never)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(run).not.toHaveBeenCalled()
})

test('no job runs while the shared store is unavailable, because otherwise every server would run it', async () => {
  const run = vi.fn()
  const granted: Lease = { kind: 'ours', complete: async () => {}, release: async () => {} }
  const { lines } = setup({ run }, { lease: async () => granted })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(run).not.toHaveBeenCalled()
  expect(lines).toEqual(['The shared store is unavailable, so jobs wait until it is back.'])
})
