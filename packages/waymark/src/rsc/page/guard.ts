import { AsyncLocalStorage } from 'node:async_hooks'
import { createElement, type ReactNode } from 'react'
import { isThenable } from '../../shared/promises.ts'
import { findScope } from '../request/scope.ts'

/**
 * Reports if all layouts around a place let the request pass. The layouts and the page of a route run at the same time,
 * but the output of each waits for the layouts around it, so that no content inside a layout that refuses leaves the
 * server.
 */
export type Guard = {
  /** `pending` until this layout and all layouts around it have rendered, or one of these layouts has refused. */
  readonly verdict: 'pending' | 'passed' | 'refused'
  /** Calls back with the verdict, at once if the verdict is known. */
  onVerdict(listener: (hasPassed: boolean) => void): void
  /** Reports if the layout itself lets the request pass. */
  settle(hasPassed: boolean): void
}

/** Creates the guard of a layout. @param outer guard of the layouts around this layout */
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
 * Runs a layout or page as a guard, without output. The function isn't async, because React must catch the object that
 * `use` throws.
 */
export function runSilently(component: (props: unknown) => unknown, props: unknown) {
  const output = component(props)
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

/** Returns a node that is sent once the guard has passed, and stays empty if the guard refuses. */
export function guarded(guard: Guard | null, node: ReactNode): ReactNode {
  if (guard === null) return node
  // Use a component without props, because React would write the node into its debug rows in development.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  return createElement(function Guarded() {
    return onceGuarded(guard, node)
  })
}

const guards = new AsyncLocalStorage<Guard>()

/** Runs a layout or page and makes its resource hints wait for the guard, as described in `reactDom.ts`. */
export function withGuardedHints<T>(guard: Guard | null, run: () => T): T {
  return guard === null || guard.verdict === 'passed' ? run() : guards.run(guard, run)
}

/**
 * Wraps a function that sends a resource hint at once, such as `preload()`. The hint of a layout or
 * page is sent once its guard has passed, and never if the guard refuses.
 */
export function guardedHint<Args extends unknown[]>(
  send: (...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    const guard = guards.getStore()
    // Don't delay the hints in a cached function, because they are part of its result and are sent when the result is
    // decoded.
    if (!guard || guard.verdict === 'passed' || findScope()?.phase === 'cache') return send(...args)
    const inRender = AsyncLocalStorage.snapshot()
    guard.onVerdict((hasPassed) => {
      if (hasPassed) inRender(send, ...args)
    })
  }
}
