import { cache } from 'react'

/** State of one server rendering; outside of one, each call returns a new object. */
export const pagePictures: () => { hasFirst: boolean } = cache(() => ({ hasFirst: false }))
