import { sealedUser } from 'virtual:waymark/hooks/sealedUser'
import { userHeader } from '../../wire/protocol.ts'

/**
 * Reads the user of the document, as the server has sealed it.
 * @returns `null` for a document that names nobody; `undefined` where the package that reads the user
 *   has failed: the server could not refuse a request of another user's page
 */
export function userOfDocument(): string | null | undefined {
  return sealedUser ? sealedUser() : null
}

/**
 * Names the user of the document to the server, which refuses page data to another user's page.
 * @returns `null` where the user can't be read
 */
export function userHeaders(): Record<string, string> | null {
  const sealed = userOfDocument()
  if (sealed === undefined) return null
  return sealed === null ? {} : { [userHeader]: sealed }
}
