import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { neverThrows } from '../shared/neverThrows.ts'

export type RunningResponses = ReturnType<typeof createRunningResponses>

/**
 * Stores the response that each connection waits for or receives. Node has the same information,
 * but not publicly.
 */
export function createRunningResponses() {
  const responses = new WeakMap<Duplex, ServerResponse | null>()
  return {
    /**
     * Registers a response. Call this function when the response gets the connection. A pipelined
     * response has to wait for the connection.
     */
    add(res: ServerResponse): void {
      const { socket } = res
      if (!socket) return
      responses.set(socket, res)
      // An open connection must not keep its last request in memory, so forget the response when it
      // ends.
      const forget = neverThrows(() => {
        if (responses.get(socket) === res) responses.set(socket, null)
      }, undefined)
      res.once('close', forget)
    },
    /** Returns the connection's current response, or `null` if all its responses have been sent. */
    of(socket: Duplex): ServerResponse | null {
      const res = responses.get(socket)
      // Node detaches a response that has been sent from its connection.
      return res?.socket === socket ? res : null
    },
  }
}
