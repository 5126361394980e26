/**
 * Puts HTML at the very start of a document's head.
 * @param html a document, or the part of it up to the head's first element at least
 */
export function insertAtHead(html: string, headStart: string): string {
  if (headStart === '') return html
  const tag = html.indexOf('<head')
  const end = tag === -1 ? -1 : html.indexOf('>', tag) + 1
  return end <= 0 ? html : html.slice(0, end) + headStart + html.slice(end)
}
