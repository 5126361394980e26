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

/** Returns fields as they are stored: pairs of the core's field key and the field's value. */
export function valuesOf(fields: Iterable<readonly [key: string, field: Field]>): Draft['fields'] {
  return [...fields].map(([key, field]) => [key, draftValue(field)])
}

type FormDraft = Draft & {
  readonly storedAtMs: number
  /** The user who typed the text; `null` if the app names no user. */
  readonly user: string | null
  /**
   * Session mark at the last check; `null` while the response that refused the call may still
   * change the mark.
   */
  readonly mark: string | null
  /** True if the session has changed since, which means that somebody has signed in. */
  readonly isSignedIn: boolean
}

type DraftStoreOptions = {
  /**
   * Returns the tab's session storage. Throws if the browser blocks storage; nothing is stored
   * then.
   */
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Returns the same value as `currentOwner()`. */
  readonly owner: () => string | null
  /** Returns the core's session mark; empty before the first session. */
  readonly mark: () => string
  readonly now: () => number
}

export type DraftStore = ReturnType<typeof createDraftStore>

/**
 * Stores the text that a user typed, by page. If the app names its users, only the same user gets
 * the text back. Otherwise, the tab stores it for 30 minutes and across one change of the session:
 * the first change is the sign-in, the next one a sign-out.
 */
export function createDraftStore({ storage, owner, mark, now }: DraftStoreOptions) {
  const user = () => userOf(owner())

  function read(): readonly FormDraft[] {
    try {
      const drafts: unknown = JSON.parse(storage().getItem(draftsKey) ?? '[]')
      return Array.isArray(drafts) ? drafts.filter(isDraft) : []
    } catch {
      // Storage is blocked, or its content can't be parsed.
      return []
    }
  }

  function write(drafts: readonly FormDraft[]): void {
    const stored = fitting(drafts.slice(0, maxDrafts))
    try {
      if (stored.length === 0) storage().removeItem(draftsKey)
      else storage().setItem(draftsKey, JSON.stringify(stored))
    } catch {
      // Storage is blocked or full. The typed text is lost, as without this package.
    }
  }

  const others = (pathname: string) => read().filter((draft) => draft.pathname !== pathname)

  /** Drops drafts that are too old or belong to a different user. */
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
    /** Returns the user that the app has named; `null` without one. */
    user,
    find,
    /** @param typedBy value of `user()` when the text was typed */
    save({ pathname, fields }: Draft, typedBy: string | null): void {
      if (fields.length === 0) return
      const state = { user: typedBy, mark: null, isSignedIn: false }
      write([{ pathname, fields, storedAtMs: now(), ...state }, ...others(pathname)])
    },
    /** Finds a page's draft and deletes it. */
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

/** Returns as many drafts as the size limit allows, newest first. */
function fitting(drafts: readonly FormDraft[]): readonly FormDraft[] {
  let left = maxCharacters
  return drafts.filter((draft) => {
    const { length } = JSON.stringify(draft)
    if (length > left) return false
    left -= length
    return true
  })
}

/** @returns the draft in its new state, or an empty list if it must be dropped */
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

/**
 * Returns the owner if it is a user. Session marks don't count, because they change when the same
 * user signs in again.
 */
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

/** Returns the session mark, which all tabs share; empty before the first session. */
export function sessionMark(): string {
  return readSessionMark() ?? ''
}
