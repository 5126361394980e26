import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  createSupervisor,
  pauseAfter,
  type SupervisorMessage,
  type WorkerEvents,
} from './workers.ts'

type Fake = { pid: number; events: WorkerEvents; messages: SupervisorMessage[]; isKilled: boolean }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates a supervisor whose workers the test controls. */
function setUp(count = 2) {
  const workers: Fake[] = []
  const lines: string[] = []
  const supervisor = createSupervisor({
    count,
    closeWithinMs: 1000,
    log: (line) => lines.push(line),
    now: Date.now,
    fork(events) {
      const worker: Fake = { pid: workers.length + 1, events, messages: [], isKilled: false }
      workers.push(worker)
      return {
        pid: worker.pid,
        send: (message) => worker.messages.push(message),
        kill() {
          worker.isKilled = true
          events.onExit('SIGKILL')
        },
      }
    },
  })
  const worker = (index: number) => workers[index] as Fake
  const listen = (...indexes: number[]) => {
    for (const index of indexes) worker(index).events.onListening(`http://${index}`)
  }
  return { supervisor, workers, worker, listen, lines }
}

const ready = { waymark: 'ready' }

test('workers are ready once all of them are listening', async () => {
  const { supervisor, worker, listen } = setUp()
  listen(0)
  expect(worker(0).messages).toEqual([])
  listen(1)
  expect(await supervisor.started).toBe('http://1')
  expect([worker(0).messages, worker(1).messages]).toEqual([[ready], [ready]])
})

test('the start fails if a worker fails', async () => {
  const { supervisor, worker } = setUp()
  worker(1).events.onExit('code 1')
  await expect(supervisor.started).rejects.toThrow('Worker 2 (process 2) ended with code 1 before')
})

test('a dead worker is replaced, after growing pauses if it dies soon', () => {
  const { workers, worker, listen, lines } = setUp()
  listen(0, 1)
  worker(0).events.onExit('SIGKILL')
  vi.advanceTimersByTime(100)
  expect(workers.length).toBe(3)
  listen(2)
  expect(worker(2).messages).toEqual([ready])
  worker(2).events.onExit('code 7')
  vi.advanceTimersByTime(199)
  expect(workers.length).toBe(3)
  vi.advanceTimersByTime(1)
  expect(workers.length).toBe(4)
  listen(3)
  vi.advanceTimersByTime(60_000)
  worker(3).events.onExit('code 7')
  vi.advanceTimersByTime(0)
  expect(workers.length).toBe(5)
  expect(lines).toEqual([
    'Worker 1 (process 1) ended with SIGKILL. A new worker starts in 0.1 s.',
    'Worker 1 (process 3) ended with code 7. A new worker starts in 0.2 s.',
    'Worker 1 (process 4) ended with code 7. A new worker starts in 0 s.',
  ])
})

test('the pause has a maximum', () => {
  expect([0, 1, 2, 5, 9, 50].map(pauseAfter)).toEqual([0, 100, 200, 1600, 25_600, 30_000])
})

test('closing notifies all workers, waits for them and replaces none', async () => {
  const { supervisor, workers, worker, listen } = setUp()
  listen(0, 1)
  let isClosed = false
  const closing = supervisor.close().then(() => {
    isClosed = true
  })
  worker(0).events.onExit('code 0')
  await vi.advanceTimersByTimeAsync(500)
  expect(isClosed).toBe(false)
  expect(worker(1).messages.at(-1)).toEqual({ waymark: 'close', isHurried: false })
  worker(1).events.onExit('code 0')
  await closing
  await vi.advanceTimersByTimeAsync(60_000)
  expect(workers.length).toBe(2)
})

test('a worker that does not end in time is killed', async () => {
  const { supervisor, worker, listen } = setUp(1)
  listen(0)
  const closing = supervisor.close()
  await vi.advanceTimersByTimeAsync(1000)
  await closing
  expect(worker(0).isKilled).toBe(true)
})

test('a restart replaces one worker after another, once the new one is listening', async () => {
  const { supervisor, workers, worker, listen } = setUp()
  listen(0, 1)
  const restarting = supervisor.restart()
  await vi.advanceTimersByTimeAsync(0)
  expect([workers.length, worker(0).messages.length]).toEqual([3, 1])
  listen(2)
  await vi.advanceTimersByTimeAsync(0)
  expect(worker(0).messages.at(-1)).toEqual({ waymark: 'close', isHurried: false })
  expect(workers.length).toBe(3)
  worker(0).events.onExit('code 0')
  await vi.advanceTimersByTimeAsync(0)
  listen(3)
  await vi.advanceTimersByTimeAsync(0)
  worker(1).events.onExit('code 0')
  await restarting
  expect(workers.length).toBe(4)
})

test('a restart whose first new worker dies keeps all old workers', async () => {
  const { supervisor, workers, worker, listen, lines } = setUp()
  listen(0, 1)
  const restarting = supervisor.restart()
  await vi.advanceTimersByTimeAsync(0)
  worker(2).events.onExit('code 1')
  await restarting
  await vi.advanceTimersByTimeAsync(60_000)
  expect(workers.length).toBe(3)
  expect(worker(0).messages).toEqual([ready])
  expect(lines).toEqual([
    'The restart was stopped, because a new worker ended before it was listening. The other workers keep running.',
  ])
})
