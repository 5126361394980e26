import { reservedPaths } from '../wire/reservedPaths.ts'

/** The process of a dev server, and the absolute path of its app's folder. */
export type ServerIdentity = { readonly pid: number; readonly root: string }

/** Path at which a dev server tells programs on its machine which app it serves. */
export const identityPath = `${reservedPaths.dev}server`

export function encodeIdentity({ pid, root }: ServerIdentity): string {
  return JSON.stringify({ pid, root })
}

/**
 * @param text response of any program to a request for `identityPath`
 * @returns `null` if the text is not the identity of a dev server
 */
export function parseIdentity(text: string): ServerIdentity | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    // The program is not a dev server.
    return null
  }
  if (typeof parsed !== 'object' || parsed === null) return null
  if (!('pid' in parsed) || !('root' in parsed)) return null
  const { pid, root } = parsed
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null
  return typeof root === 'string' ? { pid, root } : null
}
