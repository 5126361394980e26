/** Id of the data block that tells a document's scripts in which words to speak. */
export const localeBlockId = 'waymark-texts'
