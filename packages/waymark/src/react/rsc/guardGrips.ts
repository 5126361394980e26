import * as reactDom from 'react-dom'

/** React's functions for resource hints: each gets what `preload()` or its like was called with. */
type Hints = Record<string, unknown>

const name = '__DOM_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'

// Prefetch, preconnect, and the preloads and preinits. Others that React adds are wrapped as well.
const known = ['D', 'C', 'L', 'm', 'X', 'S', 'M']

/**
 * Puts a function before each of React's functions for resource hints, once its renderer has set
 * them.
 * @returns whether hints go through it; tried with one, which `wrap` has to keep
 */
export function wrapHints(
  wrap: (send: (...given: unknown[]) => unknown) => (...given: unknown[]) => unknown,
  preload: () => boolean,
  internals: unknown = (reactDom as Record<string, unknown>)[name],
): boolean {
  const hints = (internals as { d?: Hints } | undefined)?.d
  if (!hints || known.some((each) => typeof hints[each] !== 'function')) return false
  for (const [each, send] of Object.entries(hints)) {
    if (typeof send === 'function') hints[each] = wrap(send as (...given: unknown[]) => unknown)
  }
  return preload()
}
/**
 * Tells whether React interrupts a render because `use` waits; React exports no other way. With
 * another text it counts as an error: nothing behind the layout or page is sent.
 */
export function isSuspension(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.startsWith('Suspense Exception')
}
