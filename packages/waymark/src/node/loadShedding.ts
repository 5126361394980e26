import { performance } from 'node:perf_hooks'
import { setImmediate, setTimeout } from 'node:timers'
import type { LoadShedding } from '../builds/builtServer.ts'
import { neverThrows } from '../shared/neverThrows.ts'

export type LoadSheddingOptions = LoadShedding & {
  /** Maximum number of requests that may be in the handler. */
  readonly maxRunning: number
  /** Called when the server starts to refuse requests. */
  readonly onOverload?: (() => void) | undefined
  /** Called once the server has refused nothing for ten seconds. */
  readonly onRecovery?: ((episode: OverloadEpisode) => void) | undefined
  readonly loop?: EventLoop
}

/** A time in which the server refused requests. */
export type OverloadEpisode = { readonly refused: number; readonly seconds: number }

/** The event loop, which tests replace. */
export type EventLoop = {
  /** Returns the time of a monotonic clock in milliseconds. */
  now(): number
  /** Returns the milliseconds for which the loop has had nothing to do since the process started. */
  idleMs(): number
  /** Returns the processor time of this thread, or else of the process, in milliseconds. */
  cpuMs(): number
  after(ms: number, run: () => void): void
  /** Calls a function after the loop has looked for new connections and requests. */
  nextTurn(run: () => void): void
  /** Calls a function once the promises that can settle now have settled. */
  settle(run: () => void): void
}

/** A request that waits for its turn. */
export type WaitingRequest = {
  /** True if the client has left. */
  readonly isGone: () => boolean
  /** Handles the request, and passes the promise of its response to `track()`. */
  readonly run: () => void
}

export type Shedding = ReturnType<typeof createLoadShedding>

// Milliseconds between samples of the event loop.
const sampleMs = 10
// The loop is saturated if it has been idle for less than the first share of this time. It has time
// left if it is idle for more than the second share.
const saturatedMs = 50
const saturatedShare = 0.02
const freeShare = 0.1
// Milliseconds for which a turn of the loop starts requests, even if the loop isn't saturated.
const freeTurnMs = 20
// Milliseconds of processor time in a turn of the saturated loop in which waiting requests start.
// Within these bounds, as long as the rest of the turn, in which new requests are read and refused.
const shortestTurnMs = 6
const longestTurnMs = 50
// Milliseconds of processor time for which a saturated loop only accepts connections, if there are
// any.
const acceptMs = 10
// Most and fewest requests that run at a time on a saturated loop. With fewer, the processor's caches
// lose the code of a small page between turns, and each page takes twice the time. With more, the turns
// of a large page are so long that connections wait.
const maxLimit = 24
const minLimit = 4
// The limit shrinks while the rest of a turn takes longer, and grows while it takes less than half.
const longRestMs = 10
// This many requests may always wait, so that a slow page doesn't cause refusals on a quiet site.
const minQueued = 100
// Milliseconds without an empty queue after which the overload isn't a short burst.
const burstMs = 1_000
// Requests of a short burst may wait for this many times the usual time.
const burstFactor = 2
// A sample counts as at most this long, so that garbage collection, a debugger or a laptop that
// wakes up doesn't look like an overload.
const longestSampleMs = 100
// V8 hasn't compiled the app in the first seconds, so only the number of waiting requests counts.
const warmUpMs = 10_000
// Milliseconds without a refusal after which the overload has ended.
const recoveryMs = 10_000
// A request doesn't count as running if it waits for data. The loop tells: it was idle since the
// request began. Without idle time, a request that has run for longer mostly waits for data.
const longestRunMs = 250
// Prefetches may wait for this share of the time.
const speculativeShare = 0.2

/**
 * Decides which requests run at once, which wait, and which are refused.
 *
 * In each turn, the event loop reads all requests that have arrived, and accepts one connection. At
 * twice the load that a server can take, each turn lasts twice as long as the one before. Soon,
 * clients give up before their response, or before they have a connection. So while the loop is
 * saturated, requests wait here, in order, and only a few of them start in each turn. Connections
 * come first, since only a request that has arrived can be refused.
 *
 * The queue is bounded by the time that its last request would wait. As in CoDel (RFC 8289), a burst
 * may fill it, but a queue that stays full is shortened.
 */
export function createLoadShedding(options: LoadSheddingOptions) {
  const { maxQueueMs = 200, maxQueued = 1_000, maxRunning, loop = nodeLoop } = options
  const onOverload = neverThrows(() => options.onOverload?.(), undefined)
  const onRecovery = neverThrows((end: OverloadEpisode) => options.onRecovery?.(end), undefined)
  const queue: WaitingRequest[] = []
  // How many requests may run at a time. No limit while the loop has time left.
  let limit = Number.POSITIVE_INFINITY
  // Running requests that started in this period of `longestRunMs`, and in the one before.
  let recent = { running: 0 }
  let earlier = { running: 0 }
  let rotatedAtMs = 0
  let isSampling = false
  let sampledAtMs = 0
  let idleAtMs = 0
  let saturatedForMs = 0
  let isInTurn = false
  let turnBeganMs = 0
  let isPumping = false
  let turnEndsMs = 0
  let turnEndedMs = 0
  let hasAccepted = false
  // Processor time of a turn apart from the requests that it starts, with exponential decay.
  let restDecayedMs = 0
  // How fast requests leave the queue, with exponential decay.
  let dequeued = 0
  let dequeuedDecayed = 0
  let elapsedDecayedMs = 0
  let wasEmpty = true
  let queuedForMs = 0
  let warmAtMs: number | null = null
  let refusedTotal = 0
  let episode: { sinceMs: number; lastMs: number; refused: number } | null = null

  const running = () => recent.running + earlier.running
  const isSaturated = () => saturatedForMs >= saturatedMs

  /** True if this turn of the loop has time left for a request that has just arrived. */
  function isFree(): boolean {
    if (queue.length > 0 || running() >= limit || isSaturated()) return false
    if (isInTurn) return loop.now() - turnBeganMs < freeTurnMs
    isInTurn = true
    turnBeganMs = loop.now()
    loop.nextTurn(() => {
      isInTurn = false
    })
    return true
  }

  function isTooLong(isSpeculative: boolean): boolean {
    if (queue.length >= maxQueued) return true
    if (queue.length < minQueued || dequeuedDecayed === 0) return false
    if (loop.now() < (warmAtMs ?? 0)) return false
    const waitMs = queue.length * (elapsedDecayedMs / dequeuedDecayed)
    if (isSpeculative) return waitMs > maxQueueMs * speculativeShare
    return waitMs > (queuedForMs < burstMs ? maxQueueMs * burstFactor : maxQueueMs)
  }

  function startSampling(): void {
    if (isSampling) return
    isSampling = true
    sampledAtMs = loop.now()
    idleAtMs = loop.idleMs()
    saturatedForMs = 0
    warmAtMs ??= sampledAtMs + warmUpMs
    loop.after(sampleMs, sample)
  }

  function sample(): void {
    const nowMs = loop.now()
    const elapsedMs = nowMs - sampledAtMs
    sampledAtMs = nowMs
    if (nowMs - rotatedAtMs > longestRunMs) {
      earlier = recent
      recent = { running: 0 }
      rotatedAtMs = nowMs
    }
    measureQueue(elapsedMs)
    adaptLimit(elapsedMs)
    startWaiting()
    if (episode && nowMs - episode.lastMs > recoveryMs) {
      const { refused, sinceMs, lastMs } = episode
      episode = null
      onRecovery({ refused, seconds: Math.ceil((lastMs - sinceMs) / 1000) })
    }
    isSampling =
      queue.length > 0 || running() > 0 || limit < Number.POSITIVE_INFINITY || episode !== null
    isSampling ||= saturatedForMs > 0
    if (isSampling) loop.after(sampleMs, sample)
  }

  function measureQueue(elapsedMs: number): void {
    if (wasEmpty) queuedForMs = 0
    else {
      queuedForMs += Math.min(elapsedMs, longestSampleMs)
      dequeuedDecayed = dequeuedDecayed * 0.9 + dequeued
      const longestMs = Math.max(longestSampleMs, elapsedDecayedMs)
      elapsedDecayedMs = elapsedDecayedMs * 0.9 + Math.min(elapsedMs, longestMs)
    }
    dequeued = 0
    wasEmpty = queue.length === 0
  }

  function adaptLimit(elapsedMs: number): void {
    const idleNowMs = loop.idleMs()
    const idleShare = (idleNowMs - idleAtMs) / elapsedMs
    idleAtMs = idleNowMs
    if (idleShare > freeShare) {
      limit = Math.ceil(limit * 1.5)
      if (limit > maxRunning) {
        limit = Number.POSITIVE_INFINITY
        // The next overload may be by other pages, so forget the rate.
        dequeuedDecayed = 0
        elapsedDecayedMs = 0
      }
    }
    if (idleShare > saturatedShare) {
      saturatedForMs = 0
      // The loop had nothing to do, so all requests that run wait for data.
      recent = { running: 0 }
      earlier = { running: 0 }
      return
    }
    saturatedForMs += Math.min(elapsedMs, saturatedMs / 2)
    if (!isSaturated()) return
    limit = Math.min(limit, maxLimit)
    // Wait until an earlier cut has taken effect.
    if (running() > limit) return
    if (restDecayedMs > longRestMs) limit = Math.max(minLimit, Math.floor(limit * 0.7))
    else if (restDecayedMs < longRestMs / 2 && limit < maxLimit) limit++
  }

  function startWaiting(): void {
    if (isPumping || queue.length === 0) return
    isPumping = true
    endTurn()
  }

  function endTurn(): void {
    turnEndedMs = loop.cpuMs()
    loop.nextTurn(startTurn)
  }

  function startTurn(): void {
    const cpuMs = loop.cpuMs()
    const restMs = cpuMs - turnEndedMs
    if (hasAccepted && restMs < acceptMs) {
      hasAccepted = false
      loop.nextTurn(startTurn)
      return
    }
    restDecayedMs = restDecayedMs * 0.8 + restMs * 0.2
    turnEndsMs = cpuMs + Math.min(longestTurnMs, Math.max(shortestTurnMs, restMs))
    startNext()
  }

  function startNext(): void {
    while (queue[0]?.isGone()) takeNext()
    const request = running() < limit ? takeNext() : undefined
    if (queue.length === 0) wasEmpty = true
    // The end of another request, or a larger limit, continues.
    isPumping = request !== undefined
    if (!request) return
    try {
      request.run()
    } finally {
      loop.settle(() => (loop.cpuMs() < turnEndsMs ? startNext() : endTurn()))
    }
  }

  function takeNext(): WaitingRequest | undefined {
    const request = queue.shift()
    if (request) dequeued++
    return request
  }

  return {
    /** Call this for each connection. */
    accepted(): void {
      hasAccepted = true
    },
    /**
     * Decides about a request that has arrived.
     * @param isSpeculative true for a prefetch, which is refused before other requests
     */
    admit(isSpeculative: boolean): 'run' | 'wait' | 'refuse' {
      startSampling()
      if (isFree()) return 'run'
      return isTooLong(isSpeculative) ? 'refuse' : 'wait'
    },
    wait(request: WaitingRequest): void {
      queue.push(request)
      startWaiting()
    },
    /** Counts a request as running until its response is ready. A streamed body doesn't count. */
    track(response: Promise<unknown>): void {
      const since = recent
      since.running++
      const end = () => {
        since.running--
        startWaiting()
      }
      response.then(end, end)
    },
    refused(): void {
      refusedTotal++
      const nowMs = loop.now()
      if (!episode) {
        episode = { sinceMs: nowMs, lastMs: nowMs, refused: 0 }
        onOverload()
      }
      episode.refused++
      episode.lastMs = nowMs
    },
    counts: () => ({
      /** Number of requests that wait because the server is busy. */
      waitingRequests: queue.length,
      /** Number of requests that were refused because the server was overloaded. */
      refusedRequests: refusedTotal,
    }),
  }
}

// The imports are the real timers, even while a test of the app has replaced the global ones.
const nodeLoop: EventLoop = {
  now: () => performance.now(),
  idleMs: () => performance.eventLoopUtilization().idle,
  cpuMs() {
    // `cpuUsage()` adds up all threads, which took a tenth of an overloaded server's time. The types
    // are older than Node 23.9, which added `threadCpuUsage()`.
    const { threadCpuUsage } = process as { threadCpuUsage?: () => NodeJS.CpuUsage }
    const { user, system } = threadCpuUsage?.call(process) ?? process.cpuUsage()
    return (user + system) / 1000
  },
  after: (ms, run) => void setTimeout(run, ms).unref(),
  nextTurn: (run) => void setImmediate(run),
  // Node runs all microtasks before the next tick.
  settle: (run) => queueMicrotask(() => process.nextTick(run)),
}
