// Type of the references that stand for a client file's exports on the server, set by React's
// bundler integration.
const clientReference = Symbol.for('react.client.reference')

type ClientReference = { readonly $$typeof: typeof clientReference; readonly $$id: string }

export function isClientReference(value: unknown): boolean {
  return typeof value === 'function' && '$$typeof' in value && value.$$typeof === clientReference
}

export function clientReferenceId(value: unknown): string | null {
  return isClientReference(value) ? (value as ClientReference).$$id : null
}
