import 'server-only'
import { createHash, randomBytes } from 'node:crypto'
import { cache } from 'react'
import { redirect } from 'waymark'
import { cookies } from 'waymark/server'
import type { User } from './database/database.ts'
import { database } from './database/open.ts'

const isProduction = process.env.NODE_ENV === 'production'
// Use a prefix that makes browsers require HTTPS (or localhost) and exactly this host.
const name = isProduction ? '__Host-session' : 'session'
const lifetimeSeconds = 14 * 24 * 60 * 60

/** Returns the user who is signed in, or null. Reads the database once per request. */
export const readUser = cache(async (): Promise<User | null> => {
  const token = (await cookies()).get(name)?.value
  return token ? database().findSessionUser(hashToken(token), Date.now()) : null
})

/**
 * Returns the user who is signed in, or redirects to the sign-in page. Call this function in each action
 * and page that needs a user.
 */
export async function requireUser(): Promise<User> {
  return (await readUser()) ?? redirect('/enter')
}

/** Signs a user in with a new token, so that a planted token (session fixation) is useless. */
export async function startSession(userId: string): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  const expiresAtMs = Date.now() + lifetimeSeconds * 1_000
  await database().addSession({ tokenHash: hashToken(token), userId, expiresAtMs })
  const jar = await cookies()
  jar.set(name, token, { httpOnly: true, secure: isProduction, maxAge: lifetimeSeconds })
}

export async function endSession(): Promise<void> {
  const jar = await cookies()
  const token = jar.get(name)?.value
  if (token) await database().deleteSessions({ tokenHash: hashToken(token) })
  jar.delete(name)
}

function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}
