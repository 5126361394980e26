import { timedOut, withDeadline } from '../shared/promises.ts'

/** A message from a worker to its supervisor. */
export type ListeningMessage = { readonly waymark: 'listening'; readonly url: string }

/** A message from a supervisor to a worker. */
export type SupervisorMessage =
  /** All workers listen: it may say that it is ready. */
  { readonly waymark: 'ready' } | { readonly waymark: 'close'; readonly isHurried: boolean }

/** A process that serves the app, as its supervisor sees it. */
export type WorkerProcess = {
  readonly pid: number
  send(message: SupervisorMessage): void
  /** Ends it at once. */
  kill(): void
}

/** Events of a worker. */
export type WorkerEvents = {
  onListening(url: string): void
  /** @param how `code 7`, `SIGKILL` */
  onExit(how: string): void
}

export type SupervisorOptions = {
  readonly count: number
  /** Starts a worker. */
  readonly fork: (events: WorkerEvents) => WorkerProcess
  readonly log: (line: string) => void
  /** How long a worker may take to close. */
  readonly closeWithinMs: number
  /** Milliseconds, of any clock. */
  readonly now?: () => number
}

type Slot = {
  readonly number: number
  worker?: WorkerProcess
  isListening: boolean
  startedAtMs: number
  /** Deaths in a row, each soon after its start. */
  quickDeaths: number
}

const firstPauseMs = 100
const longestPauseMs = 30_000
/** A worker that has lived so long did not die of how it starts. */
const settledAfterMs = 60_000

/** Starts workers, and starts others in place of those that die. */
export function createSupervisor(options: SupervisorOptions) {
  const crew = createCrew(options)
  const started = new Promise<string>((resolve, reject) => {
    crew.onStarted = resolve
    crew.onFailed = reject
  })
  for (const slot of crew.slots) void begin(crew, slot)
  let restarting: Promise<void> = Promise.resolve()
  return {
    /** Resolves with their URL once all listen; rejects when one ends before that. */
    started,
    /** Ends all of them, gracefully; ends those at once that take too long. */
    async close({ isHurried = false } = {}) {
      crew.isClosing = true
      await Promise.all([...crew.running.keys()].map((worker) => end(crew, worker, isHurried)))
    },
    /** Ends all of them at once. */
    kill() {
      crew.isClosing = true
      for (const worker of crew.running.keys()) worker.kill()
    },
    /** Replaces one after the other: each ends once the one in its place listens. */
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
    /** Every worker that runs, those that are closing included, and what waits for its end. */
    running: new Map<WorkerProcess, Promise<void>>(),
    isReady: false,
    isClosing: false,
    onStarted(_url: string) {},
    onFailed(_error: Error) {},
  }
}

/**
 * Starts a worker.
 * @param slot its place: taken at once, or while another one has it, once it listens
 * @returns whether it came to listen
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
