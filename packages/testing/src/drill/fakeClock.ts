import { AsyncResource } from 'node:async_hooks'

/** Clock of a process under test. It runs at normal speed, and can be advanced. */
export type FakeClock = {
  /** Advances the clock, and runs due timers in order. A due interval only runs once. */
  advance(ms: number): void
}

type Timer = ReturnType<typeof setTimeout>
type PendingTimer = { dueAtMs: number; readonly run: () => void }

/**
 * Replaces `Date`, `setTimeout` and `setInterval` in this process, for the framework and the app.
 * `performance.now()` and Node's own timers are not replaced.
 * @param startMs time of the clock in milliseconds since the epoch; `null` for the current time
 */
export function installFakeClock(startMs: number | null): FakeClock {
  const RealDate = Date
  let offsetMs = startMs === null ? 0 : startMs - RealDate.now()
  const now = () => RealDate.now() + offsetMs
  globalThis.Date = new Proxy(RealDate, {
    construct: (_, args, target) =>
      Reflect.construct(RealDate, args.length ? args : [now()], target),
    apply: () => new RealDate(now()).toString(),
    get: (_, name) => (name === 'now' ? now : Reflect.get(RealDate, name)),
  })
  const pending = trackTimers(now)
  return {
    advance(ms) {
      offsetMs += ms
      const due = [...pending.values()].filter(({ dueAtMs }) => dueAtMs <= now())
      for (const { run } of due.sort((a, b) => a.dueAtMs - b.dueAtMs)) run()
    },
  }
}

/**
 * Replaces the timer functions to track which timers haven't run yet, and when each timer is due.
 */
function trackTimers(now: () => number): ReadonlyMap<Timer, PendingTimer> {
  const pending = new Map<Timer, PendingTimer>()
  const real = { setTimeout, setInterval, clearTimeout }
  type Callback = (...args: unknown[]) => void
  const replace = (name: 'setTimeout' | 'setInterval') => {
    const isOnce = name === 'setTimeout'
    const set = (callback: Callback, ms = 0, ...args: unknown[]): Timer => {
      const waitMs = Math.max(1, Number(ms) || 1)
      const run = AsyncResource.bind(() => {
        const entry = pending.get(timer)
        if (!entry) return
        entry.dueAtMs = now() + waitMs
        if (isOnce) {
          pending.delete(timer)
          real.clearTimeout(timer)
        }
        callback(...args)
      })
      const timer = real[name](run, waitMs)
      pending.set(timer, { dueAtMs: now() + waitMs, run })
      return timer
    }
    // Node's function has additional properties, such as its promise version.
    globalThis[name] = Object.assign(set, { ...real[name] }) as typeof setTimeout
  }
  replace('setTimeout')
  replace('setInterval')
  const clear = (timer: Timer | undefined) => {
    if (timer) pending.delete(timer)
    real.clearTimeout(timer)
  }
  globalThis.clearTimeout = clear as typeof clearTimeout
  globalThis.clearInterval = clear as typeof clearInterval
  return pending
}
