import { type ComponentType, createElement, type ReactNode, lazy as reactLazy, use } from 'react'

type Component = ComponentType<object>
type Load = () => Promise<{ readonly default: Component }>

/**
 * Milliseconds for which a component that couldn't be loaded keeps failing. React renders a failing
 * part several times before an error boundary gets the error, and each of these renders must fail.
 */
const failsForMs = 300

/**
 * Replaces React's `lazy`, which remembers a rejection until the document is reloaded. This version
 * tries to load the component again when it is rendered later, for example after an error
 * boundary's `reset`. Until something fails, it behaves exactly like React's. The plugin
 * `lazyComponents` makes the app's client code use it.
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

/**
 * Creates a component that loads the real component. @param failed the first attempt, which has
 * rejected
 */
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
  // biome-ignore lint/correctness/noComponentHookFactories: created once, when the first attempt has failed
  return function Reloading(props: object): ReactNode {
    const loaded = use(attempt ?? watch(load()))
    return createElement(loaded.default, props)
  }
}
