// Of the control characters, a text of several lines needs two. The others, and those that turn
// the direction of writing, would let a stranger's text write over a terminal or forge a line.
const unsafe = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/**
 * Bounds a text, and takes out what could change how the text around it is shown.
 * @param maxLength in UTF-16 units; a longer text ends in an ellipsis
 */
export function cleanText(text: string, maxLength: number): string {
  const bounded = text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
  return bounded.replaceAll('\r\n', '\n').toWellFormed().replace(unsafe, '\ufffd')
}

/** The same for a text of one line. */
export function cleanLine(text: string, maxLength: number): string {
  return cleanText(text, maxLength).replace(/[\n\t]+/g, ' ')
}
