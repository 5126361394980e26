import { AsyncLocalStorage } from 'node:async_hooks'
import { preload } from 'react-dom'
import { wrapHints } from '../../react/rsc/guardGrips.ts'
import { findScope } from '../request/scope.ts'
import type { Guard } from './guard.ts'

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
