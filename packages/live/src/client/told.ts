import type { Followed } from './connection.ts'

/** What the tabs of a browser tell each other. */
export type Told =
  | { readonly type: 'follows'; readonly tab: string; readonly followed: Followed }
  /** Another tab has the connection now. */
  | { readonly type: 'leads' }
  | { readonly type: 'changed'; readonly reads: readonly string[]; readonly from: string }
  | { readonly type: 'gone'; readonly reads: readonly string[] }
  | { readonly type: 'state'; readonly isConnected: boolean }

/** Reads what came from a tab, whose build may be another. @returns `null` for what is not known */
export function toTold(data: unknown): Told | null {
  const told = Object(data) as Readonly<Record<string, unknown>>
  const { type, tab, followed, reads, from, isConnected } = told
  switch (type) {
    case 'leads':
      return { type }
    case 'follows':
      return typeof tab === 'string' && isFollowed(followed) ? { type, tab, followed } : null
    case 'changed':
      return areTexts(reads) && typeof from === 'string' ? { type, reads, from } : null
    case 'gone':
      return areTexts(reads) ? { type, reads } : null
    case 'state':
      return typeof isConnected === 'boolean' ? { type, isConnected } : null
    default:
      return null
  }
}

function isFollowed(value: unknown): value is Followed {
  if (!(value instanceof Map)) return false
  return [...value].every(([name, sealed]) => typeof name === 'string' && areTexts(sealed))
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
