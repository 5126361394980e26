import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CacheDriver } from '../../cache/cacheDriver.ts'

/**
 * Runs something after all of the same key that came before it.
 * @param signal aborts when the time of the action is over: what has not begun then never does,
 * and what runs then is no longer waited for
 */
export type OrderedCall = <T>(
  key: string,
  run: () => T | Promise<T>,
  signal: AbortSignal,
) => Promise<T>

/** A call of an action that has an order. */
export type OrderedSlot = {
  readonly inTurn: OrderedCall
  /** It is over: nothing behind it waits for it any more. */
  leave(): void
}

/** Keeps actions of one key in line. */
export type ActionOrder = {
  /** @param turn as the client names it; `null` where it does not: its place is that of its arrival */
  arrive(actionId: string, turn: CallPosition | null): OrderedSlot
  /** Keeps them in line over all replicas, from now on. */
  attach(store: Locks): void
}

/** A call's own name, and those of the calls that its document made before it. */
export type CallPosition = { readonly own: string; readonly earlier: readonly string[] }

type Locks = Pick<CacheDriver, 'lock'>

const turnPattern = /^[\w-]{8,40}(?: [\w-]{8,40}){0,20}$/

/** Reads a turn. @returns `null` for what is none */
export function parseCallPosition(text: string | null): CallPosition | null {
  if (text === null || !turnPattern.test(text)) return null
  const [own = '', ...earlier] = text.split(' ')
  return { own, earlier }
}

// Earlier calls may have been lost on their way.
const waitForEarlierMs = 2_000
const lockTtlMs = 120_000
const askEveryMs = 50

/** Makes it: within this process, and where replicas share a store, over all of them. */
export function createActionOrder(): ActionOrder {
  const places = createCallSequence()
  const lanes = new Map<string, Promise<void>>()
  let store: Locks | null = null

  /** @returns the end of what stands before, and what to call at the own end */
  function enter(lane: string): { before: Promise<void>; end: () => void } {
    const before = lanes.get(lane) ?? Promise.resolve()
    let end = () => {}
    const own = new Promise<void>((resolve) => {
      end = resolve
    })
    const tail = before.then(() => own)
    lanes.set(lane, tail)
    void tail.then(() => {
      if (lanes.get(lane) === tail) lanes.delete(lane)
    })
    return { before, end }
  }

  async function runInLane<T>(lane: string, run: () => T | Promise<T>, signal: AbortSignal) {
    const { before, end } = enter(lane)
    try {
      await unlessAborted(before, signal)
      const release = store && (await lockLane(store, lane, signal))
      try {
        return await unlessAborted(Promise.resolve(run()), signal)
      } finally {
        await release?.()
      }
    } finally {
      end()
    }
  }

  return {
    attach(shared) {
      store = shared
    },
    arrive(actionId, turn) {
      const nameOf = (name: string) => `${actionId} ${name}`
      const leave = turn ? places.arrive(nameOf(turn.own)) : () => {}
      const earlier = (turn?.earlier ?? []).map(nameOf)
      return {
        leave,
        async inTurn(key, run, signal) {
          if (earlier.length > 0) {
            const late = sleep(waitForEarlierMs, undefined, { ref: false })
            await unlessAborted(Promise.race([places.stand(earlier), late]), signal)
          }
          const done = runInLane(laneOf(actionId, key), run, signal)
          leave()
          return done
        },
      }
    },
  }
}

async function lockLane(store: Locks, lane: string, signal: AbortSignal) {
  for (;;) {
    const release = await store.lock(`order:${lane}`, lockTtlMs)
    if (release && !signal.aborted) return release
    await release?.()
    signal.throwIfAborted()
    await sleep(askEveryMs)
  }
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

// Keys are the app's, of any length.
function laneOf(actionId: string, key: string): string {
  return createHash('sha256').update(`${actionId}\n${key}`).digest('base64url')
}

/** In which order the calls of a document stand, whatever order they arrive in. */
export type CallSequence = {
  /** A call has arrived. @returns to be called once it has its place, or needs none */
  arrive(name: string): () => void
  /** Resolves once these calls have theirs. */
  stand(names: readonly string[]): Promise<void>
}

type Place = { readonly taken: Promise<void>; readonly take: () => void }

/** Makes them. @param maxNames how many calls are remembered */
export function createCallSequence(maxNames = 5_000): CallSequence {
  const places = new Map<string, Place>()

  function placeOf(name: string): Place {
    const known = places.get(name)
    if (known) return known
    const place = createPlace()
    places.set(name, place)
    const [oldest] = places.keys()
    if (places.size > maxNames && oldest !== undefined) {
      places.get(oldest)?.take()
      places.delete(oldest)
    }
    return place
  }

  return {
    arrive: (name) => placeOf(name).take,
    async stand(names) {
      await Promise.all(names.map((name) => placeOf(name).taken))
    },
  }
}

function createPlace(): Place {
  let take = () => {}
  const taken = new Promise<void>((resolve) => {
    take = resolve
  })
  return { taken, take }
}
