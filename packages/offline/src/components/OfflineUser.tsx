import type { ReactElement } from 'react'
import { sealUser } from 'waymark/plugin/server'
import { NamedUser } from './NamedUser.tsx'

/**
 * Names the signed-in user, whose id `user` in server.ts returns. The page's actions then only run
 * for this user, and the browser deletes pages that it has saved for other users.
 */
export async function OfflineUser(): Promise<ReactElement> {
  return <NamedUser {...(await sealUser('<OfflineUser>'))} />
}
