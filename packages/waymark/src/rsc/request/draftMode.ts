import { draftCookie } from '../../shared/keptPages.ts'
import { draftSeconds } from './draft.ts'
import { currentScope } from './scope.ts'

/** What `draftMode()` gives. */
export type DraftMode = {
  /** Whether this browser sees drafts. */
  readonly isEnabled: boolean
  /**
   * Lets this browser see drafts for a day: pages are rendered for it, and cached functions run.
   * Whoever calls it has to have checked who asks.
   * @throws `COOKIES_READ_ONLY` outside of actions, route handlers and proxy.ts
   */
  enable(): void
  /** Ends it. @throws as `enable` does */
  disable(): void
}

/**
 * Tells whether the visitor sees drafts, and changes it. Reading it leaves a static page static:
 * the kept one is that of everybody else.
 * @throws `OUTSIDE_REQUEST`
 */
export async function draftMode(): Promise<DraftMode> {
  const scope = currentScope('draftMode()')
  return {
    isEnabled: scope.isDraft,
    enable() {
      const secure = scope.request.origin.startsWith('https:')
      const options = { httpOnly: true, sameSite: 'lax', secure, maxAge: draftSeconds } as const
      scope.cookieStore().cookies.set(draftCookie, scope.draftPass(), options)
    },
    disable: () => scope.cookieStore().cookies.delete(draftCookie),
  }
}
