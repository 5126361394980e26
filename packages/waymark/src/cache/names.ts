import { createHash } from 'node:crypto'

/** No key or tag that reaches a driver is longer. */
export const maxKeyLength = 200

const digestLength = 43

/**
 * Bounds a key or a tag: of a longer one, its beginning stays readable and a hash of the whole
 * follows. Control characters, which logs and stores would take for their own, are hashed, too.
 */
export function normalizeKey(name: string): string {
  if (name.length <= maxKeyLength && !unsafe.test(name)) return name
  const digest = createHash('sha256').update(name).digest('base64url')
  const start = name.slice(0, maxKeyLength - digestLength - 1).replaceAll(unsafeAll, '_')
  return `${start.toWellFormed()}#${digest}`
}

const unsafe = /[\p{Cc}\p{Cs}]/u
const unsafeAll = /[\p{Cc}\p{Cs}]/gu
