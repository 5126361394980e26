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

/** Tells the browser for which user a page was rendered. */
export function NamedUser({ id, sealed }: NamedUserProps): ReactElement {
  // The server creates a new seal for each render, so run this effect after each.
  useEffect(() => nameOwner(id, sealed))
  // The service worker can't run the page's code, but it can read a `<meta>` element.
  return <meta name={userMetaName} content={userMetaContent(id)} />
}
