/**
 * What the server gave to its own elements in this document, and content can't know: the nonce;
 * in a document of hashes its key; nothing without a policy.
 */
export function documentNonce(): string {
  return entryElement()?.nonce ?? ''
}

/** The tag of the entry: nothing of the app stands before it. @see ssr/scriptTags.ts */
export function entryElement(): HTMLElement | null {
  // In development, the panel's stands there, too.
  const panel = import.meta.env.DEV ? ':not([src*="/devtools/"])' : ''
  return document.querySelector<HTMLElement>(`script[src]${panel}`)
}
