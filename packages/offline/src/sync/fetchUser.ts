import { buildOf } from 'waymark/plugin/client'
import type { EntryPage } from '../outbox/entry.ts'
import { ownerOfUser, readUser } from '../shared/userMeta.ts'
import { documentForm, fetchPart } from '../worker/wholeResponse.ts'

/** Who is signed in, by a page that the server has just rendered. */
export type FetchedUser = {
  readonly owner: string | null
  /** The server's; `null` when it is not known. */
  readonly build: string | null
}

/**
 * Asks the server who is signed in; `null` where its page does not say so: then only an open page knows.
 * @throws where the site does not respond
 */
export async function fetchUser({ pathname, search }: EntryPage): Promise<FetchedUser | null> {
  const document = await fetchPart(pathname + search, documentForm)
  if (document === 'failed') throw new Error('The site does not respond as it should.')
  const id = document ? readUser(document.text) : undefined
  if (!document || id === undefined) return null
  return { owner: ownerOfUser(id), build: buildOf(document) }
}
