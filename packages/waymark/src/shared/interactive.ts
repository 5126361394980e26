/** On a document's data block: its page needs React at once. */
export const interactiveAttribute = 'data-waymark-interactive'
