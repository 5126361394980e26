import { basePath } from 'waymark'
import { readSessionMark } from 'waymark/plugin/client'
import { storedName } from './cacheNames.ts'
import { ownerOfUser } from './userMeta.ts'

/** Where the user is stored that `<OfflineUser>` has named last, with the session mark of then. */
export const ownerKey = `${storedName(basePath)}-user`

type Listener = (owner: string | null) => void

/** A user that a page has named. */
export type NamedUser = {
  readonly id: string | null
  /** As the server has sealed the same user: it compares this with the sender of a call. */
  readonly sealed: string
}
type ReadableStorage = Pick<Storage, 'getItem' | 'setItem'>

/**
 * Who uses this browser: the user that the app has named; where it names none, or the session has
 * changed since, the session mark of the core, which all tabs share.
 * @param storage throws where a browser allows none: then nothing outlives the document
 */
export function createOwner(storage: () => ReadableStorage) {
  const listeners = new Set<Listener>()
  let inMemory: string | null = null
  let cachedOwner: string | null | undefined
  /** The user of this document. Another tab may have named another one since. */
  let ofDocument: NamedUser | null = null
  /** The user that the server has named last. A page that is shown again names nobody anew. */
  let latest: NamedUser | null = null
  const seals = new Set<string>()
  let mayChangeUser = false
  const otherUserListeners = new Set<() => void>()

  function read(key: string): string | null {
    try {
      return storage().getItem(key)
    } catch {
      return null
    }
  }

  const named = () => readNamed(inMemory ?? read(ownerKey))
  const current = () => ownerOf(named(), readSessionMark(storage))

  /** True if another user has signed in since this document named its own user. */
  function isOtherUser(): boolean {
    const id = named()?.id ?? null
    return ofDocument !== null && ofDocument.id !== null && id !== null && ofDocument.id !== id
  }

  /** Notifies the listeners if the owner has changed since the last call. */
  function look(): void {
    const owner = current()
    const hasChanged = cachedOwner !== undefined && cachedOwner !== owner
    cachedOwner = owner
    if (hasChanged) for (const listener of listeners) listener(owner)
    if (hasChanged && isOtherUser()) for (const listener of otherUserListeners) listener()
  }

  /** The owner of entries that this document creates now, with the sealed user for the server. */
  function maker(): { readonly owner: string | null; readonly sealed: string | null } {
    if (ofDocument !== null) {
      const { id, sealed } = ofDocument
      // A renewed session belongs to the same user. The server compares the users in any case.
      return { owner: id === null ? current() : ownerOfUser(id), sealed }
    }
    const last = named()
    const isOfNow = last !== null && last.mark === readSessionMark(storage)
    return { owner: current(), sealed: isOfNow ? last.sealed : null }
  }

  return {
    current,
    look,
    onChange(listener: Listener): () => void {
      if (cachedOwner === undefined) cachedOwner = current()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isOtherUser,
    onOtherUser(listener: () => void): () => void {
      otherUserListeners.add(listener)
      return () => otherUserListeners.delete(listener)
    },
    /** An action of this document has signed somebody in or out: its next page may name another user. */
    allowChange(): void {
      mayChangeUser = true
    },
    /** The owner whose entries this document shows and sends: the user who has signed in last. */
    listed: (): string | null => (isOtherUser() ? current() : maker().owner),
    maker,
    /** The user of this document, as the server has sealed it. */
    sealedUser: (): string | null => ofDocument?.sealed ?? null,
    latest: () => latest,
    /** @param id `null`: nobody is signed in */
    name(id: string | null, sealed: string): void {
      if (cachedOwner === undefined) cachedOwner = current()
      if (!seals.has(sealed)) latest = { id, sealed }
      seals.add(sealed)
      const stored = JSON.stringify([id, readSessionMark(storage), sealed])
      try {
        storage().setItem(ownerKey, stored)
      } catch {
        inMemory = stored
      }
      // Text that one user has typed is never sent for another user who signs in later.
      if (mayChangeUser || !isOtherUser()) ofDocument = { id, sealed }
      mayChangeUser = false
      look()
    },
  }
}

type StoredUser = {
  readonly id: string | null
  /** The session mark when the user was named. */
  readonly mark: string | null
  readonly sealed: string | null
}

/** @param stored at `ownerKey` */
function readNamed(stored: string | null): StoredUser | null {
  if (stored === null) return null
  try {
    const [id, mark, sealed = null] = JSON.parse(stored) as [string | null, string | null, string?]
    return { id, mark, sealed }
  } catch {
    // Another program has written it.
    return null
  }
}

function ownerOf(named: StoredUser | null, mark: string | null): string | null {
  if (named !== null && named.mark === mark) return ownerOfUser(named.id)
  return mark === null ? null : `session ${mark}`
}

const owner = createOwner(() => localStorage)

/** Who is here, for comparing only; `null`: nobody has signed in, as far as is known. */
export const currentOwner: () => string | null = owner.current

/** Calls back when somebody else is here; the client looks after each commit, and other tabs tell. */
export const onOwnerChange: (listener: Listener) => () => void = owner.onChange

/** Looks whether somebody else is here. */
export const lookForOwner: () => void = owner.look

/** A page names its user. */
export const nameOwner: (id: string | null, sealed: string) => void = owner.name

/** The owner whose entries this document shows and sends. */
export const listedOwner: () => string | null = owner.listed

/** The owner of entries that this document creates now, with the sealed user for the server. */
export const currentMaker: typeof owner.maker = owner.maker

/** The user of this document, as the server has sealed it; `null` where it names nobody. */
export const sealedUser: typeof owner.sealedUser = owner.sealedUser

/** The user that the server has named last, for this document. */
export const latestUser: () => NamedUser | null = owner.latest

/** True if another user has signed in, perhaps in another tab, since this document named its own user. */
export const isOtherUser: () => boolean = owner.isOtherUser

export const onOtherUser: (listener: () => void) => () => void = owner.onOtherUser

export const allowUserChange: () => void = owner.allowChange
