import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { neverThrows } from '../shared/neverThrows.ts'

export type RunningResponses = ReturnType<typeof createRunningResponses>

/** Stores the response that each connection waits for or receives, because Node's own record is private. */
export function createRunningResponses() {
  const responses = new WeakMap<Duplex, ServerResponse | null>()
  return {
    /**
     * Registers a response. Call this only once the response owns the connection, because a pipelined response doesn't
     * own it at first.
     */
    add(res: ServerResponse): void {
      const { socket } = res
      if (!socket) return
      responses.set(socket, res)
      // Forget the response when it ends, because an open connection must not keep its last request in memory.
      const forget = neverThrows(() => {
        if (responses.get(socket) === res) responses.set(socket, null)
      }, undefined)
      res.once('close', forget)
    },
    /** Returns the connection's current response, or `null` if all its responses have been sent. */
    of(socket: Duplex): ServerResponse | null {
      const res = responses.get(socket)
      // Ignore a response that has been sent. Node detaches such a response from its connection.
      return res?.socket === socket ? res : null
    },
  }
}
