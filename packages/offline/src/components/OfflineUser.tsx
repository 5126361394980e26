import type { ReactElement } from 'react'
import { sealUser } from 'waymark/plugin/server'
import { NamedUser } from './NamedUser.tsx'

/**
 * Names the user who is signed in, as `user` of server.ts says. The page's actions run for that user
 * alone, and what the browser has kept for another one is deleted.
 */
export async function OfflineUser(): Promise<ReactElement> {
  return <NamedUser {...(await sealUser('<OfflineUser>'))} />
}
