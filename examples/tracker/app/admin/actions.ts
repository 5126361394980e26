'use server'

import { forbidden } from 'waymark'
import { refresh } from 'waymark/server'
import { database } from '../../database/open.ts'
import { requireUser } from '../../session.ts'

/** Makes a user an admin or a member. Admins can't change themselves, so one admin always remains. */
export async function setAdmin(id: string, isAdmin: boolean): Promise<void> {
  const admin = await requireUser()
  if (!admin.isAdmin || admin.id === id) forbidden()
  await database().setAdmin(id, isAdmin)
  refresh()
}

/** Signs a user out on all devices. */
export async function endSessions(userId: string): Promise<void> {
  const admin = await requireUser()
  if (!admin.isAdmin) forbidden()
  await database().deleteSessions({ userId })
  refresh()
}
