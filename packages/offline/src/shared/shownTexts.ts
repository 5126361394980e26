import { readDocumentTexts } from 'waymark/plugin/client'

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
  const written = readDocumentTexts(document)
  // The type `OfflineTexts` is what an app may write there.
  const offline = written?.texts.offline as { [Part in typeof part]?: Partial<Texts> } | undefined
  const translated = offline?.[part]
  if (!written || !translated) return { lang: 'en', dir: 'ltr', texts: english }
  const dir = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr'
  return { lang: written.lang, dir, texts: { ...english, ...translated } }
}

/** A title as it is in HTML, without its entities. */
export function plainText(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').documentElement.textContent ?? ''
}
