import type { ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import type { WorkerChannel } from 'waymark/plugin/node'
import { neverThrows } from './shared/neverThrows.ts'

export function joinWorker(): WorkerChannel | null {
  if (!cluster.isWorker) return null
  let isReady = false
  let close: (isHurried: boolean) => void = () => {}
  const onMessage = neverThrows((message: unknown) => {
    if (!isOurs<SupervisorMessage>(message)) return
    if (message.waymark === 'ready') isReady = true
    else close(message.isHurried)
  })
  process.on('message', onMessage)
  // Ignore SIGHUP, which terminals and service managers send to all processes. The supervisor handles
  // the signal for its workers.
  process.on('SIGHUP', () => {})
  return {
    isReady: () => isReady,
    isOther: cluster.worker?.id !== 1,
    reportListening(url) {
      process.send?.({ waymark: 'listening', url } satisfies ListeningMessage)
    },
    onClose(closer) {
      close = closer
    },
    leave: () => process.channel?.unref(),
  }
}

export function forkWorker({ onListening, onExit }: WorkerEvents): WorkerProcess {
  const worker = cluster.fork()
  closeUnclaimed(worker.process)
  const onMessage = neverThrows((message: unknown) => {
    if (isOurs<ListeningMessage>(message)) onListening(message.url)
  })
  const onEnd = neverThrows((code: number, signal: string | null) => {
    onExit(signal ?? `code ${code}`)
  })
  worker.on('message', onMessage)
  worker.on('exit', onEnd)
  // The worker's exit reports the error.
  worker.on('error', () => {})
  return {
    pid: worker.process.pid ?? 0,
    send: (message) => void (worker.isConnected() && worker.send(message, () => {})),
    kill: () => worker.process.kill('SIGKILL'),
  }
}

// True for Waymark's own messages, because the app may send messages, too.
function isOurs<Message>(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'waymark' in message
}

/**
 * Closes connections that were passed to a worker which ended before it accepted them. node:cluster leaves
 * them open, so their clients would wait forever. A client of a closed connection tries again.
 * @param worker a worker that was just started
 * @see https://github.com/nodejs/node/blob/v20.20.0/lib/internal/cluster/round_robin_handle.js
 */
export function closeUnclaimed(worker: ChildProcess): void {
  const unclaimed = new Map<number, { close(): void }>()
  const send = worker.send.bind(worker) as (...sent: unknown[]) => boolean
  worker.send = (...sent: unknown[]) => {
    const [message, handle] = sent as [ClusterMessage, { close(): void } | undefined]
    if (message?.act === 'newconn' && message.seq !== undefined && handle) {
      unclaimed.set(message.seq, handle)
    }
    return send(...sent)
  }
  const onAcknowledged = neverThrows(({ ack }: ClusterMessage) => {
    if (ack !== undefined) unclaimed.delete(ack)
  })
  const closeAll = neverThrows(() => {
    for (const handle of unclaimed.values()) handle.close()
  })
  worker.on('internalMessage', onAcknowledged)
  worker.once('exit', closeAll)
}

type ClusterMessage = { readonly act?: string; readonly seq?: number; readonly ack?: number }

export type ListeningMessage = { readonly waymark: 'listening'; readonly url: string }

export type SupervisorMessage =
  /** All workers are listening, so this worker may report that it is ready. */
  { readonly waymark: 'ready' } | { readonly waymark: 'close'; readonly isHurried: boolean }

export type WorkerProcess = {
  readonly pid: number
  send(message: SupervisorMessage): void
  kill(): void
}

export type WorkerEvents = {
  onListening(url: string): void
  /** @param how exit code or signal: `code 7`, `SIGKILL` */
  onExit(how: string): void
}

export type SupervisorOptions = {
  readonly count: number
  readonly fork: (events: WorkerEvents) => WorkerProcess
  readonly log: (line: string) => void
  readonly closeWithinMs: number
  readonly now?: () => number
}

type Slot = {
  readonly number: number
  worker?: WorkerProcess
  isListening: boolean
  startedAtMs: number
  /** Number of consecutive times that a worker died within `settledAfterMs` of its start. */
  quickDeaths: number
}

const firstPauseMs = 100
const longestPauseMs = 30_000
/** Milliseconds after which a running worker counts as started successfully. */
const settledAfterMs = 60_000

/** Starts workers, and replaces workers that die. */
export function createSupervisor(options: SupervisorOptions) {
  const crew = createCrew(options)
  const started = new Promise<string>((resolve, reject) => {
    crew.onStarted = resolve
    crew.onFailed = reject
  })
  for (const slot of crew.slots) void begin(crew, slot)
  let restarting: Promise<void> = Promise.resolve()
  return {
    /**
     * Resolves with the URL once all workers are listening. Rejects if a worker ends before it listens.
     */
    started,
    async close({ isHurried = false } = {}) {
      crew.isClosing = true
      await Promise.all([...crew.running.keys()].map((worker) => end(crew, worker, isHurried)))
    },
    kill() {
      crew.isClosing = true
      for (const worker of crew.running.keys()) worker.kill()
    },
    /** Replaces the workers one after another. Each worker closes once its replacement is listening. */
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
    running: new Map<WorkerProcess, Promise<void>>(),
    isReady: false,
    isClosing: false,
    onStarted(_url: string) {},
    onFailed(_error: Error) {},
  }
}

/**
 * @param isOccupied true if the old worker keeps the slot until the new worker listens
 * @returns true once the worker listens
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
    crew.onFailed(new Error(`${name} ended with ${how} before it was listening.`))
    return
  }
  const isQuick = crew.now() - slot.startedAtMs < settledAfterMs
  slot.quickDeaths = isQuick ? slot.quickDeaths + 1 : 0
  const pauseMs = pauseAfter(slot.quickDeaths)
  crew.log(`${name} ended with ${how}. A new worker starts in ${pauseMs / 1000} s.`)
  setTimeout(() => crew.isClosing || void begin(crew, slot), pauseMs)
}

async function replaceAll(crew: Crew): Promise<void> {
  for (const slot of crew.slots) {
    const { worker, isListening } = slot
    if (crew.isClosing || !isListening || !worker) continue
    if (!(await begin(crew, slot, true))) {
      crew.log(
        'The restart was stopped, because a new worker ended before it was listening. The other workers keep running.',
      )
      return
    }
    await end(crew, worker, false)
  }
}

async function end(crew: Crew, worker: WorkerProcess, isHurried: boolean): Promise<void> {
  const ended = crew.running.get(worker)
  if (!ended) return
  worker.send({ waymark: 'close', isHurried })
  const timeout = wait(crew.closeWithinMs, 'late' as const, { ref: false })
  if ((await Promise.race([ended, timeout])) !== 'late') return
  crew.log(`The worker process ${worker.pid} didn't end in time, so it is killed.`)
  worker.kill()
  await ended
}

/**
 * @param quickDeaths number of consecutive deaths; the first death causes no pause, because it may be an
 * accident
 */
export function pauseAfter(quickDeaths: number): number {
  return quickDeaths === 0 ? 0 : Math.min(firstPauseMs * 2 ** (quickDeaths - 1), longestPauseMs)
}
