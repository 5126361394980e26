/** What a worker tells its supervisor. */
export type WorkerMessage = { readonly waymark: 'listening'; readonly url: string }

/** What a supervisor tells a worker. */
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

/** What becomes of a worker. */
export type WorkerEvents = {
  onListening(url: string): void
  /** @param how `code 7`, `SIGKILL` */
  onExit(how: string): void
}

/** What a supervisor needs. */
export type SupervisorParts = {
  readonly count: number
  /** Starts a worker. */
  readonly fork: (events: WorkerEvents) => WorkerProcess
  readonly log: (line: string) => void
  /** How long a worker may take to end, once it is told to. */
  readonly closeWithinMs: number
  /** Milliseconds, of any clock. */
  readonly now?: () => number
}

/** Keeps a number of workers running. */
export type Supervisor = {
  /** Resolves with their URL once all listen. @throws when one ends before that */
  readonly started: Promise<string>
  /** Ends all of them, gracefully; ends those at once that take too long. */
  close(how?: { readonly isHurried?: boolean }): Promise<void>
  /** Ends all of them at once. */
  kill(): void
  /** Replaces one after the other: each ends once the one in its place listens. */
  restart(): Promise<void>
}

type Slot = {
  readonly number: number
  worker: WorkerProcess
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
export function createSupervisor(parts: SupervisorParts): Supervisor {
  const { count, fork, log, closeWithinMs, now = () => performance.now() } = parts
  const slots: Slot[] = []
  /** Every worker that runs, those on their way out included, and who waits for its end. */
  const running = new Map<WorkerProcess, Set<() => void>>()
  let isReady = false
  let isClosing = false
  let settle: { resolve(url: string): void; reject(error: Error): void }
  const started = new Promise<string>((resolve, reject) => {
    settle = { resolve, reject }
  })

  /**
   * Starts a worker.
   * @param slot its place: taken at once, or while another one has it, once it listens
   * @returns whether it came to listen
   */
  function begin(slot: Slot, isTaken = false): Promise<boolean> {
    return new Promise((settleListening) => {
      const startedAtMs = now()
      const take = () => Object.assign(slot, { worker, startedAtMs })
      const worker = fork({
        onListening(url) {
          take().isListening = true
          settleListening(true)
          tellReady(worker, url)
        },
        onExit(how) {
          for (const tell of running.get(worker) ?? []) tell()
          running.delete(worker)
          settleListening(false)
          if (slot.worker === worker && !isClosing) replace(slot, how)
        },
      })
      running.set(worker, new Set())
      if (!isTaken) take().isListening = false
    })
  }

  function tellReady(worker: WorkerProcess, url: string): void {
    if (isReady) {
      worker.send({ waymark: 'ready' })
      return
    }
    isReady = slots.length === count && slots.every((each) => each.isListening)
    if (!isReady) return
    for (const each of slots) each.worker.send({ waymark: 'ready' })
    settle.resolve(url)
  }

  function replace(slot: Slot, how: string): void {
    const name = `Worker ${slot.number} (process ${slot.worker.pid})`
    if (!isReady) {
      settle.reject(new Error(`${name} ended with ${how} before it listened.`))
      return
    }
    slot.quickDeaths = now() - slot.startedAtMs < settledAfterMs ? slot.quickDeaths + 1 : 0
    const pauseMs = pauseAfter(slot.quickDeaths)
    log(`${name} ended with ${how}. Another one takes its place in ${pauseMs / 1000} s.`)
    setTimeout(() => isClosing || void begin(slot), pauseMs)
  }

  async function end(worker: WorkerProcess, isHurried: boolean): Promise<void> {
    const waiting = running.get(worker)
    if (!waiting) return
    const late = setTimeout(() => {
      log(`The worker with the process ${worker.pid} did not end in time, and is killed.`)
      worker.kill()
    }, closeWithinMs)
    const ended = new Promise<void>((resolve) => waiting.add(resolve))
    worker.send({ waymark: 'close', isHurried })
    await ended
    clearTimeout(late)
  }

  for (let number = 1; number <= count; number++) {
    const slot = { number, quickDeaths: 0 } as Slot
    slots.push(slot)
    void begin(slot)
  }
  let restarting: Promise<void> = Promise.resolve()
  return {
    started,
    async close({ isHurried = false } = {}) {
      isClosing = true
      await Promise.all([...running.keys()].map((worker) => end(worker, isHurried)))
    },
    kill() {
      isClosing = true
      for (const worker of running.keys()) worker.kill()
    },
    restart() {
      restarting = restarting.then(async () => {
        for (const slot of slots) {
          if (isClosing || !slot.isListening) continue
          const { worker } = slot
          if (!(await begin(slot, true))) {
            log('A new worker ended before it listened: the others stay as they are.')
            return
          }
          await end(worker, false)
        }
      })
      return restarting
    },
  }
}

/** @param quickDeaths in a row; the first one may be an accident */
export function pauseAfter(quickDeaths: number): number {
  return quickDeaths === 0 ? 0 : Math.min(firstPauseMs * 2 ** (quickDeaths - 1), longestPauseMs)
}
