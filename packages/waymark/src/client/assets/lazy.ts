import { type ComponentType, createElement, type ReactNode, lazy as reactLazy, use } from 'react'

type Component = ComponentType<object>
type Load = () => Promise<{ readonly default: Component }>

/**
 * How long a component that could not be loaded fails. React renders a failing part more than once
 * before an error boundary has its error, and each of these renders must fail in the same way.
 */
const failsForMs = 300

/**
 * React's `lazy`, which keeps a rejection until the document is loaded again. With this function, a
 * component that could not be loaded is loaded again when it is rendered later, for example after
 * the `reset` of an error boundary. As long as nothing fails, the component is React's own.
 *
 * The plugin `lazyComponents` puts this function in the place of React's in the app's client code.
 */
export function lazy(load: Load): ReturnType<typeof reactLazy<Component>> {
  return reactLazy(async () => {
    const loading = load()
    try {
      return await loading
    } catch {
      return { default: createReloading(load, loading) }
    }
  })
}

/** @param failed the first attempt, which has been rejected */
function createReloading(load: Load, failed: ReturnType<Load>): Component {
  let attempt: ReturnType<Load> | null = null

  function watch(loading: ReturnType<Load>): ReturnType<Load> {
    attempt = loading
    loading.catch(() => {
      setTimeout(() => {
        attempt = null
      }, failsForMs)
    })
    return loading
  }
  watch(failed)
  // biome-ignore lint/correctness/noComponentHookFactories: made once, when the first attempt has failed
  return function Reloading(props: object): ReactNode {
    const loaded = use(attempt ?? watch(load()))
    return createElement(loaded.default, props)
  }
}
