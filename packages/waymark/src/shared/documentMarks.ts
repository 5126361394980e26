/** Id of the script element with the texts of a document's notices. */
export const localeBlockId = 'waymark-texts'

/** Set on a document's data block when the page needs React at once. */
export const interactiveAttribute = 'data-waymark-interactive'

/** Last line of a payload inside a document, where checksums are not needed. */
export const documentEndMark = '#\n'

/** Starts the line with a payload's references to the document's HTML. */
export const referencesMark = '~'
