import { AsyncLocalStorage } from 'node:async_hooks'
import { preload } from 'react-dom'
import { wrapHints } from '../../react/rsc/guardGrips.ts'
import { findScope } from '../request/scope.ts'
import type { OutputBarrier } from './outputBarrier.ts'

// Of the layout or page that runs, where the layouts around it have not all rendered.
const barriers = new AsyncLocalStorage<OutputBarrier>()

let areGuarded = false

/**
 * Runs a layout or page whose output waits for a barrier. `preload()` and its like leave at once,
 * apart from any output: what it calls of them waits for the barrier, too.
 */
export function withGuardedHints<T>(barrier: OutputBarrier | null, run: () => T): T {
  return barrier === null || barrier.isOpen ? run() : barriers.run(barrier, run)
}

/**
 * Whether a layout or page may run before its barrier is known. Where React's functions for hints can't be
 * replaced, it waits, so that no hint leaves the server before the layouts around it have rendered.
 */
export function mayRunBefore(barrier: OutputBarrier | null): boolean {
  return barrier === null || barrier.isOpen === true || areGuarded
}

/**
 * Puts the barriers before React's functions for resource hints. To be called once React's
 * renderer has put its own there.
 * @param internals React's own; others in tests
 */
export function guardResourceHints(internals?: unknown): void {
  areGuarded = wrapHints(guarded, holdsBack, internals)
}

function guarded(send: (...given: unknown[]) => unknown) {
  return (...given: unknown[]) => {
    const barrier = barriers.getStore()
    // A cached function has its hints in its result, and they leave when that is decoded.
    if (!barrier || barrier.isOpen || findScope()?.phase === 'cache') return send(...given)
    const inRender = AsyncLocalStorage.snapshot()
    barrier.whenKnown((isOpen) => {
      if (isOpen) inRender(send, ...given)
    })
    return undefined
  }
}

/** Whether a hint behind a barrier reaches the barrier. */
function holdsBack(): boolean {
  let isHeld = false
  const barrier: OutputBarrier = {
    isOpen: null,
    whenKnown: () => {
      isHeld = true
    },
    settle() {},
  }
  barriers.run(barrier, () => preload('/', { as: 'fetch' }))
  return isHeld
}
