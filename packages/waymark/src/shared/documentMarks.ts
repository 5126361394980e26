/** Id of the data block with the texts of a document's notices. */
export const localeBlockId = 'waymark-texts'

/** On a document's data block: its page needs React at once. */
export const interactiveAttribute = 'data-waymark-interactive'

/** Ends a payload inside of a document: there, the HTML around it is what can be cut. */
export const documentEndMark = '#\n'

/** Starts a payload's line of references to its HTML, before the rows. @see htmlReference.ts */
export const referencesMark = '~'
