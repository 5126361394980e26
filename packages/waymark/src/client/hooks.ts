'use client'

import { useContext, useMemo, useSyncExternalStore } from 'react'
import type { ParamsOf, RoutePattern } from '../shared/appRoutes.ts'
import { RenderContextContext } from './contexts.ts'
import { idle, type NavigationState } from './navigation/navigation.ts'
import { RouterContext } from './router.ts'
import { segmentLabels } from './segmentLabels.ts'

/** The pathname of the page shown: canonical, still encoded. */
export function usePathname(): string {
  return useContext(RenderContextContext).page.route.pathname
}

type AnyParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** The params of the page shown, decoded. @example `useParams<'/blog/[slug]'>()` */
export function useParams<
  Given extends RoutePattern | AnyParams = AnyParams,
>(): Given extends string ? ParamsOf<Given> : Given {
  // The app names the params of its own route.
  return useContext(RenderContextContext).page.route.params as Given extends string
    ? ParamsOf<Given>
    : Given
}

/**
 * The segments of the URL below the layout that calls, as in the address.
 * @param slot `children`, or the name of a parallel route
 */
export function useSelectedLayoutSegments(slot = 'children'): string[] {
  const { segment } = useContext(RenderContextContext)
  return useMemo(() => (segment ? segmentLabels(segment, slot) : []), [segment, slot])
}

/**
 * The first segment of the URL below the layout that calls.
 * @returns `null` where the layout's own page is shown
 */
export function useSelectedLayoutSegment(slot = 'children'): string | null {
  return useSelectedLayoutSegments(slot)[0] ?? null
}

/** The navigation that is running, with the ways out of it. */
export function useNavigation(): NavigationState {
  const { navigation } = useContext(RouterContext)
  return useSyncExternalStore(navigation.subscribe, navigation.get, () => idle)
}

/**
 * Tells whether a link's target is being loaded.
 * @param href of the link
 */
export function useLinkStatus(href: string): { readonly pending: boolean } {
  const { target } = useNavigation()
  return { pending: target !== null && new URL(href, target).href === target.href }
}
