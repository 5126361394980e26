import type { Followed } from './connection.ts'

/** Messages between the tabs of a browser. */
export type TabMessage =
  | { readonly type: 'follows'; readonly tab: string; readonly followed: Followed }
  /** Announces that the sender now holds the connection. */
  | { readonly type: 'leads' }
  | { readonly type: 'changed'; readonly reads: readonly string[]; readonly from: string }
  | { readonly type: 'gone'; readonly reads: readonly string[] }
  | { readonly type: 'state'; readonly isConnected: boolean }

/**
 * Parses a message from a tab, which may run a different build.
 * @returns `null` for an unknown message
 */
export function parseTabMessage(data: unknown): TabMessage | null {
  const fields = Object(data) as Readonly<Record<string, unknown>>
  const { type, tab, followed, reads, from, isConnected } = fields
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
