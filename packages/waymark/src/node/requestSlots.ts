import type { ServerResponse } from 'node:http'
import { neverThrows } from '../shared/neverThrows.ts'

/** What a server is doing. */
export type RequestCounts = {
  /** Requests that hold a slot. */
  readonly runningRequests: number
  /** Handlers that still run though their client has left: an app that waits for ever. */
  readonly abandonedRequests: number
}

/** The places of requests in the handler. */
export type RequestSlots = {
  isFull(): boolean
  /** For how long no slot has been free. */
  fullForMs(): number
  /**
   * Takes a slot. It is free again once the handler is done, or soon after the response closed.
   * @returns to be called when the handler is done
   */
  take(res: ServerResponse): () => void
  counts(): RequestCounts
}

/** How many slots there are, and when they are given back. */
export type RequestSlotsOptions = {
  readonly max: number
  /**
   * How long a handler whose client left keeps its slot: without it, clients that leave at once
   * could have any number of handlers run. Default 1 s.
   */
  readonly graceMs?: number
  /** Milliseconds, of a clock that only goes forward. */
  readonly now?: () => number
}

/** Creates the slots of a server, all of them free. */
export function createRequestSlots(options: RequestSlotsOptions): RequestSlots {
  const { max, graceMs = 1_000, now = () => performance.now() } = options
  let running = 0
  let abandoned = 0
  let fullSinceMs = now()

  function acquire(): void {
    running++
    if (running === max) fullSinceMs = now()
  }

  function take(res: ServerResponse): () => void {
    acquire()
    let isAbandoned = false
    let grace: NodeJS.Timeout | undefined
    const abandon = () => {
      isAbandoned = true
      running--
      abandoned++
    }
    const onClose = neverThrows(() => {
      grace = setTimeout(abandon, graceMs)
    }, undefined)
    res.once('close', onClose)
    return () => {
      res.off('close', onClose)
      clearTimeout(grace)
      if (isAbandoned) abandoned--
      else running--
    }
  }

  return {
    isFull: () => running >= max,
    fullForMs: () => (running >= max ? now() - fullSinceMs : 0),
    take,
    counts: () => ({ runningRequests: running, abandonedRequests: abandoned }),
  }
}
