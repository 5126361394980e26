import { createElement, type ReactNode, use } from 'react'

type Render = (
  node: ReactNode,
  options: { readonly onError: (thrown: unknown) => string },
) => { readonly abort: () => void }

/** The object that `use` throws to suspend a component; `null` until it has been observed. */
let suspension: { readonly thrown: unknown } | null = null
let isObserved = false

/**
 * Finds the object that `use` throws when a component suspends. It is always the same object, but
 * React doesn't export it, so this function renders a component that suspends, once before the
 * first page. Without the object, a suspended layout or page would count as failed, and its content
 * wouldn't be sent.
 * @param render React's renderer for server components
 */
export function observeSuspension(render: Render, waitFor: typeof use = use): void {
  if (isObserved) return
  isObserved = true
  const never = new Promise<never>(() => {})
  // biome-ignore lint/correctness/noComponentHookFactories: it runs once, on the server
  function Waiting() {
    try {
      waitFor(never)
    } catch (thrown) {
      suspension = { thrown }
      throw thrown
    }
    return null
  }
  const { abort } = render(createElement(Waiting), {
    onError(thrown) {
      // React doesn't report components that suspend. If it reports this object, it is a real
      // failure.
      if (suspension?.thrown === thrown) suspension = null
      return ''
    },
  })
  // React renders in an earlier microtask, so abort in a later one.
  queueMicrotask(abort)
}

/**
 * True for the object that `use` throws to interrupt a render. Code that catches it must throw it
 * again, because React needs it.
 */
export function isSuspension(thrown: unknown): boolean {
  return suspension !== null && suspension.thrown === thrown
}
