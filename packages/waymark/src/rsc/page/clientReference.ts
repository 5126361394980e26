// What React's bundler integration puts in the place of a client file's exports.
const clientReference = Symbol.for('react.client.reference')

/** Tells whether a value is what the server knows of a client file's export. */
export function isClientReference(value: unknown): boolean {
  return typeof value === 'function' && '$$typeof' in value && value.$$typeof === clientReference
}
