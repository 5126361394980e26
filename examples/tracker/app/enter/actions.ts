'use server'

import { randomUUID } from 'node:crypto'
import { createAttemptLimit, createConcurrencyLimit } from '@waymark/session'
import { redirect } from 'waymark'
import { database } from '../../database/open.ts'
import { hashPassword, verifyPassword } from '../../password.ts'
import { endSession, startSession } from '../../session.ts'

export type EnterResult = { readonly problem: string; readonly name: string } | null

const attempt = createAttemptLimit({ name: 'enter', perKey: 5, seconds: 60 })
// Limit hashing, which is slow and blocks threads that Node also uses for files. The limit leaves two of
// the four threads free.
const whileFree = createConcurrencyLimit({ running: 2, waiting: 10 })
const busy = { problem: 'Many people are signing in right now. Try again.' }
const leastLength = 8

/** Signs in or creates an account, depending on the pressed button. */
export async function enter(_: EnterResult, fields: FormData): Promise<EnterResult> {
  const name = textOf(fields, 'name').toLowerCase()
  const password = textOf(fields, 'password')
  if (!/^[\w.-]{1,40}$/.test(name)) {
    return { problem: 'Use letters, digits, dots and dashes for the name.', name }
  }
  const way = fields.get('way') === 'join' ? join : signIn
  const { problem } =
    (await whileFree(async () => ({ problem: await way(name, password) }))) ?? busy
  if (problem !== null) return { problem, name }
  redirect('/board')
}

export async function leave(): Promise<void> {
  await endSession()
  redirect('/enter')
}

async function join(name: string, password: string): Promise<string | null> {
  if (password.length < leastLength)
    return `Use at least ${leastLength} characters for the password.`
  const user = { id: randomUUID(), name, passwordHash: await hashPassword(password) }
  if (!(await database().addUser(user))) return 'This name is already taken.'
  await startSession(user.id)
  return null
}

async function signIn(name: string, password: string): Promise<string | null> {
  if (!(await attempt(name)).isAllowed) return 'Too many attempts. Try again in a minute.'
  const user = await database().findUser(name)
  const isRight = await verifyPassword(password, user?.passwordHash ?? null)
  if (!user || !isRight) return 'Wrong name or password.'
  await startSession(user.id)
  return null
}

function textOf(fields: FormData, field: string): string {
  const value = fields.get(field)
  return typeof value === 'string' ? value.trim().slice(0, 200) : ''
}
