import { cache } from 'react'

/**
 * State of one server rendering. Outside a rendering `cache()` returns a new object for each call.
 */
export const pagePictures: () => { hasFirst: boolean } = cache(() => ({ hasFirst: false }))
