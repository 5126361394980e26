'use client'

import { type ReactElement, useEffect } from 'react'
import { nameOwner } from '../shared/owner.ts'
import { userMetaContent, userMetaName } from '../shared/userMeta.ts'

type NamedUserProps = {
  /** Id of the user; `null` if nobody is signed in. */
  readonly id: string | null
  /** The same user, sealed so that only the server can read it. */
  readonly sealed: string
}

/** Tells the browser which user a page was rendered for. */
export function NamedUser({ id, sealed }: NamedUserProps): ReactElement {
  // Runs after each render: the server seals anew each time, because the session may have changed.
  useEffect(() => nameOwner(id, sealed))
  // The service worker reads this element, because it can't run the page's code.
  return <meta name={userMetaName} content={userMetaContent(id)} />
}
