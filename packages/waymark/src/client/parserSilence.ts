/** How often is looked within the silence that is waited for. */
const looks = 4

/**
 * Calls back when the browser's parser comes no further: the document has stopped arriving, or a
 * script in it has.
 * @param silenceMs after which it does, or a quarter later
 * @returns ends the watch
 */
export function whenParserStops(
  document: Document,
  silenceMs: number,
  act: () => void,
): () => void {
  let before = ''
  let still = 0
  const timer = setInterval(() => {
    const position = positionOf(document)
    still = position === before ? still + 1 : 0
    before = position
    if (still === looks) act()
  }, silenceMs / looks)
  return () => clearInterval(timer)
}

/** How many elements there are, and how much of the last text. */
function positionOf(document: Document): string {
  let last: Node = document
  while (last.lastChild) last = last.lastChild
  return `${document.getElementsByTagName('*').length} ${last.nodeValue?.length}`
}
