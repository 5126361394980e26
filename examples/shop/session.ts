import 'server-only'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { cache } from 'react'
import { cookies } from 'waymark/server'
import type { CartLine, User } from './database/database.ts'
import { database } from './database/open.ts'

// In production a prefix makes the browser insist on HTTPS (or localhost) and on this host alone.
const isProduction = process.env.NODE_ENV === 'production'
const prefix = isProduction ? '__Host-' : ''
const sessionName = `${prefix}session`
const cartName = `${prefix}cart`
const cookieOptions = { httpOnly: true, secure: isProduction, sameSite: 'lax' } as const
const lifetimeSeconds = 14 * 24 * 60 * 60

/** The user who is signed in, or null; looked up once per request. */
export const readUser = cache(async (): Promise<User | null> => {
  const token = (await cookies()).get(sessionName)?.value
  return token ? database().findSessionUser(hashToken(token), Date.now()) : null
})

/** Signs a user in, with a new token: one that somebody planted before is worth nothing. */
export async function startSession(user: User): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const expiresAtMs = Date.now() + lifetimeSeconds * 1000
  await database().addSession({ tokenHash: hashToken(token), userId: user.id, expiresAtMs })
  const jar = await cookies()
  jar.set(sessionName, token, { ...cookieOptions, maxAge: lifetimeSeconds })
}

/** Signs out, here and in the database. The cart goes, too: the next person may sit here. */
export async function endSession(): Promise<void> {
  const jar = await cookies()
  const token = jar.get(sessionName)?.value
  if (token) await database().deleteSession(hashToken(token))
  jar.delete(sessionName)
  jar.delete(cartName)
}

/** The visitor's cart: signed in or not, it belongs to the browser. */
export const readCart = cache(async (): Promise<readonly CartLine[]> => {
  const id = await readCartId()
  return id ? database().readCart(id) : []
})

/** The id of the visitor's cart, or null when they have none yet. */
export async function readCartId(): Promise<string | null> {
  return (await cookies()).get(cartName)?.value ?? null
}

/** The id of the visitor's cart; a first one is put into a cookie. */
export async function ensureCartId(): Promise<string> {
  const known = await readCartId()
  if (known) return known
  const id = randomUUID()
  const jar = await cookies()
  jar.set(cartName, id, { ...cookieOptions, maxAge: lifetimeSeconds })
  return id
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
