/** A section of a page in the search index. */
export type Section = {
  readonly href: string
  /** Title of the page. */
  readonly title: string
  /** Heading of the section; empty for the text before the first heading. */
  readonly heading: string
  /** First words of the section. */
  readonly excerpt: string
  /** Words of the section's text and code, without duplicates. */
  readonly words: string
}

const excerptLength = 150
const fence = /^```[^\n]*\n([\s\S]*?)^```$/gm

/** Splits a Markdown page at its headings of the second and third level. */
export function sectionsOf(href: string, title: string, markdown: string): Section[] {
  const usedIds = new Map<string, number>()
  const codes: string[] = []
  // Remove code first, because a line of code could look like a heading.
  const text = markdown.replace(fence, (_, code: string) => `\0${codes.push(code) - 1}\0`)
  return text.split(/^(?=##{1,2} )/m).map((part) => {
    const [, marked = '', body = part] = /^##{1,2} (.+)\n?([\s\S]*)/.exec(part) ?? []
    const heading = plain(marked)
    const hash = heading && `#${uniqueId(heading, usedIds)}`
    const prose = plain(body.replace(/^# .*$/m, '').replace(/\0\d+\0/g, ' '))
    const code = [...body.matchAll(/\0(\d+)\0/g)].map(([, at]) => codes[Number(at)] ?? '').join(' ')
    const excerpt = shortened(prose)
    const visibleWords = new Set(wordsOf(`${title} ${heading} ${excerpt}`))
    const words = [...new Set(wordsOf(`${prose} ${code}`))].filter(
      (word) => !visibleWords.has(word),
    )
    return { href: href + hash, title, heading, excerpt, words: words.join(' ') }
  })
}

/** Returns the ids of a page's headings of the second and third level, in order. */
export function headingIds(markdown: string): string[] {
  return sectionsOf('', '', markdown).flatMap(({ heading, href }) =>
    heading ? [href.slice(1)] : [],
  )
}

/**
 * Returns an id for a heading that no other heading of the page has.
 * @param usedIds ids that the page has used so far, with the number of headings for each id
 */
export function uniqueId(text: string, usedIds: Map<string, number>): string {
  const slug =
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
      .replaceAll(/^-|-$/g, '') || 'section'
  const count = usedIds.get(slug) ?? 0
  usedIds.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count + 1}`
}

/** Removes Markdown syntax. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^[|\s:-]+$/gm, ' ')
    .replaceAll(/[`*|]|^[-#>] /gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;:!?)]+(?:\s|$))/g, '')
    .trim()
}

function shortened(text: string): string {
  if (text.length <= excerptLength) return text
  return `${text.slice(0, text.lastIndexOf(' ', excerptLength)).replace(/[\s.,;:]+$/, '')}…`
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]{2,}/gu) ?? []
}
