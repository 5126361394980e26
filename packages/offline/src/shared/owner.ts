import { basePath } from 'waymark'
import { readSessionMark } from 'waymark/plugin/client'
import { storedName } from './cacheNames.ts'
import { ownerOfUser } from './userMeta.ts'

/** Storage key for the user that `<OfflineUser>` named last, with the session mark at that time. */
export const ownerKey = `${storedName(basePath)}-user`

type Listener = (owner: string | null) => void

/** A user that a page has named. */
export type NamedUser = {
  readonly id: string | null
  /** Id of the user, sealed by the server, which compares it with the sender of a call. */
  readonly sealed: string
}
type ReadableStorage = Pick<Storage, 'getItem' | 'setItem'>

/**
 * Tracks who uses this browser. If the app has named a user in the current session, that user is
 * the owner. Otherwise, the owner is the core's session mark, which all tabs share.
 * @param storage returns the browser's storage, or throws if the browser blocks it; the user is
 * then forgotten when the document is closed
 */
export function createOwner(storage: () => ReadableStorage) {
  const listeners = new Set<Listener>()
  let inMemory: string | null = null
  let cachedOwner: string | null | undefined
  /** This document's user. A different tab may have named a different user since. */
  let ofDocument: NamedUser | null = null
  /** The user whom the server named last. Showing a cached page again doesn't change this. */
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

  /** True if a different user has signed in since this document named its own. */
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

  /**
   * Returns the owner for entries that this document creates now, and the sealed user for the
   * server.
   */
  function maker(): { readonly owner: string | null; readonly sealed: string | null } {
    if (ofDocument !== null) {
      const { id, sealed } = ofDocument
      // A renewed session belongs to the same user, and the server compares users anyway.
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
    /**
     * Called after an action in this document has signed somebody in or out. The next page may name a
     * different user.
     */
    allowChange(): void {
      mayChangeUser = true
    },
    /**
     * Returns the owner whose entries this document shows and sends: the user who has signed in
     * last.
     */
    listed: (): string | null => (isOtherUser() ? current() : maker().owner),
    maker,
    /** Returns the user of this document as sealed by the server. */
    sealedUser: (): string | null => ofDocument?.sealed ?? null,
    latest: () => latest,
    /** @param id `null` if nobody is signed in */
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
      // Text that one user typed must never be sent for a different user who signs in later, so
      // keep the document's user.
      if (mayChangeUser || !isOtherUser()) ofDocument = { id, sealed }
      mayChangeUser = false
      look()
    },
  }
}

type StoredUser = {
  readonly id: string | null
  /** Session mark at the time when a document last named the user. */
  readonly mark: string | null
  readonly sealed: string | null
}

/** @param stored value at `ownerKey` */
function readNamed(stored: string | null): StoredUser | null {
  if (stored === null) return null
  try {
    const [id, mark, sealed = null] = JSON.parse(stored) as [string | null, string | null, string?]
    return { id, mark, sealed }
  } catch {
    // A different program wrote the value, so ignore it.
    return null
  }
}

function ownerOf(named: StoredUser | null, mark: string | null): string | null {
  if (named !== null && named.mark === mark) return ownerOfUser(named.id)
  return mark === null ? null : `session ${mark}`
}

const owner = createOwner(() => localStorage)

/** Returns a string for comparing users; `null` if nobody is known to be signed in. */
export const currentOwner: () => string | null = owner.current

/**
 * Calls `listener` when the user changes. The client checks the user after each commit, and when a
 * different tab reports a change.
 */
export const onOwnerChange: (listener: Listener) => () => void = owner.onChange

/** Checks if the user has changed, and notifies the listeners. */
export const lookForOwner: () => void = owner.look

/** Called when a page names its user. */
export const nameOwner: (id: string | null, sealed: string) => void = owner.name

/** Returns the owner whose entries this document shows and sends. */
export const listedOwner: () => string | null = owner.listed

/** Returns the owner of entries that this document creates now, and the sealed user for the server. */
export const currentMaker: typeof owner.maker = owner.maker

/** Returns this document's user, as sealed by the server; `null` if no page has named a user. */
export const sealedUser: typeof owner.sealedUser = owner.sealedUser

/** Returns the user that the server named last in this document. */
export const latestUser: () => NamedUser | null = owner.latest

/**
 * True if a different user has signed in, perhaps in a different tab, since this document named its
 * own.
 */
export const isOtherUser: () => boolean = owner.isOtherUser

export const onOtherUser: (listener: () => void) => () => void = owner.onOtherUser

export const allowUserChange: () => void = owner.allowChange
