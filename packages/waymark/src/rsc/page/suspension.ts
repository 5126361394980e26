import { createElement, type ReactNode, use } from 'react'

type Render = (
  node: ReactNode,
  options: { readonly onError: (thrown: unknown) => string },
) => { readonly abort: () => void }

/** The object that `use` throws, once a component has suspended. */
let suspension: { readonly thrown: unknown } | null = null
let isObserved = false

/**
 * Finds the object by which React recognises a suspended component. `use` throws the same object in every render, but
 * React does not export it. So this function renders a component that suspends once, before the first page. If no
 * object is found that way, a suspended layout or page counts as failed, and its content isn't sent.
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
      // Forget the object if React reports it as a failure, because React doesn't report components that suspend.
      if (suspension?.thrown === thrown) suspension = null
      return ''
    },
  })
  // Abort in a microtask, because React renders in an earlier microtask.
  queueMicrotask(abort)
}

/**
 * True for the object that `use` throws to interrupt a render. Code that catches this object must throw it again, so
 * that it reaches React.
 */
export function isSuspension(thrown: unknown): boolean {
  return suspension !== null && suspension.thrown === thrown
}
