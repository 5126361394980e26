import { draftCookie } from '../../shared/cachedPage.ts'
import type { ServerRequest } from '../../shared/response.ts'
import { parseCookies } from './cookieHeader.ts'

/** Tells who sees drafts: pages that are rendered for the request, and never cached. */
export type Drafts = {
  isOn(request: ServerRequest): boolean
  /** A value of the cookie that turns them on. */
  pass(): string
}

/** Seals values that go to a browser and come back. */
export type Sealer = {
  /**
   * Encrypts with the newest key.
   * @param purpose what the value is for: opened for another one it is refused
   */
  seal(value: Uint8Array, purpose: string): string
  /** @returns `null` for what none of the keys has sealed for this purpose */
  open(sealed: string, purpose: string): Uint8Array<ArrayBuffer> | null
}

const purpose = 'draft mode'

/** How long a browser sees drafts. */
export const draftSeconds = 24 * 60 * 60

/** @param sealer called for a request that claims to see drafts, and for no other */
export function createDrafts(sealer: () => Sealer, now: () => number = Date.now): Drafts {
  function isValid(pass: string): boolean {
    const opened = sealer().open(pass, purpose)
    return opened !== null && Number(Buffer.from(opened).toString()) > now()
  }
  return {
    isOn({ headers }) {
      const sent = headers.get('cookie')
      if (!sent?.includes(draftCookie)) return false
      return parseCookies(sent).some(({ name, value }) => name === draftCookie && isValid(value))
    },
    pass: () => sealer().seal(Buffer.from(String(now() + draftSeconds * 1000)), purpose),
  }
}
