/** Ends a payload inside of a document: there, the HTML around it is what can be cut. */
export const documentEndMark = '#\n'
