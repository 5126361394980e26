import 'server-only'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { cache } from 'react'
import { cookies } from 'waymark/server'
import type { CartLine, User } from './database/database.ts'
import { database } from './database/open.ts'

// Use a prefix in production, which makes browsers require HTTPS (or localhost) and exactly this host.
const isProduction = process.env.NODE_ENV === 'production'
const prefix = isProduction ? '__Host-' : ''
const sessionName = `${prefix}session`
const cartName = `${prefix}cart`
const cookieOptions = { httpOnly: true, secure: isProduction, sameSite: 'lax' } as const
const lifetimeSeconds = 14 * 24 * 60 * 60

/** Returns the user who is signed in, or null. Reads the database once per request. */
export const readUser = cache(async (): Promise<User | null> => {
  const token = (await cookies()).get(sessionName)?.value
  return token ? database().findSessionUser(hashToken(token), Date.now()) : null
})

/** Signs a user in with a new token, so that a planted token (session fixation) is useless. */
export async function startSession(user: User): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const expiresAtMs = Date.now() + lifetimeSeconds * 1000
  await database().addSession({ tokenHash: hashToken(token), userId: user.id, expiresAtMs })
  const jar = await cookies()
  jar.set(sessionName, token, { ...cookieOptions, maxAge: lifetimeSeconds })
}

/** Signs out, in the browser and the database. Deletes the cart, too, because others may use this browser. */
export async function endSession(): Promise<void> {
  const jar = await cookies()
  const token = jar.get(sessionName)?.value
  if (token) await database().deleteSession(hashToken(token))
  jar.delete(sessionName)
  jar.delete(cartName)
}

/** Returns the visitor's cart. The cart belongs to the browser, whether somebody is signed in or not. */
export const readCart = cache(async (): Promise<readonly CartLine[]> => {
  const id = await readCartId()
  return id ? database().readCart(id) : []
})

/** Returns the id of the visitor's cart, or null if there is no cart yet. */
export async function readCartId(): Promise<string | null> {
  return (await cookies()).get(cartName)?.value ?? null
}

/** Returns the id of the visitor's cart. Creates one and sets its cookie if there is no cart yet. */
export async function ensureCartId(): Promise<string> {
  const cartId = await readCartId()
  if (cartId) return cartId
  const id = randomUUID()
  const jar = await cookies()
  jar.set(cartName, id, { ...cookieOptions, maxAge: lifetimeSeconds })
  return id
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
