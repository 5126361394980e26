import { createContext } from 'react'
import type { Payload, PayloadSegment } from '../shared/payload.ts'

/** Where something is rendered: in which page, and in which segment of it. */
export type RenderContext = { readonly page: Payload; readonly segment: PayloadSegment | null }

const nowhere: Payload = {
  tree: { key: '' },
  route: { pathname: '/', search: '', params: {} },
  head: null,
  segments: {},
}

/** The place that what is rendered here belongs to. */
export const RenderContextContext = createContext<RenderContext>({ page: nowhere, segment: null })

/**
 * Gives the digest of what a boundary caught; `null` when nobody can look it up. On the server,
 * boundaries catch nothing.
 */
export const DigestContext = createContext<(thrown: unknown) => Promise<string | null>>(
  async () => null,
)

/** The pages that the document holds, the shown one first; none while rendering on the server. */
export const PagesContext = createContext<readonly Payload[]>([])
