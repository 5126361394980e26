import { nonceHeader } from '../shared/protocol.ts'

/**
 * Headers that tell the server the document's nonce: what it answers is shown in this document, and
 * an inline style in it must carry the same one. A document of hashes has none.
 */
export function nonceHeaders(): Record<string, string> {
  const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce
  return nonce ? { [nonceHeader]: nonce } : {}
}
