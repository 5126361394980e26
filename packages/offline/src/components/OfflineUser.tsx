'use client'

import { type ReactElement, useEffect } from 'react'
import { nameOwner } from '../shared/owner.ts'
import { userMetaContent, userMetaName } from '../shared/userMeta.ts'

/**
 * Names the user who is signed in, in a layout that knows; `null` for nobody. What was kept for another
 * one goes at once.
 */
export function OfflineUser({ id }: { readonly id: string | number | null }): ReactElement {
  const named = id === null ? null : String(id)
  // Each rendering of the server says it anew: the session may have changed, and the user not.
  useEffect(() => nameOwner(named))
  // For the service worker, which runs no page.
  return <meta name={userMetaName} content={userMetaContent(named)} />
}
