import { nonceHeader } from '../../shared/protocol.ts'
import { documentNonce } from './documentStream.ts'

/**
 * Headers with the document's nonce, for the server: an inline style of its response must carry the
 * same one to apply in this document. The key of a document of hashes means nothing to it.
 */
export function nonceHeaders(): Record<string, string> {
  const nonce = documentNonce()
  return nonce ? { [nonceHeader]: nonce } : {}
}
