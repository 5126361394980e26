'use server'

import { randomUUID } from 'node:crypto'
import { redirect } from 'waymark'
import { refresh } from 'waymark/server'
import { type State, states } from '../../database/database.ts'
import { database } from '../../database/open.ts'
import { notifyChange } from '../../live/changes.ts'
import { requireUser } from '../../session.ts'

export async function addIssue(fields: FormData): Promise<void> {
  const { name: author } = await requireUser()
  const title = textOf(fields, 'title', 120)
  // Refuse an empty title. The form requires one, so this request came from another program.
  if (title === '') redirect('/new')
  const text = textOf(fields, 'text', 5_000)
  const issue = { title, text, author, state: 'open', createdAtMs: Date.now() } as const
  const id = await database().addIssue(issue)
  notifyChange()
  redirect(`/board/${id}`)
}

export async function comment(issueId: number, fields: FormData): Promise<void> {
  const { name: author } = await requireUser()
  const text = textOf(fields, 'text', 5_000)
  if (text === '' || !(await database().findIssue(issueId))) return refresh()
  const entry = { id: randomUUID(), issueId, author, text, file: null, createdAtMs: Date.now() }
  await database().addComment(entry)
  notifyChange()
  refresh()
}

export async function changeState(issueId: number, fields: FormData): Promise<void> {
  await requireUser()
  const state = fields.get('state') as State
  if (states.includes(state)) await database().setState(issueId, state)
  notifyChange()
  refresh()
}

function textOf(fields: FormData, field: string, maxLength: number): string {
  const value = fields.get(field)
  return typeof value === 'string' ? value.trim().slice(0, maxLength) : ''
}
