'use client'

import { type ReactElement, useEffect } from 'react'
import { nameOwner } from '../shared/owner.ts'
import { userMetaContent, userMetaName } from '../shared/userMeta.ts'

type NamedUserProps = {
  /** `null`: nobody is signed in. */
  readonly id: string | null
  /** The same, as only the server can read it. */
  readonly sealed: string
}

/** Tells the browser for whom a page was rendered. */
export function NamedUser({ id, sealed }: NamedUserProps): ReactElement {
  // Each rendering of the server seals anew: the session may have changed, and the user not.
  useEffect(() => nameOwner(id, sealed))
  // For the service worker, which runs no page.
  return <meta name={userMetaName} content={userMetaContent(id)} />
}
