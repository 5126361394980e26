import cluster from 'node:cluster'
import { neverThrows } from '../shared/neverThrows.ts'
import { closeUnclaimed } from './handedOver.ts'
import type { SupervisorMessage, WorkerEvents, WorkerMessage, WorkerProcess } from './supervisor.ts'

/** A worker's place among those of its supervisor. */
export type WorkerChannel = {
  /** Whether all workers listen. */
  isReady(): boolean
  tellListening(url: string): void
  /** Called when the supervisor wants the worker to end. */
  onClose(close: (isHurried: boolean) => void): void
  /** Lets the process end by itself: it can't serve. */
  leave(): void
}

/**
 * Takes the place of this process among workers.
 * @returns `null` when it is none
 */
export function joinWorker(): WorkerChannel | null {
  if (!cluster.isWorker) return null
  let isReady = false
  let close: (isHurried: boolean) => void = () => {}
  const onMessage = neverThrows((message: unknown) => {
    if (!isOurs(message)) return
    const told = message as SupervisorMessage
    if (told.waymark === 'ready') isReady = true
    else close(told.isHurried)
  }, undefined)
  process.on('message', onMessage)
  // Meant for the supervisor, and sent to all processes of a terminal or a service.
  process.on('SIGHUP', () => {})
  return {
    isReady: () => isReady,
    leave: () => process.channel?.unref(),
    onClose(closer) {
      close = closer
    },
    tellListening(url) {
      const message: WorkerMessage = { waymark: 'listening', url }
      process.send?.(message)
    },
  }
}

/** Starts a process like this one that shares its ports. */
export function forkWorker({ onListening, onExit }: WorkerEvents): WorkerProcess {
  const worker = cluster.fork()
  closeUnclaimed(worker.process)
  const onMessage = neverThrows((message: unknown) => {
    if (isOurs(message)) onListening((message as WorkerMessage).url)
  }, undefined)
  const onEnd = neverThrows((code: number, signal: string | null) => {
    onExit(signal ?? `code ${code}`)
  }, undefined)
  worker.on('message', onMessage)
  worker.on('exit', onEnd)
  // A worker that dies takes its channel along; its exit says all there is to say.
  worker.on('error', () => {})
  return {
    pid: worker.process.pid ?? 0,
    send: (message) => void (worker.isConnected() && worker.send(message, () => {})),
    kill: () => worker.process.kill('SIGKILL'),
  }
}

// An app may send messages of its own.
function isOurs(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'waymark' in message
}
