/** The parts of a document's head that name languages. */
export type DocumentHead = {
  readonly lang: string | null
  readonly dir: string | null
  /** URL of the page itself, as it is in the document. */
  readonly canonical: string | null
  /** URLs by language, as they are in the document. */
  readonly alternates: ReadonlyMap<string, string>
}

/** Reads the head of a document that React has written. */
export function readHead(html: string): DocumentHead {
  const end = html.indexOf('</head>')
  const head = end === -1 ? html : html.slice(0, end)
  const alternates = new Map<string, string>()
  let lang: string | null = null
  let dir: string | null = null
  let canonical: string | null = null
  for (const [, name, text = ''] of head.matchAll(/<(html|link)\b([^>]*)>/g)) {
    const attributes = readAttributes(text)
    if (name === 'html') {
      lang = attributes.get('lang') ?? null
      dir = attributes.get('dir') ?? null
      continue
    }
    const rel = attributes.get('rel')
    const href = attributes.get('href')
    const language = attributes.get('hreflang')
    if (href === undefined) continue
    if (rel === 'canonical') canonical = href
    if (rel === 'alternate' && language !== undefined) alternates.set(language, href)
  }
  return { lang, dir, canonical, alternates }
}

function readAttributes(text: string): ReadonlyMap<string, string> {
  return new Map(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      decodeEntities(value),
    ]),
  )
}

function decodeEntities(text: string): string {
  return text.replace(/&(amp|quot|lt|gt|#x27);/g, (_, name: string) => entities[name] ?? '')
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  lt: '<',
  gt: '>',
  '#x27': "'",
}
