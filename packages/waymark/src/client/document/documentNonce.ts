import { nonceHeader } from '../../shared/protocol.ts'

/**
 * What the server gave to its own elements in this document, and content can't know: the nonce;
 * in a document of hashes its key; nothing without a policy.
 */
export function documentNonce(): string {
  return entryElement()?.nonce ?? ''
}

/** The tag of the entry: nothing of the app stands before it. @see ssr/scriptTags.ts */
export function entryElement(): HTMLElement | null {
  return document.querySelector<HTMLElement>('script[src]')
}

/**
 * Headers with the document's nonce, for the server: an inline style of its response must carry the
 * same one to apply in this document. The key of a document of hashes means nothing to it.
 */
export function nonceHeaders(): Record<string, string> {
  const nonce = documentNonce()
  return nonce ? { [nonceHeader]: nonce } : {}
}
