import { cached, cacheLife, cacheTag } from 'waymark/server'
import { RenderedAt } from '../_ui/renderedAt.tsx'
import { readingTag } from './readingTag.ts'

/** A component that is cached for an hour, or until its tag is invalidated. */
export const Reading = cached(async () => {
  cacheLife('hours')
  cacheTag(readingTag)
  return <RenderedAt />
})
