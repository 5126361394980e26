import { type DraftValue, draftValue, type Field, readSessionMark } from 'waymark/plugin/client'
import { currentOwner } from '../shared/owner.ts'
import { draftsKey } from './hasFormDraft.ts'

const maxAgeMs = 30 * 60_000
const maxDrafts = 5
const maxCharacters = 200_000

type Draft = {
  readonly pathname: string
  readonly fields: readonly (readonly [key: string, value: DraftValue])[]
}

/** What is stored of fields, by their keys of the core. */
export function valuesOf(fields: Iterable<readonly [key: string, field: Field]>): Draft['fields'] {
  return [...fields].map(([key, field]) => [key, draftValue(field)])
}

type FormDraft = Draft & {
  readonly storedAtMs: number
  /** Who has typed it; `null` where the app names no user. */
  readonly user: string | null
  /** The session mark at the last look; `null` until the refusal itself is over, which may set it. */
  readonly mark: string | null
  /** The session has changed since: somebody has signed in. */
  readonly isSignedIn: boolean
}

type DraftStoreOptions = {
  /** Of the tab. It throws where a browser allows none: then nothing is stored. */
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** As `currentOwner()` tells. */
  readonly owner: () => string | null
  /** The session mark of the core; empty before the first session. */
  readonly mark: () => string
  readonly now: () => number
}

export type DraftStore = ReturnType<typeof createDraftStore>

/**
 * Stores what was typed, by page, for the one who has typed it. A user that the app names gets it
 * back, and nobody else. Where it names none, it stays for the tab, for 30 minutes and one change
 * of the session, which is the sign-in: the next one is a sign-out.
 */
export function createDraftStore({ storage, owner, mark, now }: DraftStoreOptions) {
  const user = () => userOf(owner())

  function read(): readonly FormDraft[] {
    try {
      const drafts: unknown = JSON.parse(storage().getItem(draftsKey) ?? '[]')
      return Array.isArray(drafts) ? drafts.filter(isDraft) : []
    } catch {
      // Storage is blocked, or holds something else.
      return []
    }
  }

  function write(drafts: readonly FormDraft[]): void {
    const stored = fitting(drafts.slice(0, maxDrafts))
    try {
      if (stored.length === 0) storage().removeItem(draftsKey)
      else storage().setItem(draftsKey, JSON.stringify(stored))
    } catch {
      // Storage is blocked or full: what was typed is lost, as without this package.
    }
  }

  const others = (pathname: string) => read().filter((draft) => draft.pathname !== pathname)

  /** Drops what is too old, or was typed by somebody else than is here now. */
  function look(): void {
    const before = read()
    if (before.length > 0) write(before.flatMap((draft) => looked(draft, user(), mark(), now())))
  }

  function find(pathname: string): FormDraft | null {
    look()
    const isHis = (draft: FormDraft) => draft.user === null || draft.user === user()
    return read().find((draft) => draft.pathname === pathname && isHis(draft)) ?? null
  }

  return {
    /** The user that the app has named; `null`: it names none. */
    user,
    find,
    /** @param typedBy as `user()` was then */
    save({ pathname, fields }: Draft, typedBy: string | null): void {
      if (fields.length === 0) return
      const state = { user: typedBy, mark: null, isSignedIn: false }
      write([{ pathname, fields, storedAtMs: now(), ...state }, ...others(pathname)])
    },
    /** Finds what was typed, and forgets it. */
    take(pathname: string): FormDraft | null {
      const draft = find(pathname)
      if (draft) write(others(pathname))
      return draft
    },
    forget(pathname: string): void {
      write(others(pathname))
    },
  }
}

/** Those that fit into the limit, the latest first. */
function fitting(drafts: readonly FormDraft[]): readonly FormDraft[] {
  let left = maxCharacters
  return drafts.filter((draft) => {
    const { length } = JSON.stringify(draft)
    if (length > left) return false
    left -= length
    return true
  })
}

/** @returns the draft as it goes on, or nothing */
function looked(
  draft: FormDraft,
  user: string | null,
  mark: string,
  nowMs: number,
): readonly FormDraft[] {
  const ageMs = nowMs - draft.storedAtMs
  if (ageMs < 0 || ageMs > maxAgeMs) return []
  if (draft.user !== null) return user === null || user === draft.user ? [draft] : []
  if (draft.mark === null) return [{ ...draft, mark }]
  if (draft.mark === mark) return [draft]
  return draft.isSignedIn ? [] : [{ ...draft, mark, isSignedIn: true }]
}

/** A session mark is no name: it changes when the same user signs in again. */
function userOf(owner: string | null): string | null {
  return owner?.startsWith('user ') ? owner : null
}

function isDraft(value: unknown): value is FormDraft {
  if (typeof value !== 'object' || value === null) return false
  const { pathname, fields, storedAtMs } = value as Partial<FormDraft>
  return typeof pathname === 'string' && Array.isArray(fields) && typeof storedAtMs === 'number'
}

export const formDrafts: DraftStore = createDraftStore({
  storage: () => sessionStorage,
  owner: currentOwner,
  mark: sessionMark,
  now: Date.now,
})

/** The session mark, which all tabs share; empty before the first session. */
export function sessionMark(): string {
  return readSessionMark() ?? ''
}
