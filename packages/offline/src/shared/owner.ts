import { basePath } from 'waymark'
import { sessionKey } from 'waymark/internal'
import { storedName } from './cacheNames.ts'
import { ownerOfUser } from './userMeta.ts'

/** Where the user is stored that `<OfflineUser>` has named last, with the session mark of then. */
export const ownerKey = `${storedName(basePath)}-user`

type Listener = (owner: string | null) => void
type ReadableStorage = Pick<Storage, 'getItem' | 'setItem'>

/**
 * Who uses this browser: the user that the app has named; where it names none, or the session has
 * changed since, the session mark of the core, which all tabs share.
 * @param storage throws where a browser allows none: then nothing outlives the document
 */
export function createOwner(storage: () => ReadableStorage) {
  const listeners = new Set<Listener>()
  let inMemory: string | null = null
  let known: string | null | undefined

  function read(key: string): string | null {
    try {
      return storage().getItem(key)
    } catch {
      return null
    }
  }

  const current = () => ownerOf(inMemory ?? read(ownerKey), read(sessionKey))

  /** Tells the listeners, if it is somebody else than at the last look. */
  function look(): void {
    const owner = current()
    const hasChanged = known !== undefined && known !== owner
    known = owner
    if (hasChanged) for (const listener of listeners) listener(owner)
  }

  return {
    current,
    look,
    onChange(listener: Listener): () => void {
      if (known === undefined) known = current()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** @param id `null`: nobody is signed in */
    name(id: string | null): void {
      if (known === undefined) known = current()
      const named = JSON.stringify([id, read(sessionKey)])
      try {
        storage().setItem(ownerKey, named)
      } catch {
        inMemory = named
      }
      look()
    },
  }
}

/** @param named what is stored at `ownerKey` */
function ownerOf(named: string | null, mark: string | null): string | null {
  const ofSession = mark === null ? null : `session ${mark}`
  if (named === null) return ofSession
  try {
    const [id, markOfThen] = JSON.parse(named) as [string | null, string | null]
    if (markOfThen !== mark) return ofSession
    return ownerOfUser(id)
  } catch {
    // Another program has written it.
    return ofSession
  }
}

const owner = createOwner(() => localStorage)

/** Who is here, for comparing only; `null`: nobody has signed in, as far as is known. */
export const currentOwner: () => string | null = owner.current

/** Calls back when somebody else is here; the client looks after each commit, and other tabs tell. */
export const onOwnerChange: (listener: Listener) => () => void = owner.onChange

/** Looks whether somebody else is here. */
export const lookForOwner: () => void = owner.look

/** The app names its user. */
export const nameOwner: (id: string | null) => void = owner.name
