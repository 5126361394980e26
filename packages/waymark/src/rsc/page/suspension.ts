import { createElement, type ReactNode, use } from 'react'

type Render = (
  node: ReactNode,
  options: { readonly onError: (thrown: unknown) => string },
) => { readonly abort: () => void }

/** The object that `use` throws, once we have seen it. */
let suspension: { readonly thrown: unknown } | null = null
let isObserved = false

/**
 * Finds the object by which React recognises a suspended component. `use` throws the same object in
 * every render, but React does not export it. So a component that suspends is rendered once, before
 * the first page. If that yields no object, a suspended layout or page counts as failed, and its
 * content is not sent.
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
      // React reports failures here, but not components that suspend.
      if (suspension?.thrown === thrown) suspension = null
      return ''
    },
  })
  // React renders in its own microtask, which runs first.
  queueMicrotask(abort)
}

/** True for the object that `use` throws to interrupt a render. It must reach React. */
export function isSuspension(thrown: unknown): boolean {
  return suspension !== null && suspension.thrown === thrown
}
