'use client'

import {
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useSyncExternalStore,
} from 'react'

/** Props of the component that is shown while the code is loading. */
export type DynamicOptionsLoadingProps = {
  readonly error?: Error | null
  readonly isLoading?: boolean
  readonly pastDelay?: boolean
}

type Loaded<Props> = ComponentType<Props> | { readonly default: ComponentType<Props> }
type Load<Props> = () => Promise<Loaded<Props>>

/** Options of `dynamic()`. */
export type DynamicOptions<Props = object> = {
  readonly loader?: Load<Props>
  readonly loading?: (props: DynamicOptionsLoadingProps) => ReactNode
  /** False to render the component in the browser only. */
  readonly ssr?: boolean
}

const never = () => () => {}

/**
 * Returns a component whose code is loaded when it is first rendered.
 *
 * @throws Error if no function is passed
 */
export default function dynamic<Props extends object = object>(
  loaderOrOptions: Load<Props> | DynamicOptions<Props>,
  options: DynamicOptions<Props> = {},
): ComponentType<Props> {
  const all =
    typeof loaderOrOptions === 'function'
      ? { ...options, loader: loaderOrOptions }
      : { ...options, ...loaderOrOptions }
  const { loader, loading: Loading, ssr = true } = all
  if (!loader) throw new Error('dynamic() needs a function that imports the component.')
  const Lazy = lazy(async () => {
    const loaded = await loader()
    const isModule = typeof loaded === 'object' && 'default' in loaded
    return { default: isModule ? loaded.default : loaded } as { default: ComponentType<Props> }
  })
  // biome-ignore lint/correctness/noComponentHookFactories: this function creates components
  return function Dynamic(props: Props): ReactNode {
    const isInBrowser = useSyncExternalStore(
      never,
      () => true,
      () => false,
    )
    const fallback = Loading ? <Loading isLoading pastDelay error={null} /> : null
    if (!ssr && !isInBrowser) return fallback
    const component = createElement(Lazy as unknown as ComponentType<object>, props)
    // Without a loading component, the nearest Suspense boundary shows its fallback.
    return Loading || !ssr ? <Suspense fallback={fallback}>{component}</Suspense> : component
  }
}
