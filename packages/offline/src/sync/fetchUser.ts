import { buildOf } from 'waymark/plugin/client'
import type { EntryPage } from '../outbox/entry.ts'
import { ownerOfUser, readUser } from '../shared/userMeta.ts'
import { documentForm, fetchPart } from '../worker/wholeResponse.ts'

/** The signed-in user, according to a page that the server has just rendered. */
export type FetchedUser = {
  readonly owner: string | null
  /** Build of the server; `null` if unknown. */
  readonly build: string | null
}

/**
 * Asks the server who is signed in. Returns `null` if the server's page doesn't name a user, because
 * only an open page can then know the user.
 * @throws if the site doesn't respond
 */
export async function fetchUser({ pathname, search }: EntryPage): Promise<FetchedUser | null> {
  const document = await fetchPart(pathname + search, documentForm)
  if (document === 'failed') throw new Error('The site did not respond with a complete page.')
  const id = document ? readUser(document.text) : undefined
  if (!document || id === undefined) return null
  return { owner: ownerOfUser(id), build: buildOf(document) }
}
