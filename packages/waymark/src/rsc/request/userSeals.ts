import { frameworkError } from '../../shared/errors.ts'
import { timedOut, withDeadline } from '../../shared/promises.ts'
import type { RefusalCode } from '../../wire/actionResponse.ts'
import type { Sealer } from './draftMode.ts'

/** A user's id; `null` or `undefined` if nobody is signed in. */
export type UserId = string | number | null | undefined

/** Returns the user of the current request, from `cookies()` or `headers()`. */
export type ReadUser = () => UserId | Promise<UserId>

/** The user of a request, with the encrypted id. */
export type SealedUser = {
  readonly id: string | null
  /** The encrypted id, which only this app can create and read. */
  readonly sealed: string
}

type UserSealsOptions = {
  readonly readUser: ReadUser
  readonly sealer: () => Sealer
  readonly now?: () => number
}

const purpose = 'user of a page'

/**
 * Milliseconds for which an encrypted user is valid. That is longer than a form may wait to be
 * sent, and longer than most tabs stay open.
 */
export const sealedForMs = 30 * 24 * 60 * 60_000

const readWithinMs = 10_000

export type UserSeals = ReturnType<typeof createUserSeals>

/**
 * Encrypts the id of a page's user, and compares that user with the sender of an action. An
 * encrypted id can only restrict actions. It proves nothing about its sender, and no guard accepts
 * it.
 */
export function createUserSeals({ readUser, sealer, now = Date.now }: UserSealsOptions) {
  async function currentId(): Promise<string | null> {
    const id = await withDeadline(Promise.resolve(readUser()), readWithinMs)
    if (id === timedOut) {
      throw frameworkError('SERVER_USER', { reason: `user() took longer than ${readWithinMs} ms` })
    }
    if (id === null || id === undefined) return null
    if (typeof id === 'string' || typeof id === 'number') return String(id)
    throw frameworkError('SERVER_USER', { reason: `user() returned a value of type ${typeof id}` })
  }

  function open(sealed: string): { readonly id: string | null } | null {
    const bytes = sealer().open(sealed, purpose)
    if (bytes === null) return null
    const [id, sealedAtMs] = JSON.parse(Buffer.from(bytes).toString()) as [string | null, number]
    return now() - sealedAtMs > sealedForMs ? null : { id }
  }

  return {
    /** Returns the id of the current sender; `null` if nobody is signed in. @throws `SERVER_USER` */
    currentId,
    async seal(): Promise<SealedUser> {
      const id = await currentId()
      return { id, sealed: sealer().seal(Buffer.from(JSON.stringify([id, now()])), purpose) }
    },
    /**
     * Compares the user of the page that calls an action with the sender of the call.
     * @param sealed encrypted user of the page; `null` for a page without a user
     * @param isQueued true for a call that may be sent much later and must then come from exactly
     * the same user
     * @returns the reason to refuse the action; `null` if it may run
     */
    async refusalOf(
      sealed: string | null,
      isQueued: boolean,
    ): Promise<Extract<RefusalCode, 'stale' | 'other-user'> | null> {
      if (sealed === null && !isQueued) return null
      const opened = sealed === null ? { id: null } : open(sealed)
      if (opened === null) return 'stale'
      const id = await currentId()
      if (opened.id === id) return null
      // Refuse only if a different user has signed in. If somebody has just signed in or out, the
      // guards decide.
      const isSomebodyElse = opened.id !== null && id !== null
      return isQueued || isSomebodyElse ? 'other-user' : null
    },
  }
}
