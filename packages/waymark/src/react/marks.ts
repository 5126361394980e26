/** What React writes into HTML, form fields and modules, as far as Waymark reads it. */

/** Begins the one script that the prerenderer writes, the last in the body. */
export const ownScript = (idPrefix: string) => `<script id="_${idPrefix}R_"`

/** Begins the names of the fields that name a form's action. */
export const actionField = '$ACTION_'

/** What names the action of a form, or is one of its buttons. */
export const actionNaming = /<(?:input|button)(?: [^<>]*)? name="\$ACTION_(?:ID|REF)_/g

/**
 * Hidden form field with an idempotency key: React removes fields of this prefix before the action.
 */
export const idempotencyKeyField = '$ACTION_IDEMPOTENCY_KEY'

/** Hidden form field with the sealed user of its page. */
export const userField = '$ACTION_USER'

// React's bundler integration replaces a client file's exports by objects of this type.
const clientReference = Symbol.for('react.client.reference')

type ClientReference = { readonly $$typeof: typeof clientReference; readonly $$id: string }

export function isClientReference(value: unknown): boolean {
  return typeof value === 'function' && '$$typeof' in value && value.$$typeof === clientReference
}

export function clientReferenceId(value: unknown): string | null {
  return isClientReference(value) ? (value as ClientReference).$$id : null
}
