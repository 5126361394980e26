import { cacheLife, cacheTag } from 'waymark/server'
import { RenderedAt } from '../_ui/renderedAt.tsx'
import { readingTag } from './readingTag.ts'

/** A part that is kept for an hour, or until its tag ends. */
export async function Reading() {
  'use cache'
  cacheLife('hours')
  cacheTag(readingTag)
  return <RenderedAt />
}
