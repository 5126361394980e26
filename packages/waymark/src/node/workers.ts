import type { ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import { neverThrows } from '../shared/neverThrows.ts'
import type {
  ListeningMessage,
  SupervisorMessage,
  WorkerEvents,
  WorkerProcess,
} from './supervisor.ts'

export type WorkerChannel = NonNullable<ReturnType<typeof joinWorker>>

/** @returns `null` when this process is no worker */
export function joinWorker() {
  if (!cluster.isWorker) return null
  let isReady = false
  let close: (isHurried: boolean) => void = () => {}
  const onMessage = neverThrows((message: unknown) => {
    if (!isOurs<SupervisorMessage>(message)) return
    if (message.waymark === 'ready') isReady = true
    else close(message.isHurried)
  }, undefined)
  process.on('message', onMessage)
  // A terminal or a service sends SIGHUP to all processes; the supervisor handles it.
  process.on('SIGHUP', () => {})
  return {
    isReady: () => isReady,
    reportListening(url: string) {
      process.send?.({ waymark: 'listening', url } satisfies ListeningMessage)
    },
    onClose(closer: typeof close) {
      close = closer
    },
    /** Lets the process end by itself after a failed start. */
    leave: () => process.channel?.unref(),
  }
}

export function forkWorker({ onListening, onExit }: WorkerEvents): WorkerProcess {
  const worker = cluster.fork()
  closeUnclaimed(worker.process)
  const onMessage = neverThrows((message: unknown) => {
    if (isOurs<ListeningMessage>(message)) onListening(message.url)
  }, undefined)
  const onEnd = neverThrows((code: number, signal: string | null) => {
    onExit(signal ?? `code ${code}`)
  }, undefined)
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

// An app may send messages, too.
function isOurs<Message>(message: unknown): message is Message {
  return typeof message === 'object' && message !== null && 'waymark' in message
}

/**
 * Closes connections passed to a worker that ended before it accepted them. node:cluster leaves
 * them open, and a client would wait for ever; after a close the client tries again.
 * @param worker just started
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
  }, undefined)
  const closeAll = neverThrows(() => {
    for (const handle of unclaimed.values()) handle.close()
  }, undefined)
  worker.on('internalMessage', onAcknowledged)
  worker.once('exit', closeAll)
}

/** A message of node:cluster with a connection, and the worker's acknowledgement. */
type ClusterMessage = { readonly act?: string; readonly seq?: number; readonly ack?: number }
