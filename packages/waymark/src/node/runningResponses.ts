import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { neverThrows } from '../shared/neverThrows.ts'

export type RunningResponses = ReturnType<typeof createRunningResponses>

/** Stores the response that each connection waits for or receives, because Node's own record is private. */
export function createRunningResponses() {
  const responses = new WeakMap<Duplex, ServerResponse | null>()
  return {
    /** Call this once the response owns the connection, which a pipelined response must wait for. */
    add(res: ServerResponse): void {
      const { socket } = res
      if (!socket) return
      responses.set(socket, res)
      // An open connection must not keep its last request in memory.
      const forget = neverThrows(() => {
        if (responses.get(socket) === res) responses.set(socket, null)
      }, undefined)
      res.once('close', forget)
    },
    /** @returns `null` for a connection whose responses have all been sent */
    of(socket: Duplex): ServerResponse | null {
      const res = responses.get(socket)
      // Once a response has been sent, Node detaches it from its connection.
      return res?.socket === socket ? res : null
    },
  }
}
