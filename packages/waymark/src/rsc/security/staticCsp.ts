import type { PrerenderedResponse } from '../../shared/cachedPage.ts'
import { withDefaultLines } from '../../shared/security.ts'
import { type ByteChunk, joinPieces } from '../../shared/stream.ts'
import { type AppSecurity, hashSource, type Inline } from './csp.ts'

/** A document that is the same for everybody. */
export type HashedDocument = {
  readonly html: string
  /** Sources that allow what it holds inline. */
  readonly inline: Inline
}

/**
 * Turns a document that was rendered with a nonce into one that is allowed by hashes: a nonce
 * that everybody gets is none. Only elements that carry it count, so that nothing is allowed
 * that the app or React did not write as its own.
 * @param nonce that was unknown before the document was rendered
 */
export function hashDocument(html: string, nonce: string): HashedDocument {
  const attribute = ` nonce="${nonce}"`
  const inline = { scripts: new Set<string>(), styles: new Set<string>() }
  // Of the same length: rows of a payload may tell how long they are.
  const rest = (text: string) => text.replaceAll(nonce, '0'.repeat(nonce.length))
  const elements = new RegExp(`<(script|style)\\b([^>]*?)${attribute}([^>]*)>([^]*?)</\\1>`, 'g')
  let sealed = ''
  let end = 0
  for (const match of html.matchAll(elements)) {
    const [element, name = '', before = '', after = '', content = ''] = match
    const text = rest(content)
    const isInline = !/\ssrc=/.test(before + after)
    if (isInline) (name === 'style' ? inline.styles : inline.scripts).add(hashSource(text))
    sealed += rest(html.slice(end, match.index).replaceAll(attribute, ''))
    sealed += `<${name}${rest(before)}${rest(after)}>${text}</${name}>`
    end = match.index + element.length
  }
  sealed += rest(html.slice(end).replaceAll(attribute, ''))
  return { html: sealed, inline: { scripts: [...inline.scripts], styles: [...inline.styles] } }
}

/** Takes a nonce out of a payload; its rows keep their lengths. */
export function hashPayload(pieces: readonly ByteChunk[], nonce: string): readonly ByteChunk[] {
  const bytes = joinPieces(pieces)
  if (!bytes.includes(nonce)) return pieces
  const text = bytes.toString('latin1').replaceAll(nonce, '0'.repeat(nonce.length))
  return [Buffer.from(text, 'latin1')]
}

/**
 * Gives a whole answer that is the same for everybody the policy of its document.
 * @param nonce as for `sealDocument`
 */
export function hashedResponse(
  answer: PrerenderedResponse,
  { policy }: Pick<AppSecurity, 'policy'>,
  nonce: string,
): PrerenderedResponse {
  const type = answer.headers.find(([name]) => name === 'content-type')?.[1]
  if (policy === null || !type?.startsWith('text/html')) return answer
  const { html, inline } = hashDocument(Buffer.from(answer.body).toString(), nonce)
  const headers = withDefaultLines(answer.headers, policy.withHashes(inline))
  return { ...answer, headers, body: Buffer.from(html) }
}
