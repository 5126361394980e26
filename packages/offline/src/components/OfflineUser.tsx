'use client'

import { useEffect } from 'react'
import { nameOwner } from '../shared/owner.ts'

/**
 * Names the user who is signed in, in a layout that knows; `null` for nobody. What was kept for another
 * one goes at once.
 */
export function OfflineUser({ id }: { readonly id: string | number | null }): null {
  // Each rendering of the server says it anew: the session may have changed, and the user not.
  useEffect(() => nameOwner(id === null ? null : String(id)))
  return null
}
