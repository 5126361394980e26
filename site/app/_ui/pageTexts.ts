import { german, guide, reference } from 'virtual:texts'
import { guideGroups } from '../guide/_ui/pages.ts'

/** A page as Markdown. */
export type PageText = {
  readonly href: string
  readonly title: string
  readonly description: string
  readonly markdown: string
}

/** Returns the pages of the guide as Markdown, in reading order. */
export function guideTexts(): PageText[] {
  return guideGroups.flatMap(({ pages }) =>
    pages.flatMap(({ href, title }) => {
      const text = guide[href.slice('/guide/'.length)]
      return text ? [{ ...text, href, title }] : []
    }),
  )
}

/** Returns the pages of the guide that are written in German, with the URLs of the English pages. */
export function germanTexts(): PageText[] {
  return Object.entries(german).map(([name, text]) => ({ ...text, href: `/guide/${name}` }))
}

/** Returns the pages of the reference as Markdown. */
export function referenceTexts(): PageText[] {
  return Object.entries(reference).map(([name, text]) => ({ ...text, href: `/reference/${name}` }))
}

export function markdownResponse(text: string): Response {
  return new Response(text, { headers: { 'content-type': 'text/markdown; charset=utf-8' } })
}
