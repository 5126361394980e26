import type { Sitemap } from 'waymark'
import { germanUrl, isTranslated } from './_ui/language.ts'
import { origin } from './_ui/origin.ts'
import { referenceTexts } from './_ui/pageTexts.ts'
import { guideGroups } from './guide/_ui/pages.ts'

export default function sitemap(): Sitemap {
  // A sitemap needs absolute URLs, so an unpublished build has an empty one.
  if (origin === null) return []
  const guide = guideGroups.flatMap(({ pages }) => pages.map(({ href }) => href))
  const reference = ['/reference', ...referenceTexts().map(({ href }) => href)]
  return ['/', '/guide', '/lab', '/changelog', ...reference, ...guide].flatMap((href) =>
    entriesOf(href, origin ?? ''),
  )
}

/** Returns the entry of a page, and of the German page if it exists. */
function entriesOf(href: string, origin: string): Sitemap {
  const url = origin + href
  const german = isTranslated(href) ? germanUrl(href) : null
  if (german === null) return [{ url }]
  const alternates = { languages: { en: url, de: origin + german } }
  return [
    { url, alternates },
    { url: origin + german, alternates },
  ]
}
