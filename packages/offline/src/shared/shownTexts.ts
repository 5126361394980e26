import { type OfflineTexts, parseTexts, textsName } from './ageTexts.ts'

export type ShownTexts = {
  readonly lang: string
  readonly dir: 'ltr' | 'rtl'
  readonly texts: OfflineTexts
}

/** The texts of a document, and their language: that of the document, if it brings its own. */
export function shownTexts(document: Document): ShownTexts {
  const { lang, dir } = document.documentElement
  const own = document.querySelector<HTMLMetaElement>(`head>meta[name=${textsName}]`)?.content
  const texts = parseTexts(own)
  return own
    ? { lang, dir: dir === 'rtl' ? 'rtl' : 'ltr', texts }
    : { lang: 'en', dir: 'ltr', texts }
}

/** A title as it is in HTML, without its entities. */
export function plainText(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').documentElement.textContent ?? ''
}
