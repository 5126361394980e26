import { actionField, actionNaming, idempotencyKeyField } from '../react/marks.ts'
import { frameworkError } from '../shared/errors.ts'

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

// The elements of a head whose content is text, and may hold tags of a script's strings.
const headTokens = /<(script|style|noscript|title|template)\b[^>]*>[\s\S]*?<\/\1\s*>|<\/head>/gi

/** Puts HTML at the end of a document's head. */
export function insertAtHeadEnd(html: string, inserted: string): string {
  if (inserted === '') return html
  for (const { 0: token, index } of html.matchAll(headTokens)) {
    if (token === '</head>') return html.slice(0, index) + inserted + html.slice(index)
  }
  return html
}

/**
 * @param html the begin of what React wrote
 * @param rootFile the layout that should have written it
 * @throws `ROOT_LAYOUT_HTML` when it is no document
 */
export function assertDocument(html: string, rootFile: string | undefined): void {
  if (rootFile === undefined || /^<!doctype html>/i.test(html)) return
  throw frameworkError('ROOT_LAYOUT_HTML', { file: rootFile })
}

/** The end of every document that React writes. */
export const documentEnd = '</body></html>'

/** Cuts the end of a document off, for what is still to come in its body. */
export function withoutEnd(html: string): string {
  return html.endsWith(documentEnd) ? html.slice(0, -documentEnd.length) : html
}

/**
 * Gives each form whose action runs on the server a key of its own: sent twice without a script,
 * it runs once. React's encoder of forms could only be replaced as a whole, and knows nothing of
 * the document; hydration passes over hidden fields that it does not know.
 * @param html whole tags, as React wrote them: neither text nor values hold `<`, `>` or `"` there
 */
export function withFormKeys(html: string): string {
  if (!html.includes(` name="${actionField}`)) return html
  const document = crypto.randomUUID()
  let keyed = ''
  let done = 0
  let count = 0
  for (const { index } of html.matchAll(actionNaming)) {
    const field = `<input type="hidden" name="${idempotencyKeyField}" value="${document}-${count++}"/>`
    keyed += html.slice(done, index) + field
    done = index
  }
  return keyed + html.slice(done)
}
