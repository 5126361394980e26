import { nonceHeader } from '../../shared/protocol.ts'

/**
 * Headers with the document's nonce, for the server: an inline style of its response must carry the
 * same one to apply in this document. A document of hashes has none.
 */
export function nonceHeaders(): Record<string, string> {
  const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce
  return nonce ? { [nonceHeader]: nonce } : {}
}
