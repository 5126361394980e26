import type { ChildProcess } from 'node:child_process'
import { neverThrows } from '../shared/neverThrows.ts'

/** A connection on its way from the first process to a worker. */
type Handle = { close(): void }

/** What node:cluster sends with a connection, and what the worker says once it has it. */
type Message = { readonly act?: string; readonly seq?: number; readonly ack?: number }

/**
 * Closes the connections that were handed to a worker which ended before it took them. node:cluster
 * leaves them open with nobody at the other end, and a client would wait for ever; a connection
 * that is closed is tried again.
 * @param worker just started
 * @see https://github.com/nodejs/node/blob/v20.20.0/lib/internal/cluster/round_robin_handle.js
 */
export function closeUnclaimed(worker: ChildProcess): void {
  const untaken = new Map<number, Handle>()
  const send = worker.send.bind(worker) as (...sent: unknown[]) => boolean
  worker.send = (...sent: unknown[]) => {
    const [message, handle] = sent as [Message, Handle | undefined]
    if (message?.act === 'newconn' && message.seq !== undefined && handle) {
      untaken.set(message.seq, handle)
    }
    return send(...sent)
  }
  const take = neverThrows(({ ack }: Message) => {
    if (ack !== undefined) untaken.delete(ack)
  }, undefined)
  const closeAll = neverThrows(() => {
    for (const handle of untaken.values()) handle.close()
    untaken.clear()
  }, undefined)
  worker.on('internalMessage', take)
  worker.once('exit', closeAll)
}
