import type { Sitemap } from 'waymark'
import { origin } from './_ui/origin.ts'
import { referenceTexts } from './_ui/pageTexts.ts'
import { guideGroups } from './guide/_ui/pages.ts'

export default function sitemap(): Sitemap {
  // A sitemap needs absolute URLs, so an unpublished build has an empty one.
  if (origin === null) return []
  const guide = guideGroups.flatMap(({ pages }) => pages.map(({ href }) => href))
  const reference = ['/reference', ...referenceTexts().map(({ href }) => href)]
  return ['/', '/guide', '/lab', '/changelog', ...reference, ...guide].map((pathname) => ({
    url: origin + pathname,
  }))
}
