/** Ways to put a payload into a document. */

/** The last text that Fizz writes. The payload is inserted before it. */
export const documentEnd = '</body></html>'

/** Returns a script that appends a piece of the payload, for payloads that arrive in pieces. */
export function inlineScript(text) {
  const literal = JSON.stringify(text).replaceAll('<', '\\u003c')
  return `<script>(self.__flight??=[]).push(${literal})</script>`
}

/**
 * A whole payload in one element. As a data block it needs no escaping, so that neither side
 * pays for a second layer of quotes; only text that the HTML parser would change (`<` may end
 * the element, carriage returns and NUL are rewritten) has to go the long way.
 */
export function inlineWhole(text) {
  if (text.includes('<') || text.includes('\r') || text.includes('\0')) return inlineScript(text)
  return `<script type="text/x-component">${text}</script>`
}
