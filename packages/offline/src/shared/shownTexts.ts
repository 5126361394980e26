import { localeBlockId } from 'waymark/internal'

export type FormTexts = {
  /** A form is filled in again whose session had ended. */
  readonly restored: string
  readonly ok: string
}

export type ShownTexts<Texts> = {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly texts: Texts
}

/** The texts of a document, where the app has given any in its language; the others stay English. */
export function shownTexts<Texts>(
  document: Document,
  part: 'page' | 'outbox' | 'form',
  english: Texts,
): ShownTexts<Texts> {
  const block = document.querySelector(`head>script[id=${localeBlockId}]`)?.textContent
  const { lang = 'en', texts } = JSON.parse(block ?? '{}') as {
    lang?: string
    texts?: { offline?: { [Part in typeof part]?: Partial<Texts> } }
  }
  const own = texts?.offline?.[part]
  if (!own) return { lang: 'en', dir: 'ltr', texts: english }
  const dir = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'
  return { lang, dir, texts: { ...english, ...own } }
}

/** A title as it is in HTML, without its entities. */
export function plainText(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').documentElement.textContent ?? ''
}
