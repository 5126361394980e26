/** Prefix of React's hidden fields that name the action of a form. */
export const actionField = '$ACTION_'

/** Finds inputs and buttons that name the action of a form, in HTML. */
export const actionNaming = /<(?:input|button)(?: [^<>]*)? name="\$ACTION_(?:ID|REF)_/g

/**
 * Hidden form field with an idempotency key: React removes fields of this prefix before the action.
 */
export const idempotencyKeyField = '$ACTION_IDEMPOTENCY_KEY'

/** Hidden form field with the sealed user of its page. */
export const userField = '$ACTION_USER'
