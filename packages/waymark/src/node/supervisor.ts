import { timedOut, withDeadline } from '../shared/promises.ts'

export type ListeningMessage = { readonly waymark: 'listening'; readonly url: string }

export type SupervisorMessage =
  /** All workers listen, so this one may report ready. */
  { readonly waymark: 'ready' } | { readonly waymark: 'close'; readonly isHurried: boolean }

export type WorkerProcess = {
  readonly pid: number
  send(message: SupervisorMessage): void
  kill(): void
}

export type WorkerEvents = {
  onListening(url: string): void
  /** @param how `code 7`, `SIGKILL` */
  onExit(how: string): void
}

export type SupervisorOptions = {
  readonly count: number
  readonly fork: (events: WorkerEvents) => WorkerProcess
  readonly log: (line: string) => void
  /** Milliseconds for a graceful close. */
  readonly closeWithinMs: number
  readonly now?: () => number
}

type Slot = {
  readonly number: number
  worker?: WorkerProcess
  isListening: boolean
  startedAtMs: number
  /** Deaths in a row, each within `settledAfterMs` of the start. */
  quickDeaths: number
}

const firstPauseMs = 100
const longestPauseMs = 30_000
/** A worker that lived this long did not die of its start. */
const settledAfterMs = 60_000

/** Starts workers and replaces those that die. */
export function createSupervisor(options: SupervisorOptions) {
  const crew = createCrew(options)
  const started = new Promise<string>((resolve, reject) => {
    crew.onStarted = resolve
    crew.onFailed = reject
  })
  for (const slot of crew.slots) void begin(crew, slot)
  let restarting: Promise<void> = Promise.resolve()
  return {
    /** Resolves with the URL once all workers listen; rejects when one ends before. */
    started,
    /** Closes all workers gracefully, and kills the slow ones. */
    async close({ isHurried = false } = {}) {
      crew.isClosing = true
      await Promise.all([...crew.running.keys()].map((worker) => end(crew, worker, isHurried)))
    },
    kill() {
      crew.isClosing = true
      for (const worker of crew.running.keys()) worker.kill()
    },
    /** One after the other: a worker closes once its replacement listens. */
    restart() {
      restarting = restarting.then(() => replaceAll(crew))
      return restarting
    },
  }
}

type Crew = ReturnType<typeof createCrew>

function createCrew({ count, now = () => performance.now(), ...options }: SupervisorOptions) {
  const slot = { isListening: false, startedAtMs: 0, quickDeaths: 0 }
  return {
    ...options,
    now,
    slots: Array.from({ length: count }, (_, index): Slot => ({ number: index + 1, ...slot })),
    /** Running and closing workers, with the promise of their end. */
    running: new Map<WorkerProcess, Promise<void>>(),
    isReady: false,
    isClosing: false,
    onStarted(_url: string) {},
    onFailed(_error: Error) {},
  }
}

/**
 * @param slot free, or occupied until the new worker listens
 * @returns true when the worker listens
 */
function begin(crew: Crew, slot: Slot, isOccupied = false): Promise<boolean> {
  const { fork, now, running } = crew
  return new Promise((settle) => {
    const startedAtMs = now()
    let onEnd = () => {}
    const ended = new Promise<void>((resolve) => {
      onEnd = resolve
    })
    const worker = fork({
      onListening(url) {
        Object.assign(slot, { worker, startedAtMs, isListening: true })
        settle(true)
        notifyReady(crew, worker, url)
      },
      onExit(how) {
        onEnd()
        running.delete(worker)
        settle(false)
        if (slot.worker === worker && !crew.isClosing) replace(crew, slot, worker, how)
      },
    })
    running.set(worker, ended)
    if (!isOccupied) Object.assign(slot, { worker, startedAtMs, isListening: false })
  })
}

function notifyReady(crew: Crew, worker: WorkerProcess, url: string): void {
  if (crew.isReady) {
    worker.send({ waymark: 'ready' })
    return
  }
  crew.isReady = crew.slots.every((each) => each.isListening)
  if (!crew.isReady) return
  for (const each of crew.slots) each.worker?.send({ waymark: 'ready' })
  crew.onStarted(url)
}

function replace(crew: Crew, slot: Slot, { pid }: WorkerProcess, how: string): void {
  const name = `Worker ${slot.number} (process ${pid})`
  if (!crew.isReady) {
    crew.onFailed(new Error(`${name} ended with ${how} before it listened.`))
    return
  }
  const isQuick = crew.now() - slot.startedAtMs < settledAfterMs
  slot.quickDeaths = isQuick ? slot.quickDeaths + 1 : 0
  const pauseMs = pauseAfter(slot.quickDeaths)
  crew.log(`${name} ended with ${how}. Another one takes its place in ${pauseMs / 1000} s.`)
  setTimeout(() => crew.isClosing || void begin(crew, slot), pauseMs)
}

async function replaceAll(crew: Crew): Promise<void> {
  for (const slot of crew.slots) {
    const { worker, isListening } = slot
    if (crew.isClosing || !isListening || !worker) continue
    if (!(await begin(crew, slot, true))) {
      crew.log('A new worker ended before it listened: the others stay as they are.')
      return
    }
    await end(crew, worker, false)
  }
}

async function end(crew: Crew, worker: WorkerProcess, isHurried: boolean): Promise<void> {
  const ended = crew.running.get(worker)
  if (!ended) return
  worker.send({ waymark: 'close', isHurried })
  if ((await withDeadline(ended, crew.closeWithinMs)) !== timedOut) return
  crew.log(`The worker with the process ${worker.pid} did not end in time, and is killed.`)
  worker.kill()
  await ended
}

/** @param quickDeaths in a row; the first one may be an accident */
export function pauseAfter(quickDeaths: number): number {
  return quickDeaths === 0 ? 0 : Math.min(firstPauseMs * 2 ** (quickDeaths - 1), longestPauseMs)
}
