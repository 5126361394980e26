/** Prefix of React's hidden form-action fields. */
export const actionField = '$ACTION_'

/**
 * Matches inputs and buttons in HTML that identify a form's action. React's hidden inputs have no value; one with a
 * value is a field of the app, whose name a visitor may have chosen.
 */
export const actionNaming =
  /<input type="hidden" name="\$ACTION_(?:ID|REF)_[^"]*"\/>|<(?:input|button)(?![^<>]* type="hidden")(?: [^<>]*)? name="\$ACTION_(?:ID|REF)_/g

/**
 * Hidden form field with an idempotency key. The name starts with React's prefix, so that React
 * removes the field before it calls the action.
 */
export const idempotencyKeyField = '$ACTION_IDEMPOTENCY_KEY'

/** Hidden form field with the encrypted user for whom the page was rendered. */
export const userField = '$ACTION_USER'
