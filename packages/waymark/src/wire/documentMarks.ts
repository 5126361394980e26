/** Id of the script element with the texts of a document's notices. */
export const localeBlockId = 'waymark-texts'

/** The language that a document was rendered in, and the texts that browsers need for it. */
export type DocumentTexts = {
  /** BCP 47: `de`, `pt-BR`. */
  readonly lang: string
  /** The app's texts from `screens.ts`, and those of its packages: some may be missing. */
  readonly texts: Readonly<Record<string, unknown>>
}

/**
 * Reads the texts of an app's `screens.ts` from a document, such as one that `DOMParser` has parsed.
 * @returns `null` where the app has no texts for the language of the document
 */
export function readDocumentTexts(document: Document): DocumentTexts | null {
  const block = document.querySelector(`head>script[id=${localeBlockId}]`)?.textContent
  return block ? (JSON.parse(block) as DocumentTexts) : null
}

/** Set on a document's data block when the page needs React at once. */
export const interactiveAttribute = 'data-waymark-interactive'

/** Last line of a payload inside a document, where checksums are not needed. */
export const documentEndMark = '#\n'
