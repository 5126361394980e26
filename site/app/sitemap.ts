import type { Sitemap } from 'waymark'
import { origin } from './_ui/origin.ts'
import { guideGroups } from './guide/_ui/pages.ts'

export default function sitemap(): Sitemap {
  const guide = guideGroups.flatMap(({ pages }) => pages.map(({ href }) => href))
  return ['/', '/guide', '/lab', ...guide].map((pathname) => ({ url: origin + pathname }))
}
