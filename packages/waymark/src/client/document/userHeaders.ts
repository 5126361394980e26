import { sealedUser } from 'virtual:waymark/hooks/sealedUser'
import { userHeader } from '../../shared/protocol.ts'

/** Names the user of the document to the server, which refuses page data to another user's page. */
export function userHeaders(): Record<string, string> {
  const sealed = sealedUser?.() ?? null
  return sealed === null ? {} : { [userHeader]: sealed }
}
