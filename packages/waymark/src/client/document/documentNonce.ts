import { nonceHeader } from '../../shared/protocol.ts'

/**
 * What the server gave to its own elements in this document, and content can't know: the nonce;
 * in a document of hashes its key; nothing without a policy. The entry's tag has it: the first
 * script with a URL, since nothing of the app stands before it.
 */
export function documentNonce(): string {
  return document.querySelector<HTMLElement>('script[src]')?.nonce ?? ''
}

/**
 * Headers with the document's nonce, for the server: an inline style of its response must carry the
 * same one to apply in this document. The key of a document of hashes means nothing to it.
 */
export function nonceHeaders(): Record<string, string> {
  const nonce = documentNonce()
  return nonce ? { [nonceHeader]: nonce } : {}
}
