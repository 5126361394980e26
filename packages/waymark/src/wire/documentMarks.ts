/** Id of the script element that contains the texts of a document's notices. */
export const localeBlockId = 'waymark-texts'

/** The language in which a document was rendered, and the texts that browsers need for it. */
export type DocumentTexts = {
  /** BCP 47 language tag, such as `de` or `pt-BR`. */
  readonly lang: string
  /** Texts from the app's `screens.ts` and from its packages. Some may be missing. */
  readonly texts: Readonly<Record<string, unknown>>
}

/**
 * Reads the texts of an app's `screens.ts` from a document, such as one parsed by `DOMParser`.
 *
 * @returns `null` if the app has no texts in the document's language
 */
export function readDocumentTexts(document: Document): DocumentTexts | null {
  const block = document.querySelector(`head>script[id=${localeBlockId}]`)?.textContent
  return block ? (JSON.parse(block) as DocumentTexts) : null
}

/** Attribute on a document's data block that makes the browser load React at once. */
export const interactiveAttribute = 'data-waymark-interactive'

/** Last line of a payload that is inlined in a document, where no checksum is needed. */
export const documentEndMark = '#\n'
