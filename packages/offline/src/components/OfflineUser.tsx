import type { ReactElement } from 'react'
import { sealUser } from 'waymark/plugin/server'
import { NamedUser } from './NamedUser.tsx'

/**
 * Names the signed-in user, whose id the option `user` in server.ts returns. The page's actions then run
 * for this user only, and the browser deletes the pages that it saved for other users.
 */
export async function OfflineUser(): Promise<ReactElement> {
  return <NamedUser {...(await sealUser('<OfflineUser>'))} />
}
