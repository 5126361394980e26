// What React's bundler integration puts in the place of a client file's exports.
const clientReference = Symbol.for('react.client.reference')

type ClientReference = { readonly $$typeof: typeof clientReference; readonly $$id: string }

/** Tells whether a value is what the server knows of a client file's export. */
export function isClientReference(value: unknown): boolean {
  return typeof value === 'function' && '$$typeof' in value && value.$$typeof === clientReference
}

/** Names a client file's export as payloads do, `file#name`; `null` for what is none. */
export function clientReferenceId(value: unknown): string | null {
  return isClientReference(value) ? (value as ClientReference).$$id : null
}
