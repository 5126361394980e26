import { sectionsOf } from '../../mdx/sections.ts'
import { guideTexts, referenceTexts } from '../_ui/pageTexts.ts'
import { labGroups } from '../lab/_ui/pages.ts'

export const dynamic = 'force-static'

export function GET() {
  const pages = [...guideTexts(), ...referenceTexts()].flatMap(({ href, title, markdown }) =>
    sectionsOf(href, title, markdown),
  )
  const lab = labGroups.flatMap((group) =>
    group.pages.map(({ href, title, says }) => ({
      href,
      title: `Lab: ${title}`,
      heading: '',
      excerpt: says,
      words: '',
    })),
  )
  return Response.json([...pages, ...lab])
}
