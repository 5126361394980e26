import { AsyncLocalStorage } from 'node:async_hooks'
import { __DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE as internals } from 'react-dom'
import { findScope } from '../request/scope.ts'
import type { Guard } from './guard.ts'

declare module 'react-dom' {
  /** React's renderers put their functions for resource hints here, by a letter for each kind. */
  export const __DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: {
    readonly d: Record<(typeof hints)[number], (...given: unknown[]) => unknown>
  }
}

// Prefetch, preconnect, and the preloads and preinits.
const hints = ['D', 'C', 'L', 'm', 'X', 'S', 'M'] as const

// Of the layout or page that runs, where the layouts around it have not all rendered.
const guards = new AsyncLocalStorage<Guard>()

/**
 * Runs a layout or page whose output waits for a guard. `preload()` and its like leave at once,
 * apart from any output: what it calls of them waits for the guard, too.
 */
export function withGuardedHints<T>(guard: Guard | null, run: () => T): T {
  return guard === null || guard.verdict === 'passed' ? run() : guards.run(guard, run)
}

/**
 * Puts the guards before React's functions for resource hints. To be called once React's
 * renderer has put its own there.
 */
export function guardResourceHints(): void {
  const { d: dispatcher } = internals
  for (const name of hints) {
    const send = dispatcher[name]
    dispatcher[name] = (...given) => {
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
}
