'use client'

import { useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { ParamsOf, RoutePattern } from '../routing/appRoutes.ts'
import { withBasePath, withoutBasePath } from '../shared/basePath.ts'
import type { PayloadSegment } from '../wire/payload.ts'
import { idle, type NavigationState } from './navigationStore.ts'
import { type Blocker, RenderContext, RouterContext } from './routerContext.ts'

/**
 * Returns a part of the page's address. During hydration, this is the address for which the HTML
 * was rendered, because React doesn't correct attributes that differ.
 */
export function useAddress(part: 'pathname' | 'search'): string {
  const { route, rendered = route } = useContext(RenderContext).page
  return useSyncExternalStore(
    noChanges,
    () => route[part],
    () => rendered[part],
  )
}

const noChanges = () => () => {}

/** Returns the current page's pathname, which is canonical, percent-encoded, and without the `basePath`. */
export function usePathname(): string {
  const pathname = useAddress('pathname')
  return withoutBasePath(pathname) ?? pathname
}

type AnyParams = Readonly<Record<string, string | readonly string[] | undefined>>

/** Returns the decoded params of the current page. @example `useParams<'/blog/[slug]'>()` */
export function useParams<
  Given extends RoutePattern | AnyParams = AnyParams,
>(): Given extends string ? ParamsOf<Given> : Given {
  // Only the app knows on which route it calls the hook, so trust the type argument.
  return useContext(RenderContext).page.route.params as Given extends string
    ? ParamsOf<Given>
    : Given
}

/**
 * Returns the segments of the URL below the layout that calls the hook.
 * @param slot the name of a parallel route
 */
export function useSelectedLayoutSegments(slot = 'children'): string[] {
  const { segment } = useContext(RenderContext)
  return useMemo(() => (segment ? segmentLabels(segment, slot) : []), [segment, slot])
}

/**
 * Returns the first segment of the URL below the layout that calls the hook, or `null` on that
 * layout's own page.
 * @param slot the name of a parallel route
 */
export function useSelectedLayoutSegment(slot = 'children'): string | null {
  return useSelectedLayoutSegments(slot)[0] ?? null
}

/** Returns the state of the running navigation, with functions that cancel or retry it. */
export function useNavigation(): NavigationState {
  const { navigation } = useContext(RouterContext)
  return useSyncExternalStore(navigation.subscribe, navigation.get, () => idle)
}

/** Returns `{ pending: true }` while a navigation to this `href` is running. */
export function useLinkStatus(href: string): { readonly pending: boolean } {
  const { target } = useNavigation()
  return { pending: target !== null && new URL(withBasePath(href), target).href === target.href }
}

export type BlockerState =
  | { readonly state: 'open' }
  | {
      readonly state: 'blocked'
      readonly target: URL
      readonly proceed: () => void
      readonly stay: () => void
    }

const open: BlockerState = { state: 'open' }

/**
 * Blocks navigations that would discard something, such as text typed into a form. If the user
 * leaves the document, the browser asks for confirmation.
 * @param isBlocking true while navigations should be blocked
 * @returns `open`, or `blocked` with the navigation's target and functions that continue or cancel
 * it
 */
export function useBlocker(isBlocking: boolean): BlockerState {
  const { blockers } = useContext(RouterContext)
  const [state, setState] = useState<BlockerState>(open)
  useEffect(() => {
    if (!isBlocking) return
    const blocker: Blocker = (target, decide) => {
      const settle = (goOn: boolean) => () => {
        setState(open)
        decide(goOn)
      }
      setState({ state: 'blocked', target, proceed: settle(true), stay: settle(false) })
    }
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    blockers.add(blocker)
    window.addEventListener('beforeunload', ask)
    return () => {
      blockers.delete(blocker)
      window.removeEventListener('beforeunload', ask)
    }
  }, [blockers, isBlocking])
  return state
}

export function segmentLabels(owner: PayloadSegment, slot: string): string[] {
  let leaf = owner.slots?.[slot]
  if (!leaf) return []
  while (leaf.slots?.children) leaf = leaf.slots.children
  const { names, values } = readKey(leaf.key)
  const below = names.slice(readKey(owner.key).names.length)
  return below.filter((name) => !name.startsWith('@')).map((name) => values.get(name) ?? name)
}

// Reads the folder names and params from a segment key such as `/blog/[slug]:slug=hello#page`, in
// which each part is percent-encoded.
function readKey(key: string): { names: string[]; values: Map<string, string> } {
  const [id = '', ...params] = key.replace(/#.*$/, '').split(':')
  const names = id.split('/').filter((name) => name !== '')
  const values = new Map<string, string>()
  for (const param of params) {
    const [name = '', value = ''] = param.split('=')
    for (const folder of [`[${name}]`, `[...${name}]`, `[[...${name}]]`]) {
      values.set(folder, value.split('/').map(decodeURIComponent).join('/'))
    }
  }
  return { names: names.map(decodeURIComponent), values }
}
