import { createElement, type ReactNode } from 'react'

/**
 * Whether the layouts down to a place let this request pass. Layouts and page of a route run side
 * by side. What they render waits for the layouts around it, so that nothing from behind a layout
 * that refuses leaves the server.
 */
export type Guard = {
  /** `pending` until this layout and all around it have rendered, or one of them has refused. */
  readonly verdict: 'pending' | 'passed' | 'refused'
  /** Calls back with the verdict: at once where it is known. */
  onVerdict(listener: (hasPassed: boolean) => void): void
  /** Reports whether the layout itself lets the request pass. */
  settle(hasPassed: boolean): void
}

/** Creates the guard of a layout. @param outer that of the layouts around it */
export function createGuard(outer: Guard | null): Guard {
  let own: boolean | null = null
  let listeners: ((hasPassed: boolean) => void)[] = []

  function update(): void {
    const around = outer?.verdict ?? 'passed'
    if (guard.verdict !== 'pending' || own === null || (own && around === 'pending')) return
    const hasPassed = own && around === 'passed'
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
      own = hasPassed
      update()
    },
  }
  outer?.onVerdict(update)
  return guard
}

/** One guard for several: it has passed once all of them have. */
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

/** A value, once its guard has passed; `null` once it has refused. */
export function onceGuarded<T>(guard: Guard | null, value: T): T | null | Promise<T | null> {
  if (guard === null || guard.verdict === 'passed') return value
  if (guard.verdict === 'refused') return null
  return new Promise((resolve) => guard.onVerdict((hasPassed) => resolve(hasPassed ? value : null)))
}

/** A node that is sent once its guard has passed, and is empty where it refuses. */
export function guarded(guard: Guard | null, node: ReactNode): ReactNode {
  if (guard === null) return node
  // No props: the dev server would write the node into its debug rows.
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  return createElement(function Guarded() {
    return onceGuarded(guard, node)
  })
}
