import { type Section, sectionsOf } from '../../mdx/sections.ts'
import { germanGroups } from '../lab/_ui/germanGroups.ts'
import { labGroups } from '../lab/_ui/pages.ts'
import { type Language, linkTo } from './language.ts'
import { germanTexts, guideTexts, referenceTexts } from './pageTexts.ts'

/** Returns the sections that the search finds on pages in a language. */
export function searchIndex(language: Language): Section[] {
  const german = new Map(germanTexts().map((page) => [page.href, page]))
  const pages = [...guideTexts(), ...referenceTexts()].flatMap(({ href, title, markdown }) => {
    const target = linkTo(href, language).href
    const english = sectionsOf(target, title, markdown)
    const translated = language === 'de' ? german.get(href) : undefined
    if (!translated) return english
    // The headings of both pages have the same ids.
    return sectionsOf(target, translated.title, translated.markdown).map((section, index) => ({
      ...section,
      href: english[index]?.href ?? target,
    }))
  })
  const [name, groups] = language === 'de' ? ['Labor', germanGroups] : ['Lab', labGroups]
  const lab = groups.flatMap((group) =>
    group.pages.map(({ href, title, says }) => ({
      href,
      title: `${name}: ${title}`,
      heading: '',
      excerpt: says,
      words: '',
    })),
  )
  return [...pages, ...lab]
}
