import { sealedUser } from 'virtual:waymark/hooks/sealedUser'
import { userHeader } from '../../wire/protocol.ts'

/**
 * Reads the encrypted user of the document.
 * @returns `null` for a document without a user; `undefined` if the package that reads the user has
 * failed. In the last case, send no request: without the user, the server can't detect that
 * somebody else has signed in.
 */
export function userOfDocument(): string | null | undefined {
  return sealedUser ? sealedUser() : null
}

/**
 * Returns headers with the document's user, so that the server can refuse page data if a different
 * user has signed in.
 * @returns `null` if the user can't be read
 */
export function userHeaders(): Record<string, string> | null {
  const sealed = userOfDocument()
  if (sealed === undefined) return null
  return sealed === null ? {} : { [userHeader]: sealed }
}
