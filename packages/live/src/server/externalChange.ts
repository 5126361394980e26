import { createHash, timingSafeEqual } from 'node:crypto'
import type { Cache, ServerRequest } from 'waymark/plugin'

const maxTags = 1_000
const minSecretLength = 32

/** @returns the secret from the request, which comes from a program outside of the app */
export function readBearer({ headers }: ServerRequest): string | null {
  return /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? null
}

/**
 * Invalidates tags for a program outside of the app.
 * @param text JSON such as `{ "tags": ["stock"] }`
 * @returns the status: 204, 400 for invalid JSON, or 401 without the secret in `WAYMARK_LIVE_SECRET`
 */
export async function invalidateFor(bearer: string, text: string, cache: Cache): Promise<number> {
  const secret = process.env.WAYMARK_LIVE_SECRET?.trim() ?? ''
  if (secret.length < minSecretLength || !isSame(bearer, secret)) return 401
  const tags = readTags(text)
  if (!tags) return 400
  await cache.invalidate(tags, 'stale')
  return 204
}

/** Compare hashes, because a constant-time comparison needs values of equal length. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash(one), hash(other))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function readTags(text: string): string[] | null {
  try {
    const { tags } = JSON.parse(text)
    const isList = Array.isArray(tags) && tags.length > 0 && tags.length <= maxTags
    return isList && tags.every((tag) => typeof tag === 'string' && tag !== '') ? tags : null
  } catch {
    return null
  }
}
