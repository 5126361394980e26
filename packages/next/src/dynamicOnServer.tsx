import { type ComponentType, createElement, lazy, type ReactNode, Suspense } from 'react'
import type { DynamicOptions, DynamicOptionsLoadingProps } from './dynamic.tsx'

export type { DynamicOptions, DynamicOptionsLoadingProps }

/**
 * Returns a component whose code is loaded when it is first rendered, for server components.
 * @throws Error for `ssr: false`, which only works in client components
 */
export default function dynamic<Props extends object = object>(
  loaderOrOptions: NonNullable<DynamicOptions<Props>['loader']> | DynamicOptions<Props>,
  options: DynamicOptions<Props> = {},
): ComponentType<Props> {
  const all =
    typeof loaderOrOptions === 'function'
      ? { ...options, loader: loaderOrOptions }
      : { ...options, ...loaderOrOptions }
  const { loader, loading: Loading, ssr } = all
  if (ssr === false) {
    throw new Error(
      "dynamic() with ssr: false only works in client components. Move the call into a file with 'use client'.",
    )
  }
  if (!loader) throw new Error('dynamic() needs a function that imports the component.')
  const Lazy = lazy(async () => {
    const loaded = await loader()
    // A client component's module may itself be a reference, so read `default`.
    const component = 'default' in loaded ? loaded.default : loaded
    return { default: component as ComponentType<Props> }
  })
  // biome-ignore lint/correctness/noComponentHookFactories: this function creates components
  return function Dynamic(props: Props): ReactNode {
    const component = createElement(Lazy as unknown as ComponentType<object>, props)
    return Loading ? <Suspense fallback={<Loading isLoading />}>{component}</Suspense> : component
  }
}
