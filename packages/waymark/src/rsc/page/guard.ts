import { AsyncLocalStorage } from 'node:async_hooks'
import { createElement, type ReactNode } from 'react'
import { preload } from 'react-dom'
import { wrapHints } from '../../react/rsc/guardGrips.ts'
import { findScope } from '../request/scope.ts'

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

// Of the layout or page that runs, where the layouts around it have not all rendered.
const guards = new AsyncLocalStorage<Guard>()

let areGuarded = false

/**
 * Runs a layout or page whose output waits for a guard. `preload()` and its like leave at once,
 * apart from any output: what it calls of them waits for the guard, too.
 */
export function withGuardedHints<T>(guard: Guard | null, run: () => T): T {
  return guard === null || guard.verdict === 'passed' ? run() : guards.run(guard, run)
}

/**
 * Whether a layout or page may run before its guard is known. Where React's functions for hints can't
 * be replaced, it waits, so that no hint leaves the server before the layouts around it have rendered.
 */
export function mayRunBefore(guard: Guard | null): boolean {
  return guard === null || guard.verdict === 'passed' || areGuarded
}

/**
 * Puts the guards before React's functions for resource hints. To be called once React's
 * renderer has put its own there.
 * @param internals React's own; others in tests
 */
export function guardResourceHints(internals?: unknown): void {
  areGuarded = wrapHints(guardedHint, holdsBack, internals)
}

function guardedHint(send: (...given: unknown[]) => unknown) {
  return (...given: unknown[]) => {
    const guard = guards.getStore()
    // A cached function has its hints in its result, and they leave when that is decoded.
    if (!guard || guard.verdict === 'passed' || findScope()?.phase === 'cache')
      return send(...given)
    const inRender = AsyncLocalStorage.snapshot()
    guard.onVerdict((hasPassed) => {
      if (hasPassed) inRender(send, ...given)
    })
    return undefined
  }
}

/** Whether a hint behind a guard reaches the guard. */
function holdsBack(): boolean {
  let isHeld = false
  const guard: Guard = {
    verdict: 'pending',
    onVerdict() {
      isHeld = true
    },
    settle() {},
  }
  guards.run(guard, () => preload('/', { as: 'fetch' }))
  return isHeld
}
