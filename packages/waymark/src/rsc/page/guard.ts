import { AsyncLocalStorage } from 'node:async_hooks'
import { createElement, type ReactNode } from 'react'
import { isThenable } from '../../shared/promises.ts'
import { findScope } from '../request/scope.ts'

/**
 * Tells if all layouts around a place let the request pass. A route's layouts and page run at the
 * same time, but the output of each waits for the layouts around it. If a layout refuses, no
 * content inside it leaves the server.
 */
export type Guard = {
  /**
   * `pending` until this layout and all layouts around it have rendered, or one of them has
   * refused.
   */
  readonly verdict: 'pending' | 'passed' | 'refused'
  /** Calls the listener with the verdict, at once if it is known. */
  onVerdict(listener: (hasPassed: boolean) => void): void
  /** Records the decision of the layout itself. @param hasPassed false if the layout has refused */
  settle(hasPassed: boolean): void
}

/** Creates a layout's guard. @param outer guard of the layouts around it */
export function createGuard(outer: Guard | null): Guard {
  let layoutPasses: boolean | null = null
  let listeners: ((hasPassed: boolean) => void)[] = []

  function update(): void {
    const around = outer?.verdict ?? 'passed'
    if (
      guard.verdict !== 'pending' ||
      layoutPasses === null ||
      (layoutPasses && around === 'pending')
    )
      return
    const hasPassed = layoutPasses && around === 'passed'
    guard.verdict = hasPassed ? 'passed' : 'refused'
    for (const listener of listeners) listener(hasPassed)
    listeners = []
  }

  const guard = {
    verdict: 'pending' as Guard['verdict'],
    onVerdict(listener: (hasPassed: boolean) => void) {
      if (guard.verdict === 'pending') listeners.push(listener)
      else listener(guard.verdict === 'passed')
    },
    settle(hasPassed: boolean) {
      layoutPasses = hasPassed
      update()
    },
  }
  outer?.onVerdict(update)
  return guard
}

export function joinGuards(guards: readonly (Guard | null | undefined)[]): Guard | null {
  const all = new Set(guards.filter((guard) => guard != null))
  let joined: Guard | null = null
  for (const guard of all) {
    if (joined === null) {
      joined = guard
      continue
    }
    const both: Guard = createGuard(joined)
    guard.onVerdict(both.settle)
    joined = both
  }
  return joined
}

/**
 * Runs a layout or page as a guard and drops its output. Not an async function, because React must
 * catch the object that `use` throws.
 */
export function runSilently(render: () => unknown) {
  const output = render()
  return isThenable(output) ? Promise.resolve(output).then(() => null) : null
}

/**
 * Waits for the guard's verdict. Returns the value if the guard passes, or `null` if it refuses.
 */
export function onceGuarded<T>(guard: Guard | null, value: T): T | null | Promise<T | null> {
  if (guard === null || guard.verdict === 'passed') return value
  if (guard.verdict === 'refused') return null
  return new Promise((resolve) => guard.onVerdict((hasPassed) => resolve(hasPassed ? value : null)))
}

/** Returns a node that is sent once the guard passes, and stays empty if it refuses. */
export function guarded(guard: Guard | null, node: ReactNode): ReactNode {
  if (guard === null) return node
  // Use a component without props, because React would write the node into its debug rows in development.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  return createElement(function Guarded() {
    return onceGuarded(guard, node)
  })
}

const guards = new AsyncLocalStorage<Guard>()

/** Runs a layout or page, and makes its resource hints wait for the guard. See `reactDom.ts`. */
export function withGuardedHints<T>(guard: Guard | null, run: () => T): T {
  return guard === null || guard.verdict === 'passed' ? run() : guards.run(guard, run)
}

/**
 * Wraps a function that sends a resource hint at once, such as `preload()`. The wrapped function
 * sends a layout's or page's hint only when its guard passes.
 */
export function guardedHint<Args extends unknown[]>(
  send: (...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    const guard = guards.getStore()
    // In a cached function, hints are part of the result and are sent when the result is decoded,
    // so don't delay them.
    if (!guard || guard.verdict === 'passed' || findScope()?.phase === 'cache') return send(...args)
    const inRender = AsyncLocalStorage.snapshot()
    guard.onVerdict((hasPassed) => {
      if (hasPassed) inRender(send, ...args)
    })
  }
}
