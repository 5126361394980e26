'use client'

import { useContext, useMemo } from 'react'
import { PayloadContext, SegmentContext } from './contexts.ts'
import { segmentLabels } from './segmentLabels.ts'

/** The pathname of the page shown: canonical, still encoded. */
export function usePathname(): string {
  return useContext(PayloadContext).route.pathname
}

/** The query of the page shown. */
export function useSearchParams(): URLSearchParams {
  const { search } = useContext(PayloadContext).route
  return useMemo(() => new URLSearchParams(search), [search])
}

/** The params of the page shown, decoded. */
export function useParams<
  Params extends Readonly<Record<string, string | readonly string[]>> = Readonly<
    Record<string, string | readonly string[]>
  >,
>(): Params {
  // The app names the params of its own route.
  return useContext(PayloadContext).route.params as Params
}

/**
 * The segments of the URL below the layout that calls, as in the address.
 * @param slot `children`, or the name of a parallel route
 */
export function useSelectedLayoutSegments(slot = 'children'): string[] {
  const segment = useContext(SegmentContext)
  return useMemo(() => (segment ? segmentLabels(segment, slot) : []), [segment, slot])
}

/**
 * The first segment of the URL below the layout that calls.
 * @returns `null` where the layout's own page is shown
 */
export function useSelectedLayoutSegment(slot = 'children'): string | null {
  return useSelectedLayoutSegments(slot)[0] ?? null
}
