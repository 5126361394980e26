import { cache } from 'react'

/**
 * What is remembered of the pictures of one rendering on the server. Elsewhere, `cache()` remembers
 * nothing: each call returns another object.
 */
export const pagePictures: () => { hasFirst: boolean } = cache(() => ({ hasFirst: false }))
