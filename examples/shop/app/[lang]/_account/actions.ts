'use server'

import { randomUUID } from 'node:crypto'
import { redirect } from 'waymark'
import { action } from 'waymark/server'
import { z } from 'zod'
import { database } from '../../../database/open.ts'
import { hashPassword, verifyPassword } from '../../../password.ts'
import { endSession, startSession } from '../../../session.ts'

/** Page to open after the form. Only paths of the shop are allowed, because anybody can write a link. */
const next = z
  .string()
  .max(500)
  .regex(/^\/(en|de)(\/[\w/-]*)?$/)
  .catch('/en/account')
const email = z.string().trim().toLowerCase().max(200, 'long').pipe(z.email('email'))

/** Signs in. A wrong password and an unknown e-mail get the same message, so that nobody learns who has an account. */
export const signIn = action(
  { input: z.object({ email, password: z.string().max(200, 'long'), next }), maxBytes: 10_000 },
  async ({ email, password, next }) => {
    const user = await database().findUserByEmail(email)
    const isRight = await verifyPassword(password, user?.passwordHash ?? null)
    if (!user || !isRight) return { problem: 'credentials' as const, email }
    await startSession(user)
    redirect(next)
  },
)

/** Creates an account, and signs in. */
export const join = action(
  {
    input: z.object({
      email,
      password: z.string().min(10, 'password').max(200, 'password'),
      next,
    }),
    maxBytes: 10_000,
  },
  async ({ email, password, next }) => {
    const user = { id: randomUUID(), email, passwordHash: await hashPassword(password) }
    if (!(await database().addUser(user))) return { problem: 'taken' as const, email }
    await startSession(user)
    redirect(next)
  },
)

export async function signOut(fields: FormData): Promise<void> {
  await endSession()
  redirect(next.parse(fields.get('next')))
}
