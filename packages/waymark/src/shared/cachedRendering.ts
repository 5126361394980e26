import { cache } from 'react'

/** State of one server rendering. Outside of a rendering, each call returns a new object. */
export const renderingState: () => { isCached: boolean } = cache(() => ({ isCached: false }))

/**
 * True while a server component renders as the result of a cached function. The result may appear
 * anywhere, on many pages, so the component can't know its place. Always false in client
 * components.
 */
export function isCachedRendering(): boolean {
  return renderingState().isCached
}
