'use client'

import { type ReactElement, useEffect } from 'react'
import { nameOwner } from '../shared/owner.ts'
import { userMetaContent, userMetaName } from '../shared/userMeta.ts'

type NamedUserProps = {
  /** Id of the user; `null` if nobody is signed in. */
  readonly id: string | null
  /** Id of the user, sealed so that only the server can read it. */
  readonly sealed: string
}

/** Tells the browser which user a page was rendered for. */
export function NamedUser({ id, sealed }: NamedUserProps): ReactElement {
  // Run this effect after each render, because the server creates a new seal for each one.
  useEffect(() => nameOwner(id, sealed))
  // Render a `<meta>` element for the service worker, which can't run the page's code.
  return <meta name={userMetaName} content={userMetaContent(id)} />
}
